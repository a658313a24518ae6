import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { FiskError } from '../../domain/errors.ts'
import type { ReplicaState } from '../../fiscal/ports/database-maintenance.ts'
import type { Reading, StoreTransaction } from '../../fiscal/ports/store.ts'
import { describePostgresUrl } from '../database-url.ts'
import type { Db } from '../sqlite/connection.ts'
import { clientOptions } from './connection.ts'
import { openPool } from './pool.ts'
import { watchReach } from './reach.ts'

/** How long a read waits for the replica to have what the primary has, and how often it looks; in milliseconds. */
const PATIENCE_MS = 300
const LOOK_AGAIN_MS = 10
/** How long the primary answers after a read that the replica could not answer. */
const REST_MS = 3_000
/** An unanswered beat says after this time that the replica is away. */
const BEAT_MS = 1_000

/** Nobody waits for a replica to come back: the primary answers. */
const TIMES = { beatMs: 2_000, againMs: 2_000, hangMs: 500, patienceMs: 0 }

export interface Replica {
  reading(): Reading
  /** Without a password. */
  address: string
  state(): Promise<ReplicaState>
  close(): Promise<void>
}

export interface ReplicaDeps {
  url: string
  primary: Db
  rowsOn(db: Db): StoreTransaction
}

/**
 * Reads from a streaming replica what it has at least as new as the primary, and everything else from the primary. It
 * may be away, also when this is called.
 */
export async function openReplica({ url, primary, rowsOn }: ReplicaDeps): Promise<Replica> {
  const pool = openPool(url, { here: () => reach.here(), suspect: () => reach.suspect(), onTrouble: () => {} })
  const beats = createBeats(url)
  const reach = watchReach({ beat: beats.beat, waitsSince: pool.waitsSince, cut: pool.cut }, TIMES)
  let reason = ''
  reach.onAway((why) => {
    reason = why
  })
  await reach.look()
  let restsUntil = 0

  /** In a transaction: over another connection the same address might lead to another replica. */
  const onReplica = <T>(work: (trx: Db) => Promise<T>) =>
    pool.db.transaction().setIsolationLevel('read committed').setAccessMode('read only').execute(work)

  function reading(): Reading {
    let position: Promise<Position> | undefined
    return async (work) => {
      const onPrimary = () => work(rowsOn(primary))
      if (reach.isAway() || performance.now() < restsUntil) return onPrimary()
      position ??= positionOf(primary)
      const wanted = await position
      try {
        return await onReplica(async (trx) => {
          if (!(await comesTo(trx, wanted))) throw new Error('it is behind')
          return work(rowsOn(trx))
        })
      } catch (error) {
        // It has seen what the primary would see.
        if (error instanceof FiskError) throw error
        restsUntil = performance.now() + REST_MS
        return onPrimary()
      }
    }
  }

  async function state(): Promise<ReplicaState> {
    if (reach.isAway()) return { isRead: false, reason }
    try {
      const wanted = await positionOf(primary)
      return await onReplica(async (trx) => {
        const isRead = await comesTo(trx, wanted)
        const lagMs = await lagOf(trx, wanted)
        return isRead ? { isRead, lagMs } : { isRead, reason: `it is ${(lagMs / 1000).toFixed(1)} s behind` }
      })
    } catch (error) {
      return { isRead: false, reason: (error as Error).message }
    }
  }

  return {
    reading,
    address: describePostgresUrl(url),
    state,
    async close() {
      await reach.close()
      beats.close()
      await pool.db.destroy()
    },
  }
}

/** How far the primary's log is on its disk: all that was confirmed to anybody lies before. */
interface Position {
  system: string
  timeline: string
  lsn: string
}

async function positionOf(primary: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
      lower(left(pg_walfile_name(lsn), 8)) AS timeline, lsn::text AS lsn
    FROM pg_current_wal_flush_lsn() AS lsn`.execute(primary)
  return rows[0] as Position
}

/**
 * Waits for a moment until the replica has what lies before the position.
 * @returns false when it does not soon
 * @throws Error when it is no replica of this primary
 */
async function comesTo(replica: Db, { system, timeline, lsn }: Position): Promise<boolean> {
  for (const until = performance.now() + PATIENCE_MS; ; await setTimeout(LOOK_AGAIN_MS)) {
    // The timeline is that of the last checkpoint, so a replica that follows a new primary is read some minutes later.
    const { rows } = await sql<{ isStandby: boolean; isSame: boolean; follows: boolean; hasIt: boolean }>`
      SELECT pg_is_in_recovery() AS is_standby,
        (SELECT system_identifier::text FROM pg_control_system()) = ${system} AS is_same,
        (SELECT lpad(to_hex(timeline_id), 8, '0') FROM pg_control_checkpoint()) = ${timeline} AS follows,
        coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) AS has_it`.execute(replica)
    const [{ isStandby, isSame, follows, hasIt } = { isStandby: false, isSame: false, follows: false, hasIt: false }] =
      rows
    if (!isStandby) throw new Error('it is no standby')
    if (!isSame) throw new Error('it is a standby of another database')
    if (!follows) throw new Error('it has not followed the primary since the last failover')
    if (hasIt) return true
    if (performance.now() > until) return false
  }
}

/** How old the last transaction is that it has, while it lacks a later one. */
async function lagOf(replica: Db, { lsn }: Position): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    SELECT CASE WHEN pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn THEN 0
      ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000 END::float8 AS ms`.execute(
    replica,
  )
  return Math.max(0, rows[0]?.ms ?? 0)
}

/** Asks over a connection of its own: the others may all be waiting for something. */
function createBeats(url: string) {
  let client: pg.Client | undefined

  function drop(lost: pg.Client): void {
    if (client === lost) client = undefined
    ;(lost as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }

  return {
    async beat(): Promise<void> {
      const on =
        client ?? new pg.Client({ ...clientOptions(url), connectionTimeoutMillis: BEAT_MS, query_timeout: BEAT_MS })
      try {
        if (on !== client) {
          on.on('error', () => drop(on))
          await on.connect()
          client = on
        }
        await on.query('SELECT 1')
      } catch (error) {
        drop(on)
        throw error
      }
    },
    close(): void {
      if (client) drop(client)
    },
  }
}
