import { type SelectQueryBuilder, sql } from 'kysely'
import type { Sequence } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'
import type { Tables } from './tables.ts'
import { writtenOncePerColumns } from './written-once.ts'

const levelAt = writtenOncePerColumns((db, premises: Premises) =>
  db
    .selectFrom('numberingLevels')
    .select('level')
    .where((eb) => eb.and({ ...premises })),
)

const highestOf = writtenOncePerColumns((db, sequence: Sequence) =>
  db
    .selectFrom('sequences')
    .select('highest')
    .where((eb) => eb.and({ ...sequence })),
)

const raise = writtenOncePerColumns((db, { highest, ...sequence }: Sequence & { highest: string }) =>
  db
    .insertInto('sequences')
    .values({ ...sequence, highest })
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'mode', 'premisesCode', 'year', 'register']).doUpdateSet({ highest }),
    ),
)

export function numbering(db: Db): StoreTransaction['numbering'] {
  return {
    async level(premises) {
      return (await levelAt(db, premisesOf(premises))).rows[0]?.level
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
      return (await highestOf(db, sequenceOf(sequence))).rows[0]?.highest
    },
    async setHighest(sequence, number) {
      await raise(db, { ...sequenceOf(sequence), highest: number })
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

type Premises = Omit<Sequence, 'register'>

function premisesOf({ companyId, mode, premisesCode, year }: Premises): Premises {
  return { companyId, mode, premisesCode, year }
}

function sequenceOf(sequence: Sequence): Sequence {
  return { ...premisesOf(sequence), register: sequence.register }
}

const PREMISES = ['companyId', 'mode', 'premisesCode', 'year']

/** As the keys of these tables are, which each database but SQLite has to be told. */
function premisesInOrder<T extends 'numberingLevels' | 'sequences' | 'reservedNumbers', Row>(
  query: SelectQueryBuilder<Tables, T, Row>,
) {
  return PREMISES.reduce((ordered, column) => ordered.orderBy(sql.ref(column)), query)
}
