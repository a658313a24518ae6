import type { PartLine, TurnoverLine } from '../../domain/sale/turnover.ts'
import { type Principal, requireMode, requireScope } from '../access/principal.ts'
import type { IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { Store } from '../ports/store.ts'
import { narrow, type Wanted } from '../sales/read-invoices.ts'
import type { ExportedInvoice, ExportWanted, Grouping, PeriodSums } from './exported.ts'
import { issuedInSlices } from './issued-in-slices.ts'
import { issuerOf, remembering } from './issuers.ts'
import { mergeByTime } from './merge-by-time.ts'
import { countOf, PARTS, sumsByPeriod, TOTALS } from './sums-by-period.ts'

/**
 * Exports for accountants: own sales and those from gateways, the oldest first. The data comes in slices with pauses
 * for other work, so the memory does not depend on the amount.
 */
export interface ExportUseCases {
  /** @throws FiskError `insufficient_scope`, `mode_mismatch` with the first slice */
  invoices(principal: Principal, wanted: ExportWanted): AsyncGenerator<ExportedInvoice[]>
  /** How many invoices `invoices` gives; read from sums, so at once. @throws FiskError as `invoices` */
  count(principal: Principal, wanted: ExportWanted): Promise<number>
  /**
   * Periods without sales are left out. Invoices with and without a JIR, and sales and refunds, have separate sums.
   * @throws FiskError as `invoices`
   */
  totals(principal: Principal, wanted: ExportWanted, grouping: Grouping): AsyncGenerator<PeriodSums<TurnoverLine>>
  /** The parts of these totals, such as VAT by rate. */
  parts(principal: Principal, wanted: ExportWanted, grouping: Grouping): AsyncGenerator<PeriodSums<PartLine>>
}

/** Rows per query; each may have 256 KB. */
const SLICE = 25

export function createExports({
  store,
}: {
  store: Pick<Store, 'companies' | 'devices' | 'lookups' | 'turnover'>
}): ExportUseCases {
  async function* slices(principal: Principal, wanted: ExportWanted): AsyncGenerator<IssuedInvoice[]> {
    requireScope(principal, 'invoices:read')
    const { mode, from: _from, to: _to, ...filter } = wanted
    requireMode(principal, mode, 'mode')
    const narrowed = await narrow(store, principal, filter)
    if (!narrowed) return
    const { companyIds } = principal
    const isNarrow = narrowed.deviceId !== undefined || narrowed.companyId !== undefined
    if (companyIds === null || isNarrow) return yield* slicesOf(principal, wanted, narrowed)
    // No index serves several companies at once.
    yield* mergeByTime(companyIds.map((companyId) => slicesOf(principal, wanted, { ...narrowed, companyId })))
  }

  async function* slicesOf(
    principal: Principal,
    { mode, from, to }: ExportWanted,
    { deviceId, premisesCode, companyId }: Wanted,
  ): AsyncGenerator<IssuedInvoice[]> {
    // There is no index for premises and device at once: such a query might read all rows.
    const seller = premisesCode === undefined ? { deviceId, companyId } : { premisesCode }
    const isWanted = (invoice: IssuedInvoice) => companyId === undefined || invoice.companyId === companyId
    const filter = { ...seller, mode, from, to, tenantId: principal.tenantId }
    for await (const rows of issuedInSlices(store, filter, SLICE)) {
      const found = rows.filter(isWanted)
      if (found.length > 0) yield found
    }
  }

  return {
    async *invoices(principal, wanted) {
      const companyOf = remembering((id) => issuerOf(store, id))
      const labelOf = remembering(async (id) => (await store.devices.get(id))?.label ?? id)
      for await (const rows of slices(principal, wanted)) {
        const exported: ExportedInvoice[] = []
        for (const invoice of rows) {
          const [company, device] = [await companyOf(invoice.companyId), await labelOf(invoice.deviceId)]
          exported.push({ invoice, company, device })
        }
        yield exported
      }
    },
    count: (...of) => countOf(store, ...of),
    totals: (...of) => sumsByPeriod(store, TOTALS, ...of),
    parts: (...of) => sumsByPeriod(store, PARTS, ...of),
  }
}
