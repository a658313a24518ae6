import { audit } from '../access/audit-log.ts'
import { type Principal, requireMode, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { Store } from '../ports/store.ts'
import { correctedFields } from '../requests/correct-invoice.ts'
import { narrow, type Wanted } from '../sales/read-invoices.ts'
import { type ExportedInvoice, type ExportWanted, type Grouping, issuedInSlices } from './exported.ts'
import { issuerOf, remembering } from './issuers.ts'
import { countOf, PARTS, sumsByPeriod, TOTALS } from './sums-by-period.ts'

/** Exports for accountants: own sales and those of gateways, the oldest first, in slices with pauses in between. */
export function createExports({
  store,
}: {
  store: Pick<Store, 'companies' | 'devices' | 'lookups' | 'turnover' | 'authorityRequests'>
}) {
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
    for await (const rows of issuedInSlices(store, filter)) {
      const found = rows.filter(isWanted)
      if (found.length > 0) yield found
    }
  }

  return {
    /** @throws FiskError `insufficient_scope`, `mode_mismatch` with the first slice */
    async *invoices(principal: Principal, wanted: ExportWanted): AsyncGenerator<ExportedInvoice[]> {
      const companyOf = remembering((id) => issuerOf(store, id))
      const labelOf = remembering(async (id) => (await store.devices.get(id))?.label ?? id)
      for await (const rows of slices(principal, wanted)) {
        const exported: ExportedInvoice[] = []
        const asked = await store.authorityRequests.ofInvoices(rows.map(({ id }) => id))
        for (const invoice of rows) {
          const [company, device] = [await companyOf(invoice.companyId), await labelOf(invoice.deviceId)]
          const corrected = correctedFields(
            invoice,
            asked.filter(({ invoiceId }) => invoiceId === invoice.id),
          )
          exported.push({ invoice, company, device, corrected })
        }
        yield exported
      }
    },
    /** How many invoices `invoices` gives; read from sums, so at once. @throws FiskError as `invoices` */
    count: (principal: Principal, wanted: ExportWanted) => countOf(store, principal, wanted),
    /** Periods with sales; JIR or none, and sales and refunds, have separate sums. @throws FiskError as `invoices` */
    totals: (principal: Principal, wanted: ExportWanted, grouping: Grouping) =>
      sumsByPeriod(store, TOTALS, principal, wanted, grouping),
    /** The parts of these totals, such as VAT by rate. */
    parts: (principal: Principal, wanted: ExportWanted, grouping: Grouping) =>
      sumsByPeriod(store, PARTS, principal, wanted, grouping),
  }
}

/** Merges slices of sales, each source in order of time, into one sequence of slices in that order. */
async function* mergeByTime(sources: AsyncGenerator<IssuedInvoice[]>[]): AsyncGenerator<IssuedInvoice[]> {
  const heads: { source: AsyncGenerator<IssuedInvoice[]>; rows: IssuedInvoice[] }[] = []
  for (const source of sources) heads.push({ source, rows: [] })
  let slice: IssuedInvoice[] = []
  for (;;) {
    for (const head of [...heads]) {
      if (head.rows.length > 0) continue
      const { value, done } = await head.source.next()
      if (done) heads.splice(heads.indexOf(head), 1)
      else head.rows = [...value]
    }
    const first = heads.filter(({ rows }) => rows.length > 0).sort((a, b) => byTime(a.rows[0], b.rows[0]))[0]
    if (!first) break
    slice.push(first.rows.shift() as IssuedInvoice)
    if (first.rows.length > 0) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

function byTime(one: IssuedInvoice | undefined, other: IssuedInvoice | undefined): number {
  if (!one || !other) return 0
  return one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1)
}

/** Logs for the audit that somebody takes a file with many rows away, by its name. */
export type NoteDownload = (principal: Principal, file: string) => Promise<void>

export function createDownloadNotes({ store, clock }: Context): NoteDownload {
  return (principal, file) => audit(store, principal, clock.now(), 'file.downloaded', { file })
}
