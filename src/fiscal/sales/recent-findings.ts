import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { centsOf } from '../../domain/money.ts'
import { resolveConfigured, resolveVatBase } from '../../domain/sale/config-chain.ts'
import { type FindingCode, findingsOf, findingsOfInvoice } from '../../domain/sale/findings.ts'
import { taxableOf } from '../../domain/sale/resolve-sale.ts'
import { hoursLate } from '../../domain/sale/slipped-hours.ts'
import { isVatRate, splitVat } from '../../domain/sale/vat.ts'
import type { Company, Device, Invoice } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Machine } from '../registry/active-devices.ts'

/** So many of its latest sales tell what a machine does now. */
const LATEST = 10

/** What is to be found in the latest sales of a machine. */
export interface RecentFindings {
  sales: number
  /** In how many of them each code is; codes that are in none are left out. */
  counts: ReadonlyMap<FindingCode, number>
  /** In how many of them the setting of the company taxes a deposit or another amount that bears no VAT. */
  overtaxed: number
  /** As in `hoursLate`. */
  hoursLate: number
}

/** Other work goes on before each machine. */
export async function recentFindings(store: StoreTransaction, { device, company }: Machine): Promise<RecentFindings> {
  await setImmediate()
  const { id: deviceId, tenantId } = device
  const realm = { tenantId, mode: company.mode, companyIds: null, deviceId }
  const sales = await store.invoices.list(realm, { limit: LATEST })
  const counts = new Map<FindingCode, number>()
  for (const code of sales.flatMap(findingsOfInvoice)) counts.set(code, (counts.get(code) ?? 0) + 1)
  const overtaxed = sales.filter((sale) => isOvertaxed(sale, company, device)).length
  return { sales: sales.length, counts, overtaxed, hoursLate: hoursLate(sales) }
}

/**
 * Whether `default_vat_base` of its company is why a sale taxes a deposit, or another amount that bears no VAT
 * (docs/spec/cis.md, Findings): its VAT is the one at the default rate, of the whole total.
 */
export function isOvertaxed(
  { document }: Pick<Invoice, 'document'>,
  { fiscalConfig }: Pick<Company, 'fiscalConfig'>,
  { deviceConfig }: Pick<Device, 'deviceConfig'>,
): boolean {
  const total = centsOf(document.total)
  const rate = resolveConfigured('default_vat_rate', [deviceConfig, fiscalConfig])
  return (
    resolveVatBase(fiscalConfig) === 'total' &&
    typeof rate === 'string' &&
    isVatRate(rate) &&
    isDeepStrictEqual(document.vat, [splitVat(total, rate)]) &&
    taxableOf(total, document) !== total &&
    findingsOf(document).includes('v166')
  )
}
