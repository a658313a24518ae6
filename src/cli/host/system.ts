import { accessSync, readdirSync, readFileSync } from 'node:fs'
import { attempt } from '../../domain/attempt.ts'
import { type Io, systemPaths } from '../io.ts'
import { type Ran, runProgram } from '../machine/run-program.ts'

export type Around = Pick<Io, 'env' | 'fiskd' | 'paths'>

const PATIENCE_MS = 10_000

/** Runs a program of the operating system, in English. One that is not there has the code null. */
export function ask(io: Around, program: string, ...args: string[]): Promise<Ran> {
  return runProgram(program, args, { env: { ...io.env, LC_ALL: 'C' } }, { timeout: PATIENCE_MS })
}

/** The trimmed text of a file, such as one of the kernel; empty where there is none, or it may not be read. */
export const textOf = (path: string): string => attempt(() => readFileSync(path, 'utf8').trim(), '')

/** The code of the operating system with which it refuses an access (access(2)); null where it is allowed. */
export function refusalOf(path: string, mode: number): string | null {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? null
  }
}

/** The names in a folder that are wanted; none where there is no such folder, or it may not be read. */
export const namesIn = (folder: string, wanted: RegExp): string[] =>
  attempt(() => readdirSync(folder), []).filter((name) => wanted.test(name))

export const procOf = (io: Around) => systemPaths(io).proc
export const sysOf = (io: Around) => systemPaths(io).sys
