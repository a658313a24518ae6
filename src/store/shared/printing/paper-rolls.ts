import { UNKNOWN_ROLL } from '../../../domain/printing/paper-roll.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'

export function paperRolls(db: Db): StoreTransaction['paperRolls'] {
  return {
    async get(line) {
      const row = await db.selectFrom('paperRolls').selectAll().where('line', '=', line).executeTakeFirst()
      if (!row) return undefined
      const { line: _line, isWhole, ...roll } = row
      return { ...roll, isWhole: isWhole === 1 }
    },
    async put(line, roll) {
      const set = { ...roll, isWhole: roll.isWhole ? 1 : 0 }
      await db
        .insertInto('paperRolls')
        .values({ line, ...set })
        .onConflict((conflict) => conflict.column('line').doUpdateSet(set))
        .execute()
    },
    async add(line, { mm, receipts }) {
      await db
        .insertInto('paperRolls')
        .values({ ...UNKNOWN_ROLL, line, mm, receipts, isWhole: 0 })
        .onConflict((conflict) =>
          conflict.column('line').doUpdateSet((eb) => ({
            mm: eb('paperRolls.mm', '+', mm),
            receipts: eb('paperRolls.receipts', '+', receipts),
          })),
        )
        .execute()
    },
  }
}
