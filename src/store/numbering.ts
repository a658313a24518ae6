import type { Sequence } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'

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
    levels: () => db.selectFrom('numberingLevels').selectAll().execute(),
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
        .onConflict((conflict) => conflict.doUpdateSet({ highest: number }))
        .execute()
    },
    sequences: () => db.selectFrom('sequences').selectAll().execute(),
    async reserve(numbers) {
      await db.insertInto('reservedNumbers').values(numbers).execute()
      await this.setHighest(numbers, numbers.last)
    },
    reserved: () => db.selectFrom('reservedNumbers').selectAll().execute(),
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

function premisesOf({ companyId, mode, premisesCode, year }: Omit<Sequence, 'register'>) {
  return { companyId, mode, premisesCode, year }
}
