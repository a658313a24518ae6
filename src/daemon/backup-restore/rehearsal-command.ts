import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Rehearsal } from '../../contract/reports/one-off.ts'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import { ConfigError, readConfig } from '../config.ts'
import { becomeOwnerOf } from '../lifecycle/data-dir.ts'
import { databasePath } from '../lifecycle/open-database.ts'
import { VERSION } from '../version.ts'
import { REHEARSAL_PREFIX, rehearse } from './rehearse-upgrade.ts'
import { parsed, WrongUse } from './restore-arguments.ts'

const NOT_REHEARSED = 'the database is PostgreSQL: make a dump with pg_dump before an upgrade'

const KEEP = { keep: { type: 'string' } } as const
const USAGE = '\nusage: fiskd --rehearse [DIR] [--keep FILE]'

/**
 * Prints one line of JSON. Runs as the owner of the data directory, so that no file in it gets another owner.
 * @param args `[DIR] [--keep FILE]`: where the copy is made, the data directory when left out; where a backup is kept
 * @returns the exit code: 0 when the next start can sell, 1 when not @throws WrongUse
 */
export async function rehearseAndTell(args: readonly string[]): Promise<number> {
  const started = performance.now()
  const order = readOrder(args)
  const where: Pick<Rehearsal, 'data_dir' | 'database'> = { data_dir: null, database: null }
  const tell = (found: Partial<Rehearsal> & { problems: string[] }) => {
    const seconds = Math.round((performance.now() - started) / 10) / 100
    const ok = found.problems.length === 0
    const { from_schema = null, to_schema = null } = found
    const migrates = from_schema !== null && to_schema !== null && from_schema !== to_schema
    const schemas = { from_schema, to_schema, migrates }
    const nothing = { invoices: 0, seconds, kept: null, not_rehearsed: null }
    const whole: Rehearsal = { ok, version: VERSION, ...schemas, ...nothing, ...where, ...found }
    process.stdout.write(`${JSON.stringify(whole)}\n`)
    return ok ? 0 : 1
  }
  let directories: string[] = []
  try {
    const { dataDir, databaseUrl, diskFloorBytes: floorBytes } = readConfig(process.env)
    where.data_dir = dataDir
    if (databaseUrl !== null) {
      where.database = describeDatabaseUrl(databaseUrl)
      return tell({ problems: [], not_rehearsed: NOT_REHEARSED })
    }
    becomeOwnerOf(dataDir)
    requireDirectories(order)
    if (!existsSync(dataDir)) return tell({ problems: [] })
    const path = databasePath(dataDir)
    where.database = existsSync(path) ? path : null
    const { directory = dataDir, keep } = order
    directories = [directory, ...(keep === undefined ? [] : [dirname(keep)])]
    const dir = makeDirectory(directory, directories)
    return tell(await rehearse(dataDir, { dir, keep, floorBytes }, Date.now()))
  } catch (error) {
    if (error instanceof WrongUse) throw error
    const problems = error instanceof ConfigError ? error.problems : [(error as Error).message]
    return tell({ problems })
  } finally {
    tidy(directories)
  }
}

interface Order {
  directory?: string
  keep?: string
}

function readOrder(args: readonly string[]): Order {
  const { values, positionals } = parsed(args, KEEP, USAGE)
  const [directory, ...more] = positionals
  if (more.length > 0) throw new WrongUse(`name one directory at most${USAGE}`)
  return { ...(directory && { directory: resolve(directory) }), ...(values.keep && { keep: resolve(values.keep) }) }
}

function requireDirectories({ directory, keep }: Order): void {
  if (keep !== undefined && existsSync(keep)) throw new WrongUse(`${keep} is there already: name another file`)
  for (const dir of [directory, keep && dirname(keep)]) if (dir !== undefined) requireWritable(dir)
}

function requireWritable(dir: string): void {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw new WrongUse(`there is no directory ${dir}`)
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
  } catch {
    throw new WrongUse(`the owner of the data directory may not write to ${dir}`)
  }
}

/** An empty directory; nothing stays in these directories when the process is asked to end. */
function makeDirectory(parent: string, directories: readonly string[]): string {
  process.umask(0o077)
  tidy(directories)
  const dir = join(parent, `${REHEARSAL_PREFIX}${process.pid}`)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      tidy(directories)
      process.exit(1)
    })
  }
  // After the handlers: a signal from here on removes the directory.
  mkdirSync(dir)
  return dir
}

function tidy(directories: readonly string[]): void {
  for (const directory of directories) {
    for (const name of readdirSync(directory)) {
      const isOurs =
        name.startsWith(REHEARSAL_PREFIX) && !isAlive(Number.parseInt(name.slice(REHEARSAL_PREFIX.length), 10))
      if (isOurs) rmSync(join(directory, name), { recursive: true, force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
