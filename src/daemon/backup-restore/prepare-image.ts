import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { ImagePrepared } from '../../contract/reports/one-off.ts'
import { type SalesToKeep, salesToKeep } from '../../store/sqlite/sales-to-keep.ts'
import type { Config } from '../config.ts'
import { claimDataDir } from '../lifecycle/data-dir.ts'
import { numbersIssued } from '../lifecycle/issued-file.ts'
import { databasePath, flushLog, refuseLost } from '../lifecycle/open-database.ts'
import { locksOf, syncPath } from './restore-swap.ts'
import { setAsideBefore } from './set-aside.ts'

/**
 * Removes everything from the data directory but the trust bundles, which are the same on every machine.
 * @param remove false: only says what would be removed
 * @throws Error when fiskd runs, or there are, or may be, sales that must not be deleted; nothing has been removed then
 */
export async function prepareImage(config: Config, remove: boolean): Promise<ImagePrepared> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== null) throw new Error('this server keeps its sales in PostgreSQL: an image is made of a gateway')
  if (!existsSync(dataDir)) throw new Error(`there is no data directory ${dataDir}; see FISKD_DATA_DIR`)
  using _lock = await claimDataDir(dataDir)
  const path = databasePath(dataDir)
  const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (!isThere) refuseLost(dataDir)
  for (const one of isThere ? [path, ...setAsideBefore(path)] : []) requireNoSales(one)
  await requireNoneIssued(dataDir)
  const names = readdirSync(dataDir).sort()
  const kept = names.filter((name) => isKept(join(dataDir, name), config))
  const removed = names.filter((name) => !kept.includes(name))
  if (remove) removeAll(dataDir, removed, path)
  return { data_dir: dataDir, removed, kept, done: remove }
}

function isKept(path: string, { dataDir, trustPaths }: Config): boolean {
  const leadsTo = (file: string) => relative(path, file).split(sep)[0] !== '..'
  const isTrust = path === join(dataDir, 'trust') || Object.values(trustPaths).some(({ base }) => leadsTo(base))
  // The first one is there where the data directory is a disk of its own.
  return isTrust || [join(dataDir, 'lost+found'), ...locksOf(dataDir)].includes(path)
}

/** The database goes last: after a power cut before that, the command can look into it again. */
function removeAll(dataDir: string, names: readonly string[], database: string): void {
  flushLog(database)
  for (const name of names.filter((one) => join(dataDir, one) !== database)) {
    rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  syncPath(dataDir)
  rmSync(database, { force: true })
  syncPath(dataDir)
}

/** The database may be older than what was sold. */
async function requireNoneIssued(dataDir: string): Promise<void> {
  for (const { path, problem, levels } of await numbersIssued(dataDir)) {
    const live = levels.filter(({ mode }) => mode === 'live').length
    if (live > 0)
      throw new Error(`${path} knows live sales (${live} or more): make the image on a machine that never sold`)
    if (problem !== null) throw new Error(`${path}: ${problem}; it may know sales: move it out of the data directory`)
  }
}

function requireNoSales(path: string): void {
  let found: SalesToKeep
  try {
    found = salesToKeep(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} cannot be read (${why}), and may hold sales: move it out of the data directory`)
  }
  const { live, withoutJir, untold } = found
  const reasons = [
    ...(live > 0 ? [`live sales (${live})`] : []),
    ...(withoutJir > 0 ? [`sales without a JIR (${withoutJir})`] : []),
    ...(untold > 0 ? [`sales that the central server does not have (${untold})`] : []),
  ]
  if (reasons.length === 0) return
  throw new Error(`${path} holds ${reasons.join(', ')}: make the image on a machine that never sold`)
}
