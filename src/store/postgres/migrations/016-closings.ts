import { type Kysely, sql } from 'kysely'
import { CLOSED, INDEX, KEPT, TABLE } from '../../sqlite/migrations/013-closings.ts'
import { inTypesOfPostgres } from '../types.ts'

const refuse = (why: string) => `EXECUTE FUNCTION fiskd_refuse('${why}')`

const STATEMENTS = [
  inTypesOfPostgres(TABLE),
  INDEX,
  `CREATE TRIGGER closings_are_kept BEFORE DELETE ON closings FOR EACH ROW ${refuse(KEPT)}`,
  `CREATE TRIGGER closings_stay BEFORE UPDATE ON closings FOR EACH ROW ${refuse(CLOSED)}`,
  `CREATE TRIGGER closings_are_not_emptied BEFORE TRUNCATE ON closings FOR EACH STATEMENT ${refuse(KEPT)}`,
]

export const closings = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
