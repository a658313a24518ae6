import { sql } from 'kysely'
import type { Db } from '../../sqlite/connection.ts'
import { EARLIER, makeMonths, makeRest, monthStart, notTruncated, serverTime } from '../message-months.ts'

/** The name of the check that PostgreSQL believes instead of reading the whole table when it is attached. */
const BOUND = 'messages_before_month'

const KEPT = 'what was issued is kept'
const ISSUED = 'what was issued is not changed'

const run = async (db: Db, statements: readonly string[]) => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The bound of the table so far; undefined before it has one. */
async function boundOf(db: Db): Promise<{ at: number; validated: boolean } | undefined> {
  const { rows } = await sql<{ at: number; validated: boolean }>`
    SELECT substring(pg_get_constraintdef(oid) FROM $$< '?([0-9]+)$$)::bigint AS at, convalidated AS validated
    FROM pg_constraint WHERE conrelid = to_regclass('messages') AND conname = ${BOUND}`.execute(db)
  return rows[0]
}

const bindTo = (db: Db, month: number) =>
  run(db, [
    `ALTER TABLE messages DROP CONSTRAINT IF EXISTS ${BOUND}`,
    `ALTER TABLE messages ADD CONSTRAINT ${BOUND} CHECK (created_at < ${month}) NOT VALID`,
  ])

/**
 * Proves that the table has only messages from before a month, in a transaction that blocks no writes. The month is
 * the next but one: until it begins, old processes write here as before.
 * @returns false when the proof is still missing
 */
async function bound(db: Db): Promise<boolean> {
  const now = await serverTime(db)
  const found = await boundOf(db)
  if (found?.validated) return true
  // Also where a change was interrupted long ago, and the month is near.
  if (!found || found.at < monthStart(now, 1)) {
    await bindTo(db, monthStart(now, 2))
    return false
  }
  await sql`SAVEPOINT proof`.execute(db)
  try {
    await run(db, [`ALTER TABLE messages VALIDATE CONSTRAINT ${BOUND}`])
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== '23514') throw error
    await sql`ROLLBACK TO SAVEPOINT proof`.execute(db)
    // The clock of a gateway was months ahead: the first partition reaches beyond its messages.
    const { rows } = await sql<{ newest: number }>`SELECT max(created_at) AS newest FROM messages`.execute(db)
    await bindTo(db, monthStart(Number(rows[0]?.newest), 1))
    return false
  }
}

/** As the table had them; the whole table's triggers hold on every partition. */
const GUARDS = [
  `CREATE TRIGGER messages_are_kept BEFORE DELETE ON messages FOR EACH ROW EXECUTE FUNCTION fiskd_refuse('${KEPT}')`,
  `CREATE TRIGGER messages_keep_what_was_said BEFORE UPDATE OF id, invoice_id, message_uuid, attempt_no, http_status,
    error_code, error_message, duration_ms, created_at ON messages FOR EACH ROW
    EXECUTE FUNCTION fiskd_refuse('${ISSUED}')`,
  `CREATE TRIGGER messages_keep_their_xml BEFORE UPDATE OF request_xml, response_xml ON messages FOR EACH ROW
    WHEN (NEW.request_xml IS NOT NULL OR NEW.response_xml IS NOT NULL)
    EXECUTE FUNCTION fiskd_refuse('archived XML is only ever removed')`,
  notTruncated('messages'),
]

/** Makes the table the first partition of one of the same name, without reading or writing one of its rows. */
async function swap(db: Db): Promise<void> {
  const month = (await boundOf(db))?.at
  await run(db, [
    // In the order in which the transactions of a sale and of a push take them.
    'LOCK TABLE messages IN ACCESS EXCLUSIVE MODE',
    'LOCK TABLE invoices IN SHARE ROW EXCLUSIVE MODE',
    ...['are_kept', 'keep_what_was_said', 'keep_their_xml'].map((name) => `DROP TRIGGER messages_${name} ON messages`),
    `ALTER TABLE messages RENAME TO ${EARLIER}`,
    ...['pkey', 'message_uuid_key', 'invoice_id_attempt_no_key'].map(
      (name) => `ALTER INDEX messages_${name} RENAME TO ${EARLIER}_${name}`,
    ),
    `CREATE TABLE messages (LIKE ${EARLIER} INCLUDING DEFAULTS) PARTITION BY RANGE (created_at)`,
    'ALTER TABLE messages ADD CONSTRAINT messages_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices (id)',
    ...GUARDS,
    `ALTER TABLE messages ATTACH PARTITION ${EARLIER} FOR VALUES FROM (MINVALUE) TO (${month})`,
    `ALTER TABLE ${EARLIER} DROP CONSTRAINT ${BOUND}`,
  ])
  await makeMonths(db, await serverTime(db))
  await makeRest(db)
}

export const messagesByMonth = { steps: [bound, swap] }
