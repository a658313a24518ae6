import { setTimeout } from 'node:timers/promises'
import { type Migration, sql } from 'kysely'
import { metaFacts } from '../shared/meta.ts'
import type { Db } from '../sqlite/connection.ts'
import { readCommitted } from './connection.ts'
import { kindOf } from './server-faults.ts'

/**
 * A part of a schema change in its own transaction, which must not hold a lock for long: other processes go on.
 * @returns false when it has to run again, in the next transaction
 */
type Work = (...trx: Parameters<Migration['up']>) => Promise<unknown>

/** An index that is built without blocking writes, outside of any transaction. */
export interface ConcurrentIndex {
  index: string
  table: string
  unique?: boolean
  /** What follows the table's name: the columns in parentheses, and a WHERE. */
  on: string
}

/** A schema change: one transaction, or several steps, which a crash may separate. */
export type SchemaChange = { up: Work } | { steps: readonly (Work | ConcurrentIndex)[] } | Contraction

/**
 * Takes away what the release before needs. It is put off while processes of another version use the database: the
 * program and the changes after it must work with and without it.
 */
export interface Contraction {
  up: Work
  contracts: true
}

export const stepsOf = (change: SchemaChange) => ('up' in change ? [change.up] : change.steps)

export interface ChangeTimes {
  /** How long a statement waits for a lock: this long sales may wait behind it. Less than `deadlock_timeout` (1 s). */
  lockMs: number
  pauseMs: number
  /** After so many attempts without the lock the start fails. */
  attempts: number
}

const TIMES: ChangeTimes = { lockMs: 800, pauseMs: 1_000, attempts: 120 }

/** Key in `meta`: the change that is under way and how many of its steps are done. */
const STEP = 'schema_step'

/** Held by the transaction of each step. */
const MIGRATING = '3853314791062309107'

interface Order {
  /** Version of this program: a contraction waits for processes of any other one. */
  program?: string | undefined
  times?: ChangeTimes
}

/**
 * Applies the missing changes in order. Any number of processes may do so at once, and be killed at any moment: a step and
 * its note are one transaction. @returns the contractions that were put off
 */
export async function applyChanges(
  db: Db,
  changes: Readonly<Record<string, SchemaChange>>,
  { program, times = TIMES }: Order = {},
): Promise<string[]> {
  const putOff = new Set<string>()
  let missed = 0
  for (;;) {
    try {
      const next = await readCommitted(db, (trx) => nextStep(trx, changes, putOff, program, times))
      if (next === 'done') return [...putOff]
      if (next === 'busy') await pause(times.pauseMs / 10)
      else if (next !== 'again') await build(db, next)
      missed = 0
    } catch (error) {
      if (!lackedALock(error) || ++missed === times.attempts) throw error
      await pause(times.pauseMs)
    }
  }
}

const pause = (ms: number) => setTimeout(ms * (0.5 + Math.random()))

/** A lock that was not given within `lock_timeout`, or a deadlock. */
const lackedALock = (error: unknown) => kindOf((error as Error).cause) === 'busy'

/** So that others wait for this transaction only briefly while it waits for a lock. */
const waitBriefly = (trx: Db, ms = TIMES.lockMs) => sql`SET LOCAL lock_timeout = ${sql.lit(ms)}`.execute(trx)

type Next = 'done' | 'again' | 'busy' | ConcurrentIndex

async function nextStep(
  trx: Db,
  changes: Readonly<Record<string, SchemaChange>>,
  putOff: Set<string>,
  program: string | undefined,
  times: ChangeTimes,
): Promise<Next> {
  await waitBriefly(trx, times.lockMs)
  // Another process may be in a step of minutes; its transaction ends with it, whatever happens to it.
  if (!(await isTrue(trx, sql`pg_try_advisory_xact_lock(${MIGRATING}::bigint)`))) return 'busy'
  if (!(await isThere(trx, 'kysely_migration'))) {
    await sql`CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)`.execute(
      trx,
    )
  }
  const applied = await appliedChanges(trx)
  const [name, change] = Object.entries(changes).find(([name]) => !applied.includes(name) && !putOff.has(name)) ?? []
  if (!name || !change) return 'done'
  const begun = await stepBegun(trx, name)
  if ('contracts' in change && (!(await isTrue(trx, OWNS)) || (await othersLive(trx, program)))) {
    putOff.add(name)
    return 'again'
  }
  const steps = stepsOf(change)
  const step = steps[begun]
  if (typeof step === 'function') {
    if ((await step(trx)) === false) return 'again'
  } else if (step && (await isValid(trx, step.index)) !== true) {
    return step
  }
  await note(trx, name, begun + 1, steps.length)
  return 'again'
}

export async function appliedChanges(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => name)
}

async function stepBegun(trx: Db, name: string): Promise<number> {
  if (!(await isThere(trx, 'meta'))) return 0
  const [change, step] = (await metaFacts(trx).get(STEP))?.toString().split(' ') ?? []
  return change === name ? Number(step) : 0
}

async function note(trx: Db, name: string, done: number, of: number): Promise<void> {
  if (done < of) {
    await metaFacts(trx).put(STEP, Buffer.from(`${name} ${done}`))
    return
  }
  const at = new Date().toISOString()
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES (${name}, ${at})`.execute(trx)
  if (of > 1) await metaFacts(trx).remove(STEP)
}

async function othersLive(trx: Db, program = ''): Promise<boolean> {
  // A process that adds its row meanwhile waits, and then sees that the schema is newer than it knows.
  await sql`LOCK TABLE processes IN SHARE MODE`.execute(trx)
  return isTrue(trx, sql`EXISTS (SELECT 1 FROM processes WHERE version <> ${program})`)
}

/** Builds an index, or waits for its builder. What a killed process left of it is dropped: it would never be used. */
async function build(db: Db, wanted: ConcurrentIndex): Promise<void> {
  const { index, table } = wanted
  if ((await isValid(db, index)) === false && !(await dropped(db, index, table))) return pause(TIMES.pauseMs)
  await create(db, 'CONCURRENTLY IF NOT EXISTS', wanted)
}

/** @returns false while another process builds it: a builder holds this lock of the table from beginning to end */
async function dropped(db: Db, index: string, table: string): Promise<boolean> {
  const work = async (trx: Db) => {
    await waitBriefly(trx)
    await sql`LOCK TABLE ${sql.table(table)} IN SHARE UPDATE EXCLUSIVE MODE`.execute(trx)
    if ((await isValid(trx, index)) === false) await sql`DROP INDEX ${sql.ref(index)}`.execute(trx)
  }
  return db
    .transaction()
    .execute(work)
    .then(() => true)
    .catch((error: unknown) => {
      if (!lackedALock(error)) throw error
      return false
    })
}

/** The same index in a transaction, for a schema without rows. */
export const buildAtOnce = (trx: Db, wanted: ConcurrentIndex): Promise<void> => create(trx, '', wanted)

async function create(db: Db, how: string, { index, table, unique, on }: ConcurrentIndex): Promise<void> {
  const kind = sql.raw(`${unique ? 'UNIQUE INDEX' : 'INDEX'} ${how}`)
  await sql`CREATE ${kind} ${sql.ref(index)} ON ${sql.table(table)} ${sql.raw(on)}`.execute(db)
}

/** @returns undefined when there is no such index, false when it was not built to its end */
async function isValid(db: Db, index: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(${index})`.execute(db)
  return rows[0]?.valid
}

export const isThere = (db: Db, table: string) => isTrue(db, sql`to_regclass(${table}) IS NOT NULL`)

/** A role with rows only leaves what is not needed to the others. */
const OWNS = sql`(SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'kysely_migration'::regclass)`

async function isTrue(db: Db, condition: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql<{ said: boolean }>`SELECT ${condition} AS said`.execute(db)
  return rows[0]?.said === true
}
