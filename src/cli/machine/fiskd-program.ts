import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { type Judgement, JudgementSchema } from '../../contract/reports/one-off.ts'
import { attempt } from '../../domain/attempt.ts'
import { broken, wrongUse } from '../failure.ts'
import { daemonProgram } from '../installation.ts'
import { dataDir, type Io, systemPaths } from '../io.ts'
import { environmentFilePath, variablesIn } from './environment-file.ts'
import { runProgram } from './run-program.ts'
import { undoneBySignals } from './signals.ts'

export interface Ended {
  /** Null when it could not be run. */
  code: number | null
  /** The JSON of its last line; undefined when that is none. */
  said: unknown
  stderr: string
}

type Around = Pick<Io, 'fiskd' | 'env' | 'paths'>

/**
 * With the configuration of the service and, when root runs it, as the account that owns the data: nothing in the data
 * directory may come to belong to root.
 * @param descriptors of open files that it finds as 3, 4 and so on @throws Failure without the sealed vault key
 */
export function runFiskd(io: Around, args: readonly string[], descriptors: number[] = []): Promise<Ended> {
  const env = daemonEnvironment(io.env)
  const account = dataOwner(io.env)
  // Where the key cannot be unsealed, what needs no key must not be refused.
  const run = (credentials?: string) => {
    const keyed = { ...env, ...(credentials && { CREDENTIALS_DIRECTORY: credentials }) }
    return ended(io, args, keyed, { ...account, descriptors })
  }
  return ['--rehearse', '--prepare-image'].includes(args[0] ?? '') ? run() : withVaultKey(io, account, run)
}

/** Has the daemon judge an environment, without touching anything. */
export async function judgeConfiguration(io: Around, env: Io['env']): Promise<Judgement> {
  const { said, stderr } = await ended(io, ['--check-config'], withoutOurs(env), dataOwner(env) ?? {})
  if (said !== undefined) return reportAs(JudgementSchema, said, '--check-config')
  const problem = stderr.trim().split('\n').at(-1) || 'fiskd --check-config did not answer'
  return { ok: false, problems: [problem], unknown: [], absent: [] }
}

/** What it said, as what it has to be. @param option it was run with @throws Failure that names the field that is wrong */
export async function reportAs<S extends TSchema>(schema: S, said: unknown, option: string): Promise<Static<S>> {
  const { shaped } = await import('../daemon/shape.ts')
  return shaped(schema, said, `fiskd ${option}`)
}

/** @param option it was run with @param otherwise what came of it, and which argument exit code 2 is about */
export async function doneAs<S extends TSchema>(
  schema: S,
  { code, said, stderr }: Ended,
  option: string,
  otherwise: { said: string; param?: string },
): Promise<Static<S>> {
  if (code === 0 && said !== undefined) return reportAs(schema, said, option)
  const why = whyEnded({ code, stderr }, option)
  if (code === 2 && otherwise.param) throw wrongUse(otherwise.param, why)
  const [message = '', fix = null] = why.split('\n  what to do: ')
  throw broken('internal_error', `${otherwise.said}: ${message}`, fix)
}

/** Its last words, which begin with its name. */
export const whyEnded = ({ code, stderr }: Pick<Ended, 'code' | 'stderr'>, option: string) =>
  stderr.trim().replace(/^fiskd: /, '') || `fiskd ${option} ended with exit code ${code}`

async function ended(io: Around, args: readonly string[], env: Io['env'], spawned: object): Promise<Ended> {
  const program = [io.fiskd ?? daemonProgram(), ...args]
  const { code, stdout, stderr } = await runProgram(process.execPath, program, { env }, spawned)
  return { code, said: attempt(() => JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), undefined), stderr }
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

/** Null unless root runs `fisk` for another owner. A process of another user id keeps no groups of root (libuv). */
export function dataOwner(env: Io['env']): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const found = statSync(dataDir(daemonEnvironment(env)), { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null
}

const NAME = 'fiskd-vault-key'

/**
 * Unseals it into a directory in memory that only root and the group of `owner` may enter, as a file that only `owner`
 * may read, and removes it however the work ends, by the usual signals too.
 * @param work gets what systemd calls `$CREDENTIALS_DIRECTORY`; undefined where no key is sealed
 * @throws Failure when it cannot be unsealed
 */
async function withVaultKey<T>(
  io: Pick<Io, 'env' | 'paths'>,
  owner: ReturnType<typeof dataOwner>,
  work: (credentials: string | undefined) => Promise<T>,
): Promise<T> {
  const { sealedVaultKey, run } = systemPaths(io)
  if (!existsSync(sealedVaultKey)) return work(undefined)
  const directory = mkdtempSync(join(run, 'fiskd-key-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  try {
    return await undoneBySignals(remove, async () => {
      const file = join(directory, NAME)
      const { code, stderr } = await runProgram(
        'systemd-creds',
        ['decrypt', `--name=${NAME}`, sealedVaultKey, file],
        io,
      )
      if (code !== 0) throw sealed(sealedVaultKey, stderr)
      chmodSync(file, 0o400)
      if (owner) {
        chownSync(file, owner.uid, owner.gid)
        // The directory stays root's, which removes it: in one of its own the owner could put a link in the way.
        chmodSync(directory, 0o750)
        chownSync(directory, 0, owner.gid)
      }
      return await work(directory)
    })
  } finally {
    remove()
  }
}

function sealed(path: string, stderr: string) {
  return broken(
    'internal_error',
    `The vault key in ${path} cannot be unsealed: ${stderr.trim().split('\n').at(-1)}`,
    'Only root can do it, and only on the machine that sealed it.',
  )
}
