import { spawn } from 'node:child_process'
import { daemonProgram } from './installation.ts'
import type { Io } from './io.ts'

export interface Ended {
  /** Null when it could not be run. */
  code: number | null
  /** The JSON of its last line; undefined when that is none. */
  said: unknown
  stderr: string
}

/** Runs the daemon's program for something that it does and then ends. */
export function runFiskd(io: Pick<Io, 'fiskd' | 'env'>, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const program = io.fiskd ?? daemonProgram()
    const child = spawn(process.execPath, [program, ...args], { env: io.env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('error', (error) => resolve({ code: null, said: undefined, stderr: error.message }))
    child.once('close', (code) => resolve({ code, said: lastLine(stdout), stderr }))
  })
}

function lastLine(stdout: string): unknown {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  } catch {
    return undefined
  }
}
