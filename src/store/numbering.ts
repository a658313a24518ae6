import { type SelectQueryBuilder, sql } from 'kysely'
import type { Sequence } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'
import type { Tables } from './tables.ts'

export function numbering(db: Db): StoreTransaction['numbering'] {
  return {
    async level(premises) {
      const row = await db
        .selectFrom('numberingLevels')
        .select('level')
        .where((eb) => eb.and(premisesOf(premises)))
        .executeTakeFirst()
      return row?.level
    },
    async setLevel(premises, level) {
      await db
        .insertInto('numberingLevels')
        .values({ ...premisesOf(premises), level })
        .execute()
    },
    levels: () =>
      premisesInOrder(db.selectFrom('numberingLevels').selectAll().where(notOfGateway('numbering_levels'))).execute(),
    async highest(sequence) {
      const row = await db
        .selectFrom('sequences')
        .select('highest')
        .where((eb) => eb.and({ ...premisesOf(sequence), register: sequence.register }))
        .executeTakeFirst()
      return row?.highest
    },
    async setHighest(sequence, number) {
      await db
        .insertInto('sequences')
        .values({ ...premisesOf(sequence), register: sequence.register, highest: number })
        .onConflict((conflict) =>
          conflict.columns(['companyId', 'mode', 'premisesCode', 'year', 'register']).doUpdateSet({ highest: number }),
        )
        .execute()
    },
    sequences: () =>
      premisesInOrder(db.selectFrom('sequences').selectAll().where(notOfGateway('sequences')))
        .orderBy('register')
        .execute(),
    async reserve(numbers) {
      await db.insertInto('reservedNumbers').values(numbers).execute()
      await this.setHighest(numbers, numbers.last)
    },
    reserved: () =>
      premisesInOrder(db.selectFrom('reservedNumbers').selectAll()).orderBy('register').orderBy('first').execute(),
    async isKnownUsed(sequence, number) {
      const rows = await db
        .selectFrom('reservedNumbers')
        .select(['first', 'usedTo'])
        .where((eb) => eb.and({ ...premisesOf(sequence), register: sequence.register }))
        .execute()
      return rows.some(
        ({ first, usedTo }) => usedTo !== null && BigInt(first) <= BigInt(number) && BigInt(number) <= BigInt(usedTo),
      )
    },
  }
}

/** Without premises whose receipts a gateway numbers: what is known of them here is only the highest number. */
export const notOfGateway = (table: string) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM premises_claims
    WHERE premises_claims.company_id = ${sql.ref(`${table}.company_id`)}
      AND premises_claims.premises_code = ${sql.ref(`${table}.premises_code`)})`

function premisesOf({ companyId, mode, premisesCode, year }: Omit<Sequence, 'register'>) {
  return { companyId, mode, premisesCode, year }
}

const PREMISES = ['companyId', 'mode', 'premisesCode', 'year']

/** As the keys of these tables are, which each database but SQLite has to be told. */
function premisesInOrder<T extends 'numberingLevels' | 'sequences' | 'reservedNumbers', Row>(
  query: SelectQueryBuilder<Tables, T, Row>,
) {
  return PREMISES.reduce((ordered, column) => ordered.orderBy(sql.ref(column)), query)
}
