import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import type { OwnProcess } from '../../fiscal/ports/own-process.ts'
import { RestoredDump } from '../shared/damage.ts'
import type { Db } from '../sqlite/connection.ts'
import { clientOptions, cutOff, isLost } from './connection.ts'
import { olderLive } from './older-processes.ts'
import { MARK } from './stored-here.ts'

/** A process that has not beaten for this long, as another one sees it, is gone. In milliseconds. */
const GONE_AFTER_MS = 8_000
/** A beat that is not answered by then says that the database is away. */
const BEAT_MS = 2_000

/** Who this process is. */
export interface Identity {
  /** The same at the next start, and of no other process: that of an earlier start is gone, then. */
  instance: string
  version: string
}

/** The row of this process. Its id is the epoch: what was held under an earlier one was taken over. */
export interface Membership extends OwnProcess {
  epoch(): number
  /** Shows that this process lives, removes those that do not, and gets a new epoch where this one was removed. */
  beat(): Promise<void>
  /** Removes the row of this process, and ends. */
  leave(): Promise<void>
}

export interface MembershipDeps {
  /** Of the database; null where another one cannot come into its place. */
  mark: string | null
  /** Called when others have taken over what this process held. */
  onNewEpoch(): void
  /** Called when a beat finds another database in the place of this one. From then on no beat succeeds. */
  onReplaced(): void
}

/**
 * Enters this process among those that use the database.
 */
export async function enterProcesses(
  url: string,
  { instance, version }: Identity,
  now: number,
  { mark, onNewEpoch, onReplaced }: MembershipDeps,
): Promise<Membership> {
  let client: pg.Client | undefined
  let epoch = 0
  /** The beats of the others, and since when they are so many, by `performance.now`. */
  let others = new Map<number, { beats: number; since: number }>()
  const listeners = new Set<() => void>()

  async function connected(): Promise<pg.Client> {
    if (client) return client
    const fresh = new pg.Client({ ...clientOptions(url), connectionTimeoutMillis: BEAT_MS })
    fresh.on('error', () => drop(fresh))
    fresh.on('end', () => drop(fresh))
    try {
      await fresh.connect()
    } catch (error) {
      drop(fresh)
      throw error
    }
    client = fresh
    return fresh
  }

  function drop(lost: pg.Client): void {
    if (client === lost) client = undefined
    // What happened before this was not watched: the others may have beaten meanwhile.
    others = new Map()
    cutOff(lost)
  }

  /** In one statement, over a connection of its own: the others may all be waiting for something. */
  async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const on = await connected()
    const patience = new AbortController()
    const silence = setTimeout(BEAT_MS, undefined, { signal: patience.signal, ref: false }).then(
      () => {
        drop(on)
        throw new Error(`no answer for ${BEAT_MS / 1000} s`)
      },
      () => [],
    )
    const answer = on.query<Row>(text, values).then(({ rows }) => rows)
    answer.catch(() => {})
    try {
      return await Promise.race([answer, silence as Promise<Row[]>])
    } catch (error) {
      drop(on)
      throw error
    } finally {
      patience.abort()
    }
  }

  /** A connection that was closed meanwhile says nothing about the database. */
  async function askTwice<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const hadOne = client !== undefined
    try {
      return await ask<Row>(text, values)
    } catch (error) {
      if (!hadOne || !isLost(error)) throw error
      return ask<Row>(text, values)
    }
  }

  async function enter(): Promise<void> {
    const [row] = await askTwice<{ id: number }>(ENTER, [instance, hostname(), process.pid, version, now])
    epoch = Number(row?.id)
  }

  /** @returns those that have been silent for too long while this process watched */
  function silent(rows: BeatRow[]): BeatRow[] {
    const seen = performance.now()
    const before = others
    others = new Map()
    for (const { id, beats } of rows) {
      const known = before.get(id)
      others.set(id, known?.beats === beats ? known : { beats, since: seen })
    }
    return rows.filter(({ id }) => seen - (others.get(id)?.since ?? seen) >= GONE_AFTER_MS)
  }

  await enter()
  return {
    epoch: () => epoch,
    async beat() {
      const rows = await askTwice<BeatRow>(BEAT, [epoch, mark])
      if (rows.some(({ is_ours }) => !is_ours)) {
        onReplaced()
        throw new RestoredDump()
      }
      if (!rows.some(({ id }) => id === epoch)) {
        await enter()
        onNewEpoch()
        return
      }
      const gone = silent(rows.filter(({ id }) => id !== epoch))
      if (gone.length === 0) return
      const removed = await ask(REMOVE, [gone.map(({ id }) => id), gone.map(({ beats }) => beats)])
      if (removed.length > 0) for (const listener of listeners) listener()
    },
    onRemoval(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async leave() {
      await ask(LEAVE, [epoch]).catch(() => {})
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}

/** @throws Error when a process shows that it lives */
export async function requireNobodyElse(db: Db): Promise<void> {
  const beats = () => db.selectFrom('processes').select(['id', 'beats']).orderBy('id').execute()
  const before = await beats()
  // The rows of a dump, and of processes that were killed, stand still.
  if (before.length > 0) await setTimeout(2 * BEAT_MS + 1_000)
  if ((await olderLive(db)) || !isDeepStrictEqual(await beats(), before)) {
    throw new Error('another fiskd uses this database: stop it first')
  }
}

interface BeatRow extends pg.QueryResultRow {
  id: number
  beats: number
  is_ours: boolean
}

/** Where a process that is gone was in the middle of storing something, its row stays until PostgreSQL has ended that. */
const ENTER = `
  WITH earlier AS (
    DELETE FROM processes WHERE id IN (SELECT id FROM processes WHERE instance = $1 FOR UPDATE SKIP LOCKED))
  INSERT INTO processes (instance, host, pid, version, started_at) VALUES ($1, $2, $3, $4, $5) RETURNING id`

/** The row of a process that was removed is missing in the answer. */
const BEAT = `
  WITH own AS (UPDATE processes SET beats = beats + 1 WHERE id = $1)
  SELECT id, beats, $2::text IS NULL OR coalesce($2 = ${MARK}, false) AS is_ours FROM processes`

const REMOVE = `
  DELETE FROM processes WHERE id IN (
    SELECT id FROM processes JOIN unnest($1::bigint[], $2::bigint[]) AS gone (id, beats) USING (id, beats)
    FOR UPDATE OF processes SKIP LOCKED)
  RETURNING id`

const LEAVE = 'DELETE FROM processes WHERE id = $1'
