import { type Kysely, sql } from 'kysely'
import { OUTBOX_GAP } from '../../sqlite/migrations/023-less-written.ts'
import { inTypesOfPostgres } from '../types.ts'

/** The table stays empty, as the outbox does: both are a gateway's. */
export const outboxGap = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(inTypesOfPostgres(OUTBOX_GAP)).execute(db)
  },
}
