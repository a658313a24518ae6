import { readFileSync } from 'node:fs'
import { type Io, systemPaths } from '../io.ts'
import { type Ran, runProgram } from '../machine/run-program.ts'

/** What the host checks know of the outer world. */
export type Around = Pick<Io, 'env' | 'fiskd' | 'paths'>

const PATIENCE_MS = 10_000

/** Runs a program of the operating system, in English. One that is not there has the code null. */
export function ask(io: Around, program: string, ...args: string[]): Promise<Ran> {
  return runProgram(program, args, { env: { ...io.env, LC_ALL: 'C' } }, { timeout: PATIENCE_MS })
}

/** The trimmed text of a file of the kernel; undefined when this machine has none or keeps it to itself. */
export function told(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

export const procOf = (io: Around) => systemPaths(io).proc
export const sysOf = (io: Around) => systemPaths(io).sys
