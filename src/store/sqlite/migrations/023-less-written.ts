import { type Kysely, sql } from 'kysely'

const IS_OURS = `NEW.gateway_id = ''`
const BOTH = ['INSERT', 'UPDATE'] as const

interface Noted {
  table: string
  kind: string
  id?: string
  isOurs?: string
  events?: readonly ('INSERT' | 'UPDATE')[]
}

/** What the triggers of the outbox are about. */
const NOTED: readonly Noted[] = [
  { table: 'companies', kind: 'company' },
  { table: 'certificates', kind: 'certificate' },
  { table: 'devices', kind: 'device' },
  { table: 'invoices', kind: 'invoice' },
  {
    table: 'messages',
    kind: 'message',
    isOurs: `EXISTS (SELECT 1 FROM invoices WHERE id = NEW.invoice_id AND gateway_id = '')`,
    events: ['INSERT'],
  },
  { table: 'print_jobs', kind: 'print_job', id: `NEW.invoice_id || '/' || NEW.copy` },
  { table: 'alerts', kind: 'alert' },
]

const NAMES = { INSERT: 'note_what_is_new', UPDATE: 'note_what_changes' }

/** A change is noted only where somebody is to be told of it: noting costs a fifth of what a sale writes. */
const TRIGGERS = NOTED.flatMap(({ table, kind, id = 'NEW.id', isOurs = IS_OURS, events = BOTH }) =>
  events.flatMap((event) => [
    `DROP TRIGGER ${table}_${NAMES[event]}`,
    `CREATE TRIGGER ${table}_${NAMES[event]} AFTER ${event} ON ${table}
      WHEN EXISTS (SELECT 1 FROM sync_enrolment) AND ${isOurs} BEGIN
        DELETE FROM outbox WHERE kind = '${kind}' AND id = ${id};
        INSERT INTO outbox (kind, id) VALUES ('${kind}', ${id});
      END`,
  ]),
)

/**
 * Which rows from before an enrolment have no place in the outbox yet: those of this kind behind this id, and those of all
 * later kinds. What has a place up to the mark may have changed since, and gets another one. PostgreSQL has it in its own
 * types.
 */
export const OUTBOX_GAP = `CREATE TABLE outbox_gap (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    mark INTEGER NOT NULL,
    kind TEXT NOT NULL,
    after TEXT NOT NULL
  ) STRICT`

const STATEMENTS = [OUTBOX_GAP, ...TRIGGERS, 'DELETE FROM outbox WHERE NOT EXISTS (SELECT 1 FROM sync_enrolment)']

/** Without a server, a sale writes nothing into the outbox. */
export const lessWritten = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
