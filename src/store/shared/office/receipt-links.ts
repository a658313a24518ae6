import { sql } from 'kysely'
import type { LinkedReceipt } from '../../../fiscal/ports/receipt-links.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import { type Db, unlessThere } from '../../sqlite/connection.ts'
import { run } from '../queries.ts'
import { writtenOnce } from '../written-once.ts'

/** An unknown invoice is a row of nothing, which costs as much. */
const ONE = sql<{ one: number }>`(SELECT 1 AS one)`

const ALL_BEFORE = sql<number | null>`(SELECT max(sold_before) FROM receipt_withdrawals
  WHERE invoice_id IS NULL AND company_id IS NULL)`
const WITHDRAWN_AT = sql<number | null>`(SELECT min(at) FROM receipt_withdrawals AS w
  WHERE w.invoice_id = invoices.id OR (w.invoice_id IS NULL AND invoices.created_at < w.sold_before
  AND (w.company_id IS NULL OR w.company_id = invoices.company_id)))`

/** Written once: strangers ask this, and compiling it takes longer than running it. */
const linked = writtenOnce((db, invoiceId: string) =>
  db
    .selectFrom(ONE.as('base'))
    .leftJoin('invoices', (join) => join.on('invoices.id', '=', invoiceId))
    .leftJoin('companies', 'companies.id', 'invoices.companyId')
    .leftJoin('printJobs', (join) => join.onRef('printJobs.invoiceId', '=', 'invoices.id').on('printJobs.copy', '=', 0))
    .select(['invoices.id', 'invoices.gatewayId', 'invoices.createdAt'])
    .select(['companies.status as companyStatus', 'companies.fiscalConfig'])
    .select(['printJobs.status as printStatus', 'printJobs.begunAt'])
    .select([ALL_BEFORE.as('allBefore'), WITHDRAWN_AT.as('withdrawnAt')]),
)

export function receiptLinks(db: Db): StoreTransaction['receiptLinks'] {
  return {
    async find(invoiceId) {
      const [row] = (await linked(db, invoiceId)).rows
      if (!row) throw new Error('a row of nothing is missing')
      const { allBefore, withdrawnAt, companyStatus, fiscalConfig, printStatus, begunAt } = row
      const { id, gatewayId, createdAt } = row
      if (id === null || gatewayId === null || createdAt === null || companyStatus === null || fiscalConfig === null)
        return { allBefore, found: null }
      const found: LinkedReceipt = {
        invoice: { id, gatewayId, createdAt },
        company: { status: companyStatus, fiscalConfig: JSON.parse(fiscalConfig) },
        original: printStatus && { status: printStatus, begunAt },
        withdrawnAt,
      }
      return { allBefore, found }
    },
    gatewayIds: async () => (await db.selectFrom('gateways').select('id').execute()).map(({ id }) => id),
    withdrawals: () => db.selectFrom('receiptWithdrawals').selectAll().orderBy('at').orderBy('id').execute(),
    withdraw: (withdrawal) => db.insertInto('receiptWithdrawals').values(withdrawal).onConflict(unlessThere).$call(run),
    addViews: (day, companyId, views) =>
      db
        .insertInto('receiptViews')
        .values({ day, companyId, views })
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'companyId'])
            .doUpdateSet({ views: sql<number>`receipt_views.views + excluded.views` }),
        )
        .$call(run),
    async viewsSince(day, companyId) {
      const views = db.selectFrom('receiptViews').where('companyId', '=', companyId).where('day', '>=', day)
      const sum = sql<number | null>`CAST(sum(views) AS bigint)`
      return (await views.select(sum.as('sum')).executeTakeFirstOrThrow()).sum ?? 0
    },
  }
}
