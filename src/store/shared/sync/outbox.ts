import { sql } from 'kysely'
import { slices } from '../../../domain/slices.ts'
import type { OutboxEntry, SyncRecord } from '../../../fiscal/ports/outbox.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { countInSlices } from '../count-in-slices.ts'
import { countOf } from '../queries.ts'
import { byKind } from './enrolment.ts'
import { addOlder, countOlder, lastPosition } from './outbox-gap.ts'
import { readRows } from './outbox-rows.ts'

export function outbox(db: Db): StoreTransaction['outbox'] {
  const entries = () => db.selectFrom('outbox').select(['position', 'kind', 'id'])

  async function of(keys: Parameters<StoreTransaction['outbox']['of']>[0]): Promise<OutboxEntry[]> {
    const found: OutboxEntry[] = []
    for (const [kind, ids] of byKind(keys)) {
      found.push(...(await entries().where('kind', '=', kind).where('id', 'in', ids).execute()))
    }
    return found
  }

  return {
    of,
    after: (position, limit) => entries().where('position', '>', position).orderBy('position').limit(limit).execute(),
    addOlder: (limit) => addOlder(db, limit),
    async waiting(position) {
      // First, so that a row that gets its position meanwhile is counted twice and not never.
      const older = await countOlder(db)
      const noted = await countInSlices(
        position,
        async (after, rows) => {
          const passed = entries()
            .where('position', '>', after)
            .orderBy('position')
            .offset(rows - 1)
          return (await passed.limit(1).executeTakeFirst())?.position
        },
        (after) => db.selectFrom('outbox').where('position', '>', after).$call(countOf),
      )
      return older + noted
    },
    last: () => lastPosition(db),
    async goBeyond(position) {
      const { rows } = await sql`SELECT 1 FROM sqlite_sequence WHERE name = 'outbox'`.execute(db)
      const raised = sql`UPDATE sqlite_sequence SET seq = max(seq, ${position}) WHERE name = 'outbox'`
      await (rows.length > 0
        ? raised
        : sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ${position})`
      ).execute(db)
    },
    async beginAnew() {
      await sql`UPDATE outbox_gap SET position = (SELECT count(*) FROM outbox WHERE outbox.position <= outbox_gap.position)`.execute(
        db,
      )
      // Uses negative positions first, so that two rows never have the same position.
      await sql`UPDATE outbox SET position = -ranked.new
        FROM (SELECT position AS old, row_number() OVER (ORDER BY position) AS new FROM outbox) AS ranked
        WHERE outbox.position = ranked.old`.execute(db)
      await sql`UPDATE outbox SET position = -position`.execute(db)
      await sql`UPDATE sqlite_sequence SET seq = (SELECT count(*) FROM outbox) WHERE name = 'outbox'`.execute(db)
    },
    async touch(keys) {
      const inOrder = (await of(keys)).sort((one, other) => one.position - other.position)
      for (const [kind, ids] of byKind(inOrder)) {
        await db.deleteFrom('outbox').where('kind', '=', kind).where('id', 'in', ids).execute()
      }
      const rows = inOrder.map(({ kind, id }) => ({ kind, id }))
      for (const some of slices(rows, ROWS)) await db.insertInto('outbox').values(some).execute()
    },
    async read(wanted, tenantId) {
      const records: SyncRecord[] = []
      for (const [kind, ids] of byKind(wanted)) records.push(...(await readRows[kind](db, ids, tenantId)))
      return records
    },
  }
}

const ROWS = 200
