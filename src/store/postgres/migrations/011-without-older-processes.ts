import { type Kysely, sql } from 'kysely'
import type { Contraction } from '../schema-change.ts'

/** Takes away what only processes of fiskd 1.0 needed. */
const STATEMENTS = [
  'DROP TRIGGER invoices_move_their_journal ON invoices',
  'DROP FUNCTION fiskd_move_journal()',
  'DROP TABLE IF EXISTS kysely_migration_lock',
]

export const withoutOlderProcesses: Contraction = {
  contracts: true,
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
