import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type pg from 'pg'
import type { OwnProcess } from '../../fiscal/ports/store.ts'
import { RestoredDump } from '../shared/damage.ts'
import { BEHIND } from '../shared/issued.ts'
import type { Db } from '../sqlite/connection.ts'
import { BEAT_MS, beatConnection } from './beat-connection.ts'
import { CURRENT_ERA, type Era, eraOf, lockEra, MARK, MARK_COMPARED, STORED_ERA, storeEra } from './era.ts'
import { LAST_STOP, noteLastStop } from './last-stop.ts'

/** A process that has not beaten for this long, as another one sees it, is gone. In milliseconds. */
const GONE_AFTER_MS = 8_000
/** A process that has not heard of the database for this long may be gone for others; in milliseconds. */
export const CURRENT_MS = 6_000

/** How often a database that lacks sales is compared again; in milliseconds. */
const AGAIN_MS = 30_000

export interface Identity {
  /** The same at the next start, and of no other process: that of an earlier start is gone, then. */
  instance: string
  version: string
}

/** What a sale shows of its process: where the database knows less of it, nothing is stored. */
export interface Standing {
  process: number
  beats: number
  /** Null while this process may not sell. */
  era: string | null
}

export interface MembershipDeps {
  /** Of the database; null where another one cannot come into its place. */
  mark: string | null
  /** Called when others have taken over what this process held. */
  onNewEpoch(): void
  /** Called when a beat finds another database in the place of this one. From then on no beat succeeds. */
  onReplaced(): void
  /** Called at each beat that finds a premises whose journal lacks sales. */
  onBehind(): void
}

/** The row of this process. Its id is the epoch: what was held under an earlier one was taken over. */
export async function enterProcesses(
  url: string,
  { instance, version }: Identity,
  now: number,
  { mark, onNewEpoch, onReplaced, onBehind }: MembershipDeps,
) {
  const listeners = new Set<() => void>()
  let epoch = 0
  /** At least so many of its beats are stored. */
  let beats = 0
  /** When the latest beat began that was answered. */
  let lastBeat = performance.now()
  let compare: ((trx: Db) => Promise<void>) | undefined
  let mustCompare = true
  let comparedAt = Number.NEGATIVE_INFINITY
  /** In which this process has compared. */
  let era: Era | undefined
  let lived: ProcessRow[] = []
  /** Those that are there now, and since when each of them has beaten so often, by `performance.now`. */
  let others = new Map<number, Watched>()
  /** Since when this process waits until each of them has beaten. Only where they have compared, too, their beats count. */
  let waitsSince: number | undefined

  function watchAnew(): void {
    others = new Map()
    if (waitsSince !== undefined) waitsSince = performance.now()
  }

  // What happened before this was not watched: the others may have beaten meanwhile.
  const connection = beatConnection(url, watchAnew)

  async function enter(): Promise<void> {
    const row = [instance, hostname(), process.pid, version, now, mark]
    const [entered] = await connection.askTwice<{ id: number }>(ENTER, row)
    epoch = Number(entered?.id)
    beats = 0
  }

  async function look(): Promise<Look> {
    const [seen] = await connection.askTwice<Look>(BEAT, [epoch, instance, era?.id ?? null, mark])
    if (!seen) throw new Error('a beat has no answer')
    if (seen.is_ours) return seen
    onReplaced()
    throw new RestoredDump()
  }

  const own = ({ processes }: Look) => processes.find((row) => row.id === epoch && row.instance === instance)
  const hasGoneBack = (seen: Look) => (own(seen)?.beats ?? 0) < beats

  async function compareNow(seen: Look, issued: (trx: Db) => Promise<void>): Promise<void> {
    const before = era?.id
    era = await connection.transaction(async (trx) => {
      await sql.raw(LIMIT_LOCKS).execute(trx)
      const { stored, incarnation } = await lockEra(trx)
      const agreed = eraOf(incarnation, stored, era, hasGoneBack(seen))
      if (agreed !== stored) await storeEra(trx, agreed)
      // Waits for sales that were let through in the era before. None of them waits for this transaction.
      await sql`LOCK TABLE journals IN SHARE MODE`.execute(trx)
      if (!agreed.isCompared) await putBack(trx, lived)
      await issued(trx)
      return agreed
    })
    if (era.id !== before) beats = 0
    mustCompare = false
    comparedAt = performance.now()
    if (era.id !== before && !era.isCompared) waitForOthers()
  }

  function waitForOthers(): void {
    waitsSince = performance.now()
    watchAnew()
  }

  function watch(rows: readonly ProcessRow[]): void {
    const now = performance.now()
    const before = others
    others = new Map()
    for (const { id, beats } of rows) {
      const known = before.get(id)
      others.set(id, known?.beats === beats ? known : { beats, since: now, hasBeaten: known !== undefined })
    }
  }

  async function remove(silent: readonly ProcessRow[]): Promise<void> {
    if (silent.length === 0) return
    const removed = await connection.ask(REMOVE, [silent.map(({ id }) => id), silent.map(({ beats }) => beats)])
    if (removed.length > 0) for (const listener of listeners) listener()
  }

  /** @throws Error while one of them may know of sales that this database has lost */
  function requireBeats(rows: readonly ProcessRow[]): void {
    if (waitsSince === undefined) return
    const silent = rows.filter(({ id }) => !others.get(id)?.hasBeaten)
    if (silent.length > 0 && performance.now() - waitsSince < GONE_AFTER_MS) {
      const names = silent.map(({ host, pid }) => `${pid} on ${host}`)
      throw new Error(`the other processes have not compared yet what they have issued: ${names.join(', ')}`)
    }
    waitsSince = undefined
  }

  await enter()
  return {
    epoch: () => epoch,
    standing(): Standing {
      const isCurrent = waitsSince === undefined && !mustCompare && performance.now() - lastBeat < CURRENT_MS
      return { process: epoch, beats, era: isCurrent && era ? era.id : null }
    },
    /** Shows that this process lives, removes those that do not, and gets a new epoch where this one was removed. */
    async beat(): Promise<void> {
      const began = performance.now()
      let seen = await look()
      if (!own(seen)) {
        await enter()
        mustCompare = true
        onNewEpoch()
        seen = await look()
      }
      // It may have missed an era in another database, which the others have seen.
      const missed = began - lastBeat > CURRENT_MS ? era?.id : undefined
      const isDoubtful = mustCompare || seen.current !== era?.id || hasGoneBack(seen)
      // What it lacked may have been stored again, or its numbers taken out of use, by another process.
      const mayHaveMended = seen.is_behind && performance.now() - comparedAt > AGAIN_MS
      if (compare && (isDoubtful || mayHaveMended)) {
        await compareNow(seen, compare)
        seen = await look()
      }
      if (missed !== undefined && missed === era?.id) waitForOthers()
      if (era && seen.current !== era.id) throw new Error('it changes while this process compares what it has issued')
      lastBeat = began
      if (era) beats = (own(seen)?.beats ?? 0) + 1
      const rows = seen.processes.filter(({ id }) => id !== epoch)
      watch(rows)
      await remove(rows.filter(({ id }) => performance.now() - (others.get(id)?.since ?? began) >= GONE_AFTER_MS))
      requireBeats(rows)
      lived = rows
      if (seen.is_behind) onBehind()
      if (era && !seen.is_compared) await connection.ask(MARK_COMPARED, [era.id])
    },
    /**
     * The next beat compares what this process has issued with the database, as each one does in a new era, or under a new
     * epoch. Until then this process sells nothing, and its beats do not count.
     * @param issued may run several times
     */
    compareWith(issued: (trx: Db) => Promise<void>): void {
      compare = issued
      mustCompare = true
    },
    hasCompared: () => !mustCompare,
    tryToInsert: () => connection.ask(TRIAL, []),
    /** The next beat compares once more, and this process goes on selling. */
    compareAgain(): void {
      comparedAt = Number.NEGATIVE_INFINITY
    },
    /** The next beat connects again: what connects now may reach another database than what is connected. */
    reconnect: connection.drop,
    onRemoval(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async leave(): Promise<void> {
      // Of several that stop at once, the last one sees that the rows of all are gone.
      const left = connection.ask(LEAVE, [epoch])
      await left.then(() => connection.ask(NOTE_LAST_STOP, [new Date().toISOString(), mark])).catch(() => {})
      await connection.end()
    },
  } satisfies OwnProcess & Record<string, unknown>
}

/** @throws Error when a process shows that it lives */
export async function requireNobodyElse(db: Db): Promise<void> {
  const beats = () => db.selectFrom('processes').select(['id', 'beats']).orderBy('id').execute()
  const before = await beats()
  // The rows of a dump, and of processes that were killed, stand still.
  if (before.length > 0) await setTimeout(2 * BEAT_MS + 1_000)
  if (!isDeepStrictEqual(await beats(), before)) {
    throw new Error('another fiskd uses this database: stop it first')
  }
}

interface Watched {
  beats: number
  since: number
  /** Since this process has watched it. */
  hasBeaten: boolean
}

interface ProcessRow {
  id: number
  instance: string
  host: string
  pid: number
  version: string
  started_at: number
  beats: number
}

interface Look extends pg.QueryResultRow {
  processes: ProcessRow[]
  current: string | null
  is_compared: boolean | null
  is_behind: boolean
  is_ours: boolean
}

/**
 * Where a process that is gone was in the middle of storing something, its row stays until PostgreSQL has ended that. From
 * now on something may be sold. What only opens a dump has no mark, and sells nothing.
 */
const ENTER = `
  WITH earlier AS (
    DELETE FROM processes WHERE id IN (SELECT id FROM processes WHERE instance = $1 FOR UPDATE SKIP LOCKED)),
  noted AS (DELETE FROM meta WHERE key = '${LAST_STOP}' AND $6 = ${MARK})
  INSERT INTO processes (instance, host, pid, version, started_at) VALUES ($1, $2, $3, $4, $5) RETURNING id`

/** The row of a process that was removed is missing in the answer. Only in the era in which it has compared a beat counts. */
const BEAT = `
  WITH era AS MATERIALIZED (SELECT ${CURRENT_ERA} AS current),
    own AS (UPDATE processes SET beats = beats + 1 FROM era WHERE id = $1 AND instance = $2 AND current = $3)
  SELECT coalesce(json_agg(processes), '[]') AS processes, (SELECT current FROM era) AS current,
    (${STORED_ERA} ->> 'isCompared')::boolean AS is_compared,
    EXISTS (SELECT 1 FROM meta WHERE starts_with(key, '${BEHIND} ')) AS is_behind, $4::text IS NULL OR coalesce($4 = ${MARK}, false) AS is_ours
  FROM processes`

/** A statement that waits for longer would outlive its connection, and others would wait for it. */
const LIMIT_LOCKS = `SET LOCAL lock_timeout = ${BEAT_MS - 500}`

/** A process that entered last may be among what the database has lost: others wait for it, too. */
const putBack = (trx: Db, lived: readonly ProcessRow[]) =>
  sql`
    INSERT INTO processes (instance, host, pid, version, started_at)
    SELECT instance, host, pid, version, started_at
    FROM jsonb_to_recordset(${JSON.stringify(lived)}::jsonb)
      AS lived (instance text, host text, pid bigint, version text, started_at bigint)
    WHERE instance NOT IN (SELECT instance FROM processes)`.execute(trx)

const REMOVE = `
  DELETE FROM processes WHERE id IN (
    SELECT id FROM processes JOIN unnest($1::bigint[], $2::bigint[]) AS gone (id, beats) USING (id, beats)
    FOR UPDATE OF processes SKIP LOCKED)
  RETURNING id`

/**
 * Needs new pages, which a full disk refuses while it lets rows be changed in place. The inner block is rolled back. Random
 * bytes cannot be compressed.
 */
const TRIAL = `
  DO $$ BEGIN
    INSERT INTO meta (key, value)
    SELECT 'trial ' || gen_random_uuid(), string_agg(sha512(random()::text::bytea), '') FROM generate_series(1, 1024);
    RAISE EXCEPTION 'undone' USING ERRCODE = 'FISKD';
  EXCEPTION WHEN SQLSTATE 'FISKD' THEN NULL; END $$`

const LEAVE = 'DELETE FROM processes WHERE id = $1'
const NOTE_LAST_STOP = noteLastStop(MARK)
