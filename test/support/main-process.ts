import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** A program in a process of its own, and what it has said so far. */
export interface Running {
  child: ChildProcessWithoutNullStreams
  out: string
  err: string
}

/** Runs one of `programs.ts` until the test ends at the latest. */
export function startMain(program: string, args: readonly string[]): Running {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' })
  const running: Running = { child, out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    running.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    running.err += chunk
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return running
}
