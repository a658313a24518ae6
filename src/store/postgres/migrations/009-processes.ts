import { type Kysely, sql } from 'kysely'
import { inTypesOfPostgres } from '../types.ts'

/**
 * What several processes on one database need, and SQLite does not. A process that is no longer there is removed, and
 * with it all it held.
 */
const STATEMENTS = [
  `CREATE TABLE processes (
    id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    instance TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    version TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    beats INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE claims (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    process INTEGER NOT NULL REFERENCES processes (id) ON DELETE CASCADE,
    PRIMARY KEY (name, key)
  )`,
  'CREATE INDEX claims_by_process ON claims (process)',
  // The end of the journal of a premises. Its row is locked by the sale that takes the next number there.
  `CREATE TABLE journals (
    company_id TEXT NOT NULL REFERENCES companies (id),
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    position INTEGER NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code)
  )`,
  // Processes of fiskd 1.0 do not know of journals; they number beside this release until the upgrade is over.
  `CREATE FUNCTION fiskd_move_journal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE journals SET position = NEW.journal_position, seal = NEW.seal
    WHERE company_id = NEW.company_id AND mode = NEW.mode AND premises_code = NEW.premises_code
      AND position < NEW.journal_position;
    RETURN NULL; END $$`,
  `CREATE TRIGGER invoices_move_their_journal AFTER INSERT ON invoices FOR EACH ROW WHEN (NEW.gateway_id = '')
    EXECUTE FUNCTION fiskd_move_journal()`,
  // Each sale changes these rows in place.
  'ALTER TABLE journals SET (fillfactor = 20)',
  'ALTER TABLE sequences SET (fillfactor = 20)',
]

export const processes = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(inTypesOfPostgres(statement)).execute(db)
  },
}
