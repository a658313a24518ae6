import { type Kysely, sql } from 'kysely'

const ENDED = `('printed', 'unconfirmed', 'failed', 'expired')`

/** An original that expired before its first byte may still be given out, once. PostgreSQL has the same condition. */
export const ENDS_AGAIN = `OLD.status IN ${ENDED} AND NOT (OLD.status = 'expired' AND OLD.begun_at IS NULL AND
  OLD.copy = 0 AND NEW.status = 'unconfirmed' AND NEW.begun_at IS NOT NULL)`

/** Receipts that are given out over `/v1`. */
export const receiptsGivenOut = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('DROP TRIGGER print_jobs_end_once').execute(db)
    await sql
      .raw(`CREATE TRIGGER print_jobs_end_once BEFORE UPDATE ON print_jobs WHEN ${ENDS_AGAIN}
        BEGIN SELECT RAISE(ABORT, 'a print job ends once'); END`)
      .execute(db)
  },
}
