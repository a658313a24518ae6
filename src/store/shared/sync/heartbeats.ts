import { sql } from 'kysely'
import type { EpochMs } from '../../../domain/instant.ts'
import type { Heartbeat } from '../../../fiscal/ports/gateways.ts'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres } from '../queries.ts'
import { writtenOnce } from '../written-once.ts'

/** @returns the gateways that another transaction is changing */
export async function noteHeartbeats(
  db: Db,
  heartbeats: ReadonlyMap<string, Heartbeat>,
  at: EpochMs,
): Promise<string[]> {
  const ids = [...heartbeats.keys()]
  const texts = [...heartbeats.values()].map((heartbeat) => JSON.stringify(heartbeat))
  const { rows } = isPostgres(db)
    ? await writeOnPostgres(db, ids, texts, at)
    : await writeOnSqlite(db, JSON.stringify(ids.map((id, index) => [id, texts[index]])), at)
  const stored = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !stored.has(id))
}

/**
 * Rows that a push has locked are left out: a batch that waited for one of them would make its other gateways' pushes
 * wait, too, while the process of that push is frozen. The disk is not waited for: the next poll repeats what was lost.
 */
const writeOnPostgres = writtenOnce(
  (_db, ids: string[], texts: string[], at: EpochMs) => sql<{ id: string }>`
    WITH said AS MATERIALIZED (
      SELECT gateways.id, batch.heartbeat, set_config('synchronous_commit', 'off', true) AS disk
      FROM unnest(${ids}::text[], ${texts}::text[]) AS batch (id, heartbeat) JOIN gateways USING (id)
      FOR NO KEY UPDATE OF gateways SKIP LOCKED)
    UPDATE gateways SET last_seen_at = ${at}, reported_at = ${at}, heartbeat = said.heartbeat
    FROM said WHERE gateways.id = said.id AND said.disk = 'off' RETURNING gateways.id`,
)

const writeOnSqlite = writtenOnce(
  (_db, batch: string, at: EpochMs) => sql<{ id: string }>`
    UPDATE gateways SET last_seen_at = ${at}, reported_at = ${at}, heartbeat = said.heartbeat
    FROM (SELECT value ->> 0 AS id, value ->> 1 AS heartbeat FROM json_each(${batch})) AS said
    WHERE gateways.id = said.id RETURNING gateways.id`,
)

/** Beyond this many gateways all are forgotten. */
const MOST = 10_000

const known = new Map<string, { text: string; heartbeat: Heartbeat }>()

/** Parses the heartbeat of a gateway, each text once: a list of all gateways is read far more often than they report. */
export function parsedHeartbeat(gatewayId: string, text: string | null): Heartbeat | null {
  if (text === null) return null
  const before = known.get(gatewayId)
  if (before?.text === text) return before.heartbeat
  if (known.size >= MOST) known.clear()
  const heartbeat = JSON.parse(text) as Heartbeat
  known.set(gatewayId, { text, heartbeat })
  return heartbeat
}
