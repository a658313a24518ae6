import { chmodSync, existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import type { Rehearsal } from '../../contract/reports/one-off.ts'
import { attempt } from '../../domain/attempt.ts'
import { NO_SEAL, sealOf } from '../../domain/sale/journal.ts'
import { NewerDatabase } from '../../store/shared/damage.ts'
import { readOrigin, refuseForeign } from '../../store/shared/database-origin.ts'
import { readKnownNumbers } from '../../store/shared/sync/known-numbers.ts'
import { quickCheck } from '../../store/sqlite/quick-check.ts'
import { readDatabase, withDatabase } from '../../store/sqlite/with-database.ts'
import { type OpenStore, openStore } from '../../store/store.ts'
import { takeInstanceLock } from '../lifecycle/instance-lock.ts'
import { databasePath, NoDatabase, refuseLost, refuseToGoBack, reportPath } from '../lifecycle/open-database.ts'
import { megabytes } from './restore-copy.ts'
import { syncPath } from './restore-swap.ts'

/** Of the schemas: the newest change of the database, and of its copy afterwards; null when it did not come to that. */
type Found = Pick<Rehearsal, 'from_schema' | 'to_schema' | 'invoices' | 'kept' | 'problems'>

export interface RehearsalPaths {
  /** An empty directory for the copy; the caller removes it. */
  dir: string
  /** File for a copy as it was before, which is a backup; it must not be there yet. */
  keep?: string | undefined
  /** What must stay free on the disk of the database, in bytes: sales go on meanwhile. */
  floorBytes?: number
}

/** All file names of a rehearsal begin with this; the process id follows. */
export const REHEARSAL_PREFIX = 'fiskd.db.rehearsal-'

/**
 * Does to a copy of a database what the next start will do to it, and looks whether it can be sold on. The database is
 * only read; whether a daemon runs on it makes no difference, and the vault key is not needed.
 */
export async function rehearse(dataDir: string, paths: RehearsalPaths, now: number): Promise<Found> {
  const { dir, keep } = paths
  const found: Found = { from_schema: null, to_schema: null, invoices: 0, kept: null, problems: [] }
  const path = databasePath(dataDir)
  try {
    if (sizeOf(path) === 0) {
      if (existsSync(dataDir)) refuseLost(dataDir)
      return found
    }
    if (existsSync(reportPath(dataDir))) throw new Error('the database was found damaged: see fisk status')
    requireRoom(path, paths)
    const copy = join(dir, 'fiskd.db')
    await copyOf(path, copy, dataDir)
    await requireSound(copy)
    if (keep !== undefined) found.kept = await keepCopy(copy, keep)
    await upgrade(copy, found, now)
  } catch (error) {
    found.problems.push(explain(error))
  }
  return found
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function requireRoom(path: string, { dir, keep, floorBytes = 0 }: RehearsalPaths): void {
  const size = sizeOf(path) + sizeOf(`${path}-wal`)
  const own = statSync(path).dev
  const wanted = new Map<number, { at: string; bytes: number }>()
  const want = (at: string, bytes: number) => {
    const { dev } = statSync(at)
    const before = wanted.get(dev)?.bytes ?? (dev === own ? floorBytes : 0)
    wanted.set(dev, { at, bytes: before + bytes })
  }
  want(dir, 2 * size)
  if (keep !== undefined) want(dirname(keep), size)
  for (const { at, bytes } of wanted.values()) {
    const { bavail, bsize } = statfsSync(at)
    if (bavail * bsize >= bytes) continue
    const room = `${megabytes(bavail * bsize)} are free and ${megabytes(bytes)} are needed`
    throw new Error(`there is no room to rehearse the upgrade in ${at}: ${room}`)
  }
}

/** Copies one consistent state: either we hold the lock and no daemon writes, or we read in a single transaction. */
async function copyOf(path: string, copy: string, dataDir: string): Promise<void> {
  using lock = attempt(() => takeInstanceLock(dataDir), undefined)
  if (!lock) return await copyInUse(path, copy)
  await copyFile(path, copy)
  if (existsSync(`${path}-wal`)) await copyFile(`${path}-wal`, `${copy}-wal`)
}

async function copyInUse(path: string, copy: string): Promise<void> {
  const source = new Database(path, { readonly: true, fileMustExist: true })
  try {
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_master').get()
    await source.backup(copy)
  } finally {
    source.close()
  }
}

/** As one file, whole and on the disk before it gets its name. */
async function keepCopy(copy: string, keep: string): Promise<string> {
  if (existsSync(keep)) throw new Error(`${keep} is there already: name another file`)
  const part = join(dirname(keep), `${REHEARSAL_PREFIX}${process.pid}.part`)
  try {
    await copyInUse(copy, part)
    // Out of WAL mode: it can be read where nothing may be written beside it.
    withDatabase(part, (database) => database.pragma('journal_mode = DELETE'))
    chmodSync(part, 0o600)
    syncPath(part)
    renameSync(part, keep)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  syncPath(dirname(keep))
  return keep
}

async function upgrade(copy: string, found: Found, now: number): Promise<void> {
  const origin = readOrigin(copy)
  found.from_schema = origin.migrations.at(-1) ?? null
  if (found.from_schema === null) throw new Error('it is no database of fiskd')
  refuseForeign(origin)
  const before = contentsOf(copy)
  found.invoices = before.invoices
  const store = await openStore(copy, now)
  try {
    found.problems.push(...(await store.care.durabilityProblems()), ...(await brokenJournals(store)))
  } finally {
    await store.close()
  }
  found.to_schema = readOrigin(copy).migrations.at(-1) ?? null
  await requireSound(copy)
  const after = contentsOf(copy)
  if (after.invoices !== before.invoices) {
    found.problems.push(`of ${before.invoices} sales the upgrade keeps ${after.invoices}`)
  }
  if (after.numbers !== before.numbers) found.problems.push('receipt numbers would not go on where they ended')
}

async function requireSound(path: string): Promise<void> {
  const problems = await quickCheck(path).problems
  if (problems.length > 0) throw new Error(`the database is damaged: ${problems.join('; ')}`)
}

function contentsOf(path: string): { invoices: number; numbers: string } {
  const { sequences, problem } = readKnownNumbers(path)
  if (problem !== null) throw new Error(`the database cannot be read: ${problem}`)
  const count = readDatabase(path, (database) => database.prepare('SELECT count(*) FROM invoices').pluck().get())
  const numbers = JSON.stringify(sequences.map((sequence) => JSON.stringify(sequence)).sort())
  return { invoices: Number(count), numbers }
}

/** The last entry of each journal follows from the one before it: the next sale is sealed on it. */
async function brokenJournals(store: OpenStore): Promise<string[]> {
  const problems: string[] = []
  for (const journal of await store.invoices.journals()) {
    const end = (await store.invoices.lastOf(journal))?.journalPosition ?? 0
    const last = await store.invoices.journal(journal, Math.max(0, end - 2), 2)
    const entry = last.at(-1)
    const before = last.length > 1 ? last[0]?.seal : NO_SEAL
    if (!entry || entry.seal !== sealOf(entry, before ?? NO_SEAL)) {
      problems.push(`the journal of ${journal.premisesCode} does not end as it should: see fisk doctor`)
    }
  }
  return problems
}

function explain(error: unknown): string {
  if (error instanceof NewerDatabase) return explain(refuseToGoBack(error))
  if (error instanceof NoDatabase) return `${error.message}; ${error.fix}`
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
