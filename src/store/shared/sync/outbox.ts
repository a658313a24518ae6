import { sql } from 'kysely'
import type { OutboxEntry, SyncRecord } from '../../../fiscal/ports/outbox.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { countInSlices } from '../count-in-slices.ts'
import { byKind } from './enrolment.ts'
import { countOlder, lastPlace, placeOlder } from './outbox-gap.ts'
import { readRows } from './outbox-rows.ts'

export function outbox(db: Db): StoreTransaction['outbox'] {
  const entries = () => db.selectFrom('outbox').select(['seq', 'kind', 'id'])

  async function of(places: Parameters<StoreTransaction['outbox']['of']>[0]): Promise<OutboxEntry[]> {
    const found: OutboxEntry[] = []
    for (const [kind, ids] of byKind(places)) {
      found.push(...(await entries().where('kind', '=', kind).where('id', 'in', ids).execute()))
    }
    return found
  }

  return {
    of,
    after: (seq, limit) => entries().where('seq', '>', seq).orderBy('seq').limit(limit).execute(),
    placeOlder: (limit) => placeOlder(db, limit),
    async waiting(seq) {
      // First, so that a row that gets its place meanwhile is counted twice and not never.
      const older = await countOlder(db)
      const noted = await countInSlices(
        seq,
        async (after, rows) => {
          const passed = entries()
            .where('seq', '>', after)
            .orderBy('seq')
            .offset(rows - 1)
          return (await passed.limit(1).executeTakeFirst())?.seq
        },
        async (after) => {
          const behind = db.selectFrom('outbox').where('seq', '>', after)
          const counted = behind.select((eb) => eb.fn.countAll<number>().as('count'))
          return (await counted.executeTakeFirstOrThrow()).count
        },
      )
      return older + noted
    },
    last: () => lastPlace(db),
    async goBeyond(seq) {
      const { rows } = await sql`SELECT 1 FROM sqlite_sequence WHERE name = 'outbox'`.execute(db)
      const raised = sql`UPDATE sqlite_sequence SET seq = max(seq, ${seq}) WHERE name = 'outbox'`
      await (rows.length > 0 ? raised : sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ${seq})`).execute(
        db,
      )
    },
    async beginAnew() {
      await sql`UPDATE outbox_gap SET mark = (SELECT count(*) FROM outbox WHERE seq <= mark)`.execute(db)
      // Uses negative places first, so that two rows never have the same place.
      await sql`UPDATE outbox SET seq = -ranked.place
        FROM (SELECT seq AS old, row_number() OVER (ORDER BY seq) AS place FROM outbox) AS ranked
        WHERE outbox.seq = ranked.old`.execute(db)
      await sql`UPDATE outbox SET seq = -seq`.execute(db)
      await sql`UPDATE sqlite_sequence SET seq = (SELECT count(*) FROM outbox) WHERE name = 'outbox'`.execute(db)
    },
    async touch(places) {
      const inOrder = (await of(places)).sort((one, other) => one.seq - other.seq)
      for (const [kind, ids] of byKind(inOrder)) {
        await db.deleteFrom('outbox').where('kind', '=', kind).where('id', 'in', ids).execute()
      }
      for (let start = 0; start < inOrder.length; start += ROWS) {
        const rows = inOrder.slice(start, start + ROWS).map(({ kind, id }) => ({ kind, id }))
        await db.insertInto('outbox').values(rows).execute()
      }
    },
    async read(wanted, tenantId) {
      const records: SyncRecord[] = []
      for (const [kind, ids] of byKind(wanted)) records.push(...(await readRows[kind](db, ids, tenantId)))
      return records
    },
  }
}

const ROWS = 200
