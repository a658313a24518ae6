import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A program in a process of its own, and what it has said so far. */
export interface Running {
  child: ChildProcessWithoutNullStreams
  out: string
  err: string
}

/** Runs a source file of the project, e.g. `src/simulator/main.ts`, until the test ends at the latest. */
export function startMain(file: string, args: readonly string[]): Running {
  const main = fileURLToPath(new URL(`../../${file}`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], { stdio: 'pipe' })
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
