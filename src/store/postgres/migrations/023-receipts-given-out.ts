import { type Kysely, sql } from 'kysely'
import { ENDS_AGAIN } from '../../sqlite/migrations/020-receipts-given-out.ts'

export const receiptsGivenOut = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('DROP TRIGGER print_jobs_end_once ON print_jobs').execute(db)
    await sql
      .raw(`CREATE TRIGGER print_jobs_end_once BEFORE UPDATE ON print_jobs FOR EACH ROW WHEN (${ENDS_AGAIN})
        EXECUTE FUNCTION fiskd_refuse('a print job ends once')`)
      .execute(db)
  },
}
