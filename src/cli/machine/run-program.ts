import { type SpawnOptions, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Io } from '../io.ts'

export interface Ran {
  /** Null when it could not be run or took too long. */
  code: number | null
  stdout: string
  stderr: string
}

/** @param more how it is spawned besides; descriptors of `stdio` from the fourth on are handed over */
export function runProgram(
  program: string,
  args: readonly string[],
  io: Pick<Io, 'env'>,
  { descriptors = [], ...more }: Pick<SpawnOptions, 'uid' | 'gid' | 'timeout'> & { descriptors?: number[] } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const ran: Ran = { code: null, stdout: '', stderr: '' }
    const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe', ...descriptors]
    const child = spawn(program, args, { ...more, env: io.env, stdio })
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = child[name] as Readable
      stream.setEncoding('utf8').on('data', (text: string) => {
        ran[name] += text
      })
    }
    child.once('error', (error) => resolve({ ...ran, stderr: error.message }))
    child.once('close', (code) => resolve({ ...ran, code }))
  })
}
