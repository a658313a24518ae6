import { sql } from 'kysely'
import { sequenceOf } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { insertMany } from './bulk-statements.ts'
import { matching, notOfGateway } from './queries.ts'

type Ahead = Pick<
  StoreTransaction['numbering'],
  'fall' | 'noteAhead' | 'aheadAmong' | 'ahead' | 'aheadOf' | 'aheadCounts' | 'used'
>

export const SEQUENCE = ['companyId', 'mode', 'premisesCode', 'year', 'register'] as const

/** Numbers that counting does not follow, and what a sequence needs to return to lower numbers. */
export function numbersAhead(db: Db): Ahead {
  return {
    async fall(sequence, to) {
      const isIt = sequenceOf(sequence)
      await db.updateTable('sequences').set({ highest: to }).where(matching(isIt)).execute()
      const ranges = await db
        .selectFrom('reservedNumbers')
        .select(['first', 'last', 'usedTo'])
        .where(matching(isIt))
        .execute()
      for (const { first, last, usedTo } of ranges) {
        if (BigInt(last) <= BigInt(to)) continue
        const end = BigInt(first) > BigInt(to) ? String(BigInt(first) - 1n) : to
        await db
          .updateTable('reservedNumbers')
          .set({ last: end, usedTo: usedTo !== null && BigInt(usedTo) > BigInt(end) ? end : usedTo })
          .where(matching({ ...isIt, first }))
          .execute()
      }
    },
    noteAhead: (numbers) => insertMany(db, 'numbersAhead', numbers),
    async aheadAmong(sequence, numbers) {
      const rows = await db
        .selectFrom('numbersAhead')
        .select('number')
        .where(matching(sequenceOf(sequence)))
        .where('number', 'in', numbers)
        .execute()
      return rows.map(({ number }) => number)
    },
    ahead: () => db.selectFrom('numbersAhead').selectAll().where(notOfGateway('numbers_ahead')).execute(),
    aheadOf: (sequence, limit) =>
      db
        .selectFrom('numbersAhead')
        .selectAll()
        .where(matching(sequenceOf(sequence)))
        .orderBy('notedAt', 'desc')
        .orderBy('number', 'desc')
        .limit(limit)
        .execute(),
    async aheadCounts(fromYear) {
      const columns = SEQUENCE.map((column) => `sequences.${column}` as const)
      const rows = await columns
        .reduce((query, column) => query.groupBy(column).orderBy(column), counting().where(notOfGateway('sequences')))
        .where('sequences.year', '>=', fromYear)
        .select(columns)
        .execute()
      return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
    },
    async used({ register, ...sequence }) {
      const { companyId, mode, premisesCode, year } = sequence
      return db
        .selectFrom('invoices')
        .select(['number', 'id as invoiceId'])
        .where(matching({ companyId, mode, premisesCode, year, sequenceRegister: register }))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('numbersAhead')
                .select('numbersAhead.number')
                .where(matching(sequenceOf({ ...sequence, register })))
                .whereRef('numbersAhead.number', '=', 'invoices.number'),
            ),
          ),
        )
        .execute()
    },
  }

  /** Numbers that are higher than the highest one of their sequence. */
  function counting() {
    const { ref } = sql
    const [number, highest] = [ref('numbersAhead.number'), ref('sequences.highest')]
    return db
      .selectFrom('sequences')
      .innerJoin('numbersAhead', (join) =>
        SEQUENCE.reduce((on, column) => on.onRef(`numbersAhead.${column}`, '=', `sequences.${column}`), join),
      )
      .where(
        sql<boolean>`(length(${number}) > length(${highest})
          OR (length(${number}) = length(${highest}) AND ${number} > ${highest}))`,
      )
      .select(({ fn }) => ['sequences.highest', fn.countAll().as('count')])
      .groupBy('sequences.highest')
  }
}
