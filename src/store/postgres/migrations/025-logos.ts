import { type Kysely, sql } from 'kysely'
import { LOGOS_ARE_KEPT, TABLES } from '../../sqlite/migrations/022-logos.ts'
import { inTypesOfPostgres } from '../types.ts'

export const logos = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of TABLES) await sql.raw(inTypesOfPostgres(statement)).execute(db)
    const guards = ['DELETE', 'UPDATE'].map(
      (event) => `CREATE TRIGGER logos_keep_on_${event.toLowerCase()} BEFORE ${event} ON logos
        FOR EACH ROW EXECUTE FUNCTION fiskd_refuse('${LOGOS_ARE_KEPT}')`,
    )
    for (const guard of guards) await sql.raw(guard).execute(db)
  },
}
