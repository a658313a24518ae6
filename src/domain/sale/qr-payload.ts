import type { EpochMs } from '../instant.ts'
import type { Cents } from '../money.ts'
import { formatZagreb } from '../zagreb.ts'

const TAX_PORTAL_URL = 'https://porezna.gov.hr/rn'

/** The receipt's QR code (docs/spec/interface.md, Invoice); the order of the parameters must not be changed. */
export function qrPayload(sale: { jir: string | null; zki: string; occurredAt: EpochMs; totalCents: Cents }): string {
  const proof = sale.jir === null ? `zki=${sale.zki}` : `jir=${sale.jir}`
  return `${TAX_PORTAL_URL}?${proof}&datv=${formatZagreb(sale.occurredAt, 'yyyyMMdd_HHmm')}&izn=${sale.totalCents}`
}
