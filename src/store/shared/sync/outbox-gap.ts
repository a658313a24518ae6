import { type RawBuilder, sql } from 'kysely'
import { SYNC_KINDS, type SyncKind } from '../../../fiscal/ports/outbox.ts'
import type { Db } from '../../sqlite/connection.ts'
import { countInSlices } from '../count-in-slices.ts'

const ONLY = 1
/** Before the first row of a kind. */
const START = ''

interface Row {
  id: string
}

/** The own rows of a kind behind an id, in order. */
type Behind = (after: string) => RawBuilder<Row>

/** A table whose rows have one id. The concatenation keeps SQLite from the indexes of own rows, which have another order. */
const byId =
  (table: string): Behind =>
  (after) =>
    sql`SELECT id FROM ${sql.table(table)} WHERE id > ${after} AND gateway_id || '' = '' ORDER BY id`

const BEHIND: Record<SyncKind, Behind> = {
  company: byId('companies'),
  certificate: byId('certificates'),
  device: byId('devices'),
  invoice: byId('invoices'),
  message: (after) =>
    sql`SELECT id FROM messages WHERE id > ${after}
      AND EXISTS (SELECT 1 FROM invoices WHERE invoices.id = invoice_id AND gateway_id || '' = '') ORDER BY id`,
  print_job: (after) =>
    sql`SELECT invoice_id || '/' || copy AS id FROM print_jobs WHERE (invoice_id, copy) > ${keyOf(after)}
      AND gateway_id || '' = '' ORDER BY invoice_id, copy`,
  request: byId('authority_requests'),
  alert: byId('alerts'),
}

/** The key of a print job by its id. */
function keyOf(id: string): RawBuilder<unknown> {
  const at = id.lastIndexOf('/')
  return at === -1 ? sql`('', -1)` : sql`(${id.slice(0, at)}, CAST(${id.slice(at + 1)} AS INTEGER))`
}

/** The highest position that was ever given out. */
export async function lastPosition(db: Db): Promise<number> {
  const given = sql<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'outbox'`
  return (await given.execute(db)).rows[0]?.seq ?? 0
}

/** Notes that rows from before have no position in the outbox, or one that is older than what they are now. */
export async function openGap(db: Db): Promise<void> {
  const gap = { position: await lastPosition(db), kind: SYNC_KINDS[0], after: START }
  const insert = db.insertInto('outboxGap').values({ only: ONLY, ...gap })
  await insert.onConflict((conflict) => conflict.column('only').doUpdateSet(gap)).execute()
}

/** Gives positions to the next rows from before the enrolment that have none behind it. @returns whether every row has one */
export async function addOlder(db: Db, limit: number): Promise<boolean> {
  const gap = await db.selectFrom('outboxGap').selectAll().executeTakeFirst()
  if (!gap) return true
  const { kind, position } = gap
  const { rows } = await sql<Row>`${BEHIND[kind](gap.after)} LIMIT ${limit}`.execute(db)
  const last = rows.at(-1)
  if (last) {
    const ids = rows.map(({ id }) => id)
    await db
      .deleteFrom('outbox')
      .where('kind', '=', kind)
      .where('id', 'in', ids)
      .where('position', '<=', position)
      .execute()
    const added = db.insertInto('outbox').values(ids.map((id) => ({ kind, id })))
    await added.onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing()).execute()
  }
  if (last && rows.length === limit) {
    await db.updateTable('outboxGap').set({ after: last.id }).execute()
    return false
  }
  const next = SYNC_KINDS[SYNC_KINDS.indexOf(kind) + 1]
  if (next) await db.updateTable('outboxGap').set({ kind: next, after: START }).execute()
  else await db.deleteFrom('outboxGap').execute()
  return next === undefined
}

/** About how many rows have no position yet; never 0 while there are such rows. */
export async function countOlder(db: Db): Promise<number> {
  const gap = await db.selectFrom('outboxGap').selectAll().executeTakeFirst()
  if (!gap) return 0
  let count = 0
  for (const kind of SYNC_KINDS.slice(SYNC_KINDS.indexOf(gap.kind))) {
    const behind = BEHIND[kind]
    count += await countInSlices(
      kind === gap.kind ? gap.after : START,
      async (after, rows) => (await sql<Row>`${behind(after)} LIMIT 1 OFFSET ${rows - 1}`.execute(db)).rows[0]?.id,
      async (after) => {
        const counted = sql<{ count: number }>`SELECT count(*) AS count FROM (${behind(after)})`
        return (await counted.execute(db)).rows[0]?.count ?? 0
      },
    )
  }
  return count
}
