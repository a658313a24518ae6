import { existsSync, statSync } from 'node:fs'
import type { Static, TSchema } from 'typebox'
import { type Judgement, JudgementSchema } from '../../contract/reports/judgement.ts'
import { daemonProgram } from '../installation.ts'
import { dataDir, type Io } from '../io.ts'
import { environmentFilePath, variablesIn } from './environment-file.ts'
import { runProgram } from './run-program.ts'
import { type Account, withVaultKey } from './vault-credential.ts'

export interface Ended {
  /** Null when it could not be run. */
  code: number | null
  /** The JSON of its last line; undefined when that is none. */
  said: unknown
  stderr: string
}

type Around = Pick<Io, 'fiskd' | 'env' | 'paths'>

/**
 * Runs the daemon's program for something that it does and then ends, with the configuration of the service and, when
 * root runs it, as the account that owns the data: nothing in the data directory may come to belong to root.
 * @param descriptors of open files that it finds as 3, 4 and so on
 * @throws Failure when the sealed vault key cannot be had
 */
export function runFiskd(io: Around, args: readonly string[], descriptors: number[] = []): Promise<Ended> {
  const env = daemonEnvironment(io.env)
  const account = dataOwner(io.env)
  // Where the key cannot be unsealed, what needs no key must not be refused.
  if (['--rehearse', '--prepare-image'].includes(args[0] ?? ''))
    return ended(io, args, env, { ...account, descriptors })
  return withVaultKey(io, account, (credentials) =>
    ended(
      io,
      args,
      { ...env, ...(credentials && { CREDENTIALS_DIRECTORY: credentials }) },
      { ...account, descriptors },
    ),
  )
}

/** Has the daemon judge an environment, without touching anything. */
export async function judgeConfiguration(io: Around, env: Io['env']): Promise<Judgement> {
  const { said, stderr } = await ended(io, ['--check-config'], withoutOurs(env), dataOwner(env) ?? {})
  if (said !== undefined) return reportAs(JudgementSchema, said, '--check-config')
  return {
    ok: false,
    problems: [stderr.trim().split('\n').at(-1) || 'fiskd --check-config did not answer'],
    unknown: [],
    absent: [],
  }
}

/** Only what is wrong with it. */
export async function configurationProblems(io: Around, env: Io['env']): Promise<string[]> {
  return (await judgeConfiguration(io, env)).problems
}

/** What it said, as what it has to be. @param option it was run with @throws Failure that names the field that is wrong */
export async function reportAs<S extends TSchema>(schema: S, said: unknown, option: string): Promise<Static<S>> {
  const { shaped } = await import('../daemon/shape.ts')
  return shaped(schema, said, `fiskd ${option}`)
}

async function ended(io: Around, args: readonly string[], env: Io['env'], spawned: object): Promise<Ended> {
  const program = [io.fiskd ?? daemonProgram(), ...args]
  const { code, stdout, stderr } = await runProgram(process.execPath, program, { env }, spawned)
  return { code, said: lastLine(stdout), stderr }
}

/** As the service has it; what stands in the environment of `fisk` counts more. */
export function daemonEnvironment(env: Io['env']): Io['env'] {
  return withoutOurs({ ...variablesIn(environmentFilePath(env)), ...env })
}

/** As the service has it; only where it has no file, as `fisk` has it. */
export function serviceEnvironment(env: Io['env']): Io['env'] {
  const path = environmentFilePath(env)
  return existsSync(path) ? variablesIn(path) : withoutOurs(env)
}

/** The daemon would take it for a variable of its own that is misspelt. */
function withoutOurs({ FISKD_ENV_FILE: _, ...env }: Io['env']): Io['env'] {
  return env
}

/**
 * The owner of the data directory if root runs `fisk` and the owner is not root; else null. A process that is started
 * with another user id keeps no groups of root: libuv clears them.
 */
export function dataOwner(env: Io['env']): Account | null {
  if (process.getuid?.() !== 0) return null
  const found = statSync(dataDir(daemonEnvironment(env)), { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

function lastLine(stdout: string): unknown {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  } catch {
    return undefined
  }
}
