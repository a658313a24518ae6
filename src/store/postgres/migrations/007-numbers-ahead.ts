import { type Kysely, sql } from 'kysely'
import { ISSUED, isAhead, KEPT, keyChanges, lower, ONCE, TABLE } from '../../sqlite/migrations/007-numbers-ahead.ts'
import { inTypesOfPostgres } from '../types.ts'

const refuse = (why: string) => `EXECUTE FUNCTION fiskd_refuse('${why}')`

/** A trigger's own condition may ask no table there: the function asks it. */
const RULES = [
  `CREATE TRIGGER numbers_ahead_are_kept BEFORE DELETE ON numbers_ahead FOR EACH ROW ${refuse(KEPT)}`,
  `CREATE TRIGGER numbers_ahead_stay BEFORE UPDATE ON numbers_ahead FOR EACH ROW ${refuse(ISSUED)}`,
  `CREATE TRIGGER numbers_ahead_are_not_emptied BEFORE TRUNCATE ON numbers_ahead FOR EACH STATEMENT ${refuse(KEPT)}`,

  'DROP TRIGGER sequences_only_rise ON sequences',
  `CREATE FUNCTION fiskd_sequences_only_rise() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF ${keyChanges('IS DISTINCT FROM')} OR NOT ${isAhead('highest')} THEN
      RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW; END $$`,
  `CREATE TRIGGER sequences_only_rise BEFORE UPDATE ON sequences FOR EACH ROW
    WHEN (${keyChanges('IS DISTINCT FROM')} OR ${lower('highest')})
    EXECUTE FUNCTION fiskd_sequences_only_rise('${ONCE}')`,

  'DROP TRIGGER reserved_numbers_stay ON reserved_numbers',
  `CREATE FUNCTION fiskd_reserved_numbers_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF ${keyChanges('IS DISTINCT FROM', 'first', 'reserved_at')} OR NOT ${lower('last')} OR NOT ${isAhead('last')} THEN
      RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW; END $$`,
  `CREATE TRIGGER reserved_numbers_stay BEFORE UPDATE ON reserved_numbers FOR EACH ROW
    EXECUTE FUNCTION fiskd_reserved_numbers_stay('${ISSUED}')`,
]

export const numbersAhead = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [inTypesOfPostgres(TABLE), ...RULES]) await sql.raw(statement).execute(db)
  },
}
