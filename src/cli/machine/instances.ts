import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Io } from '../io.ts'
import { environmentFilePath, variablesIn } from './environment-file.ts'

export type Instance = ReturnType<typeof instanceOf>

/** The processes of this machine, by their environment files; none where `fiskd.service` runs fiskd. */
export function instancesOf(env: Io['env']): Instance[] {
  const folder = dirname(environmentFilePath(env))
  const names = existsSync(folder) ? readdirSync(folder) : []
  const numbers = names.flatMap((name) => Number(/^fiskd@([1-9]\d*)\.env$/.exec(name)?.[1] ?? Number.NaN) || [])
  return numbers.sort((one, other) => one - other).map((number) => instanceOf(env, number))
}

/** @param number from 1 */
export function instanceOf(env: Io['env'], number: number) {
  const unit = `fiskd@${number}`
  // Its own environment file, beside the one of all.
  const file = join(dirname(environmentFilePath(env)), `${unit}.env`)
  return { number, unit, file, socket: variablesIn(file).FISKD_SOCKET || `/run/fiskd/${number}/fiskd.sock` }
}

/** The first process that runs, else the first one; null where there is none. */
export function instanceToAsk(env: Io['env']): Instance | null {
  const all = instancesOf(env)
  return all.find(({ socket }) => existsSync(socket)) ?? all[0] ?? null
}

/** The unit of the service that a command is about: that of the process it asks. */
export function unitOf(env: Io['env'], socketPath: string): string {
  return instancesOf(env).find(({ socket }) => socket === socketPath)?.unit ?? 'fiskd'
}
