import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { type JournalEntry, NO_SEAL, sealText } from '../../../domain/sale/journal.ts'

const refuse = (why: string) => `BEGIN SELECT RAISE(ABORT, '${why}'); END`
const ISSUED = 'what was issued is not changed'
const KEPT = 'what was issued is kept'

const notReplaced = (table: string, key: string[], why: string) =>
  `CREATE TRIGGER ${table}_are_not_replaced BEFORE INSERT ON ${table} WHEN EXISTS (
    SELECT 1 FROM ${table} WHERE ${key.map((column) => `${column} = NEW.${column}`).join(' AND ')}) ${refuse(why)}`

const COLUMNS = [
  // The caller chose the number: the numbers it passed over were never issued.
  'ALTER TABLE invoices ADD COLUMN number_supplied INTEGER NOT NULL DEFAULT 0 CHECK (number_supplied IN (0, 1))',
  'ALTER TABLE invoices ADD COLUMN journal_position INTEGER NOT NULL DEFAULT 0',
  // SHA-256 of the entry and of the seal before it, lowercase hex.
  `ALTER TABLE invoices ADD COLUMN seal TEXT NOT NULL DEFAULT ''`,

  // XML is gzip, and NULL where it was not kept for want of room or is no longer kept.
  `CREATE TABLE messages_zipped (
    id TEXT PRIMARY KEY,
    invoice_id TEXT NOT NULL REFERENCES invoices (id),
    message_uuid TEXT NOT NULL UNIQUE,
    attempt_no INTEGER NOT NULL,
    http_status INTEGER,
    error_code TEXT,
    error_message TEXT,
    duration_ms INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    request_xml BLOB,
    response_xml BLOB,
    UNIQUE (invoice_id, attempt_no)
  ) STRICT`,
]

const RULES = [
  'DROP TABLE messages',
  'ALTER TABLE messages_zipped RENAME TO messages',
  // Numbers can be put out of use before their company is there again.
  `CREATE TABLE sequences_of_any (
    company_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    register TEXT NOT NULL,
    highest TEXT NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register)
  ) STRICT, WITHOUT ROWID`,
  'INSERT INTO sequences_of_any SELECT company_id, mode, premises_code, year, register, highest FROM sequences',
  'DROP TABLE sequences',
  'ALTER TABLE sequences_of_any RENAME TO sequences',
  'CREATE UNIQUE INDEX invoices_journal ON invoices (company_id, mode, premises_code, journal_position)',

  `CREATE TRIGGER invoices_are_kept BEFORE DELETE ON invoices ${refuse(KEPT)}`,
  `CREATE TRIGGER invoices_keep_what_was_issued BEFORE UPDATE OF id, tenant_id, company_id, device_id, certificate_id,
    mode, zki, premises_code, year, sequence_register, number, number_supplied, occurred_at_text, occurred_at, document,
    deadline_at, created_at, journal_position, seal ON invoices ${refuse(ISSUED)}`,
  `CREATE TRIGGER invoices_keep_their_outcome BEFORE UPDATE ON invoices WHEN OLD.status IN ('confirmed', 'expired')
    ${refuse('a confirmed or expired invoice is final')}`,
  `CREATE TRIGGER messages_are_kept BEFORE DELETE ON messages ${refuse(KEPT)}`,
  `CREATE TRIGGER messages_keep_what_was_said BEFORE UPDATE OF id, invoice_id, message_uuid, attempt_no, http_status,
    error_code, error_message, duration_ms, created_at ON messages ${refuse(ISSUED)}`,
  `CREATE TRIGGER messages_keep_their_xml BEFORE UPDATE OF request_xml, response_xml ON messages
    WHEN NEW.request_xml IS NOT NULL OR NEW.response_xml IS NOT NULL ${refuse('archived XML is only ever removed')}`,
  `CREATE TRIGGER sequences_are_kept BEFORE DELETE ON sequences ${refuse(KEPT)}`,
  `CREATE TRIGGER sequences_only_rise BEFORE UPDATE ON sequences
    WHEN length(NEW.highest) < length(OLD.highest)
      OR (length(NEW.highest) = length(OLD.highest) AND NEW.highest < OLD.highest)
      OR (NEW.company_id, NEW.mode, NEW.premises_code, NEW.year, NEW.register)
        IS NOT (OLD.company_id, OLD.mode, OLD.premises_code, OLD.year, OLD.register)
    ${refuse('a receipt number is given out once')}`,

  `CREATE TRIGGER sequences_are_not_replaced BEFORE INSERT ON sequences WHEN EXISTS (
    SELECT 1 FROM sequences WHERE (company_id, mode, premises_code, year, register)
        = (NEW.company_id, NEW.mode, NEW.premises_code, NEW.year, NEW.register)
      AND (length(highest) > length(NEW.highest)
        OR (length(highest) = length(NEW.highest) AND highest > NEW.highest)))
    ${refuse('a receipt number is given out once')}`,
  `CREATE TRIGGER numbering_levels_are_kept BEFORE DELETE ON numbering_levels ${refuse(KEPT)}`,
  `CREATE TRIGGER numbering_levels_stay BEFORE UPDATE ON numbering_levels ${refuse(ISSUED)}`,

  // Numbers that a restored backup cannot know to be unused: they are never given out.
  `CREATE TABLE reserved_numbers (
    company_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    register TEXT NOT NULL,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    used_to TEXT,
    reserved_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register, first)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TRIGGER reserved_numbers_are_kept BEFORE DELETE ON reserved_numbers ${refuse(KEPT)}`,
  `CREATE TRIGGER reserved_numbers_stay BEFORE UPDATE ON reserved_numbers ${refuse(ISSUED)}`,

  // INSERT OR REPLACE deletes and updates without asking the triggers of either.
  notReplaced('invoices', ['id'], ISSUED),
  notReplaced('messages', ['id'], ISSUED),
  notReplaced('numbering_levels', ['company_id', 'mode', 'premises_code', 'year'], ISSUED),
  notReplaced('reserved_numbers', ['company_id', 'mode', 'premises_code', 'year', 'register', 'first'], ISSUED),
  notReplaced('audit_log', ['id'], 'the audit log is only added to'),

  `CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
]

/** The journal's seals and rules, zipped archives, reserved numbers, leases. */
export const trust = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of COLUMNS) await sql.raw(statement).execute(db)
    await sealWhatIsThere(db as Kysely<Before>)
    await zipWhatIsThere(db as Kysely<Before>)
    for (const statement of RULES) await sql.raw(statement).execute(db)
  },
}

interface Before {
  invoices: Omit<JournalEntry, 'document' | 'receipt' | 'numberSupplied'> & {
    document: string
    premisesCode: string
    seal: string
  }
  messages: { id: string; requestXml: string; responseXml: string | null }
  messagesZipped: { id: string; requestXml: Buffer; responseXml: Buffer | null }
}

/** In the order in which it was issued; who chose a number was not written down, and is not made up. */
async function sealWhatIsThere(db: Kysely<Before>): Promise<void> {
  const journals = new Map<string, { position: number; seal: string }>()
  let last: { createdAt: number; id: string } | undefined
  for (;;) {
    let query = db.selectFrom('invoices').selectAll().orderBy('createdAt').orderBy('id').limit(500)
    if (last) {
      const { createdAt, id } = last
      query = query.where((eb) => eb(eb.refTuple('createdAt', 'id'), '>', eb.tuple(createdAt, id)))
    }
    const batch = await query.execute()
    for (const row of batch) {
      const key = JSON.stringify([row.companyId, row.mode, row.premisesCode])
      const before = journals.get(key) ?? { position: 0, seal: NO_SEAL }
      const journalPosition = before.position + 1
      const entry = {
        ...row,
        document: JSON.parse(row.document),
        receipt: null,
        numberSupplied: false,
        journalPosition,
      }
      const seal = createHash('sha256').update(sealText(entry, before.seal)).digest('hex')
      await db.updateTable('invoices').set({ journalPosition, seal }).where('id', '=', row.id).execute()
      journals.set(key, { position: journalPosition, seal })
    }
    last = batch.at(-1)
    if (!last) return
  }
}

async function zipWhatIsThere(db: Kysely<Before>): Promise<void> {
  for (let last = ''; ; ) {
    const query = db.selectFrom('messages').selectAll().where('id', '>', last).orderBy('id').limit(500)
    const batch = await query.execute()
    for (const row of batch) {
      const requestXml = gzipSync(row.requestXml)
      const responseXml = row.responseXml === null ? null : gzipSync(row.responseXml)
      await db
        .insertInto('messagesZipped')
        .values({ ...row, requestXml, responseXml })
        .execute()
    }
    const end = batch.at(-1)
    if (!end) return
    last = end.id
  }
}
