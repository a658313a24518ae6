import { type SqlBool, sql } from 'kysely'
import { slices } from '../../../domain/slices.ts'
import type { Enrolment } from '../../../fiscal/ports/enrolment.ts'
import type { RowKey } from '../../../fiscal/ports/outbox.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { countInSlices } from '../count-in-slices.ts'
import { columnsOf, countOf, upsert } from '../queries.ts'
import { openGap } from './outbox-gap.ts'

const { toColumns, toModel } = columnsOf<Enrolment>()({ json: ['numbers'] })

const ONLY = 1

export function enrolments(db: Db): StoreTransaction['enrolment'] {
  const refusedBehind = (after: RowKey | null) => {
    const refused = db.selectFrom('syncRefusals')
    return after === null ? refused : refused.where(sql<SqlBool>`(kind, id) > (${after.kind}, ${after.id})`)
  }
  const inOrder = (after: RowKey | null) => refusedBehind(after).orderBy('kind').orderBy('id')

  return {
    async get() {
      const row = await db.selectFrom('syncEnrolment').selectAll().executeTakeFirst()
      if (!row) return undefined
      const { only: _only, ...enrolment } = row
      return toModel(enrolment)
    },
    async put(enrolment) {
      const before = await db.selectFrom('syncEnrolment').select('only').executeTakeFirst()
      // While there is one, every change is noted.
      if (!before) await openGap(db)
      await upsert(db, 'syncEnrolment', { ...toColumns(enrolment), only: ONLY }, 'only')
    },
    async update(changes) {
      if (Object.keys(changes).length > 0) await db.updateTable('syncEnrolment').set(toColumns(changes)).execute()
    },
    async remove() {
      await db.deleteFrom('syncEnrolment').execute()
      await db.deleteFrom('syncRefusals').execute()
      await db.deleteFrom('outboxGap').execute()
    },
    refusals: {
      async put(refusals) {
        for (const refusal of refusals) {
          await db
            .insertInto('syncRefusals')
            .values({ ...refusal, since: refusal.refusedAt })
            .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(refusal))
            .execute()
        }
      },
      async remove(keys) {
        for (const [kind, ids] of byKind(keys)) {
          await db.deleteFrom('syncRefusals').where('kind', '=', kind).where('id', 'in', ids).execute()
        }
      },
      list: (limit) =>
        db.selectFrom('syncRefusals').selectAll().orderBy('refusedAt', 'desc').orderBy('id').limit(limit).execute(),
      page: (after, limit) => inOrder(after).selectAll().limit(limit).execute(),
      has: async ({ kind, id }) => {
        const found = db.selectFrom('syncRefusals').select('since').where('kind', '=', kind).where('id', '=', id)
        return (await found.executeTakeFirst()) !== undefined
      },
      count: () =>
        countInSlices<RowKey | null>(
          null,
          (after, rows) =>
            inOrder(after)
              .select(['kind', 'id'])
              .offset(rows - 1)
              .limit(1)
              .executeTakeFirst(),
          (after) => countOf(refusedBehind(after)),
        ),
    },
  }
}

/** Groups ids by the kind of their rows, in groups small enough for one statement. */
export function byKind<P extends RowKey>(keys: readonly P[]): [P['kind'], string[]][] {
  return [...Map.groupBy(keys, ({ kind }) => kind)].flatMap(([kind, all]) =>
    [...slices(all, MOST)].map((some): [P['kind'], string[]] => [kind, some.map(({ id }) => id)]),
  )
}

const MOST = 1000
