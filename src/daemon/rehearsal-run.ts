import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { NEWEST_SCHEMA } from '../store/migrate.ts'
import { ConfigError, readConfig } from './config.ts'
import { rehearse } from './rehearse.ts'
import { databasePath } from './sound-database.ts'
import { VERSION } from './version.ts'

/** What `fiskd --rehearse` prints. */
interface Rehearsal {
  ok: boolean
  version: string
  from_schema: string | null
  to_schema: string
  /** The schema changes: an older program does not take the database any more. */
  migrates: boolean
  invoices: number
  seconds: number
  kept: string | null
  problems: string[]
}

const KEEP = { keep: { type: 'string' } } as const
const NAME = 'fiskd.db.rehearsal-'

/**
 * Rehearses the upgrade of the configured data directory, and prints one line of JSON about it. Nothing of it stays,
 * however it ends. It is done as the user whose database it is: nothing beside it may belong to somebody else.
 * @param args `[DIR] [--keep FILE]`: where the copy is made, the data directory when left out; where a backup is kept
 * @returns the exit code: 0 when the next start can sell, 1 when not
 */
export async function rehearseAndTell(args: readonly string[]): Promise<number> {
  const started = performance.now()
  const tell = (found: Partial<Rehearsal> & { problems: string[] }) => {
    const seconds = Math.round((performance.now() - started) / 10) / 100
    const ok = found.problems.length === 0
    const { from_schema: from = null, to_schema: to = NEWEST_SCHEMA } = found
    const schemas = { from_schema: from, to_schema: to, migrates: from !== null && from !== to }
    const whole = { ok, version: VERSION, ...schemas, invoices: 0, seconds, kept: null, ...found }
    process.stdout.write(`${JSON.stringify(whole satisfies Rehearsal)}\n`)
    return ok ? 0 : 1
  }
  let dir: string | undefined
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: KEEP, allowPositionals: true })
    const [place, ...more] = positionals
    if (more.length > 0) throw new Error('one directory at most: fiskd --rehearse [DIR] [--keep FILE]')
    const keep = values.keep === undefined ? undefined : resolve(values.keep)
    const { dataDir } = readConfig(process.env)
    if (!existsSync(dataDir)) return tell({ problems: [] })
    becomeOwnerOf(dataDir)
    dir = makePlace(resolve(place ?? dataDir))
    const { fromSchema, toSchema, ...found } = await rehearse(dataDir, dir, Date.now(), keep)
    return tell({ from_schema: fromSchema, to_schema: toSchema, ...found })
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [(error as Error).message]
    return tell({ problems })
  } finally {
    if (dir !== undefined) rmSync(dir, { recursive: true, force: true })
  }
}

function becomeOwnerOf(dataDir: string): void {
  const path = databasePath(dataDir)
  const { uid, gid } = statSync(existsSync(path) ? path : dataDir)
  if (process.getuid?.() !== 0 || uid === 0) return
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/** An empty directory that is gone with this process; what killed ones have left is removed, too. */
function makePlace(parent: string): string {
  const dir = join(parent, `${NAME}${process.pid}`)
  for (const name of readdirSync(parent)) {
    if (name.startsWith(NAME) && !isAlive(Number(name.slice(NAME.length)))) remove(join(parent, name))
  }
  mkdirSync(dir, { mode: 0o700 })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      remove(dir)
      process.exit(1)
    })
  }
  return dir
}

const remove = (dir: string) => rmSync(dir, { recursive: true, force: true })

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
