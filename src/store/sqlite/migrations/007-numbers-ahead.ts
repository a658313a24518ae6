import { type Kysely, sql } from 'kysely'

export const KEPT = 'what was issued is kept'
export const ISSUED = 'what was issued is not changed'
export const ONCE = 'a receipt number is given out once'

/** PostgreSQL has it in its own types. */
export const TABLE = `CREATE TABLE numbers_ahead (
    company_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    year INTEGER NOT NULL,
    register TEXT NOT NULL,
    number TEXT NOT NULL,
    -- Of the sale that has it; NULL where a database has it that is not here any more.
    invoice_id TEXT,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (company_id, mode, premises_code, year, register, number)
  ) STRICT, WITHOUT ROWID`

const SAME_SEQUENCE = `company_id = OLD.company_id AND mode = OLD.mode AND premises_code = OLD.premises_code
  AND year = OLD.year AND register = OLD.register`

/** Where a sequence falls, or a range of reserved numbers ends earlier, the number that it ended at is passed over. */
export const isAhead = (column: string) =>
  `EXISTS (SELECT 1 FROM numbers_ahead WHERE ${SAME_SEQUENCE} AND number = OLD.${column})`

export const lower = (column: string) =>
  `(length(NEW.${column}) < length(OLD.${column})
    OR (length(NEW.${column}) = length(OLD.${column}) AND NEW.${column} < OLD.${column}))`

/** @param differ of the dialect: `IS NOT`, or `IS DISTINCT FROM` */
export const keyChanges = (differ: string, ...columns: string[]) => {
  const all = ['company_id', 'mode', 'premises_code', 'year', 'register', ...columns]
  return `(${all.map((column) => `NEW.${column} ${differ} OLD.${column}`).join(' OR ')})`
}

const refuse = (why: string) => `BEGIN SELECT RAISE(ABORT, '${why}'); END`

const STATEMENTS = [
  TABLE,
  `CREATE TRIGGER numbers_ahead_are_kept BEFORE DELETE ON numbers_ahead ${refuse(KEPT)}`,
  `CREATE TRIGGER numbers_ahead_stay BEFORE UPDATE ON numbers_ahead ${refuse(ISSUED)}`,
  // INSERT OR REPLACE deletes and updates without asking the triggers of either.
  `CREATE TRIGGER numbers_ahead_are_not_replaced BEFORE INSERT ON numbers_ahead WHEN EXISTS (
    SELECT 1 FROM numbers_ahead WHERE (company_id, mode, premises_code, year, register, number)
      = (NEW.company_id, NEW.mode, NEW.premises_code, NEW.year, NEW.register, NEW.number)) ${refuse(ISSUED)}`,

  'DROP TRIGGER sequences_only_rise',
  `CREATE TRIGGER sequences_only_rise BEFORE UPDATE ON sequences
    WHEN ${keyChanges('IS NOT')} OR (${lower('highest')} AND NOT ${isAhead('highest')}) ${refuse(ONCE)}`,
  'DROP TRIGGER reserved_numbers_stay',
  `CREATE TRIGGER reserved_numbers_stay BEFORE UPDATE ON reserved_numbers
    WHEN ${keyChanges('IS NOT', 'first', 'reserved_at')} OR NOT ${lower('last')} OR NOT ${isAhead('last')} ${refuse(ISSUED)}`,
]

/** Numbers that counting does not follow, and a way back for a sequence that followed one. */
export const numbersAhead = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
