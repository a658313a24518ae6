import type { EpochMs } from '../instant.ts'
import type { Cents } from '../money.ts'
import { formatZagreb } from '../zagreb.ts'

const TAX_PORTAL_URL = 'https://porezna.gov.hr/rn'

/**
 * The exact content of the receipt's QR code: the JIR when there is one, the ZKI otherwise, then the sale moment in
 * Europe/Zagreb and the total in cents. The parameter order must not be changed (docs/spec/interface.md, Invoice).
 */
export function qrPayload(sale: { jir: string | null; zki: string; occurredAt: EpochMs; totalCents: Cents }): string {
  const proof = sale.jir === null ? `zki=${sale.zki}` : `jir=${sale.jir}`
  return `${TAX_PORTAL_URL}?${proof}&datv=${formatZagreb(sale.occurredAt, 'yyyyMMdd_HHmm')}&izn=${sale.totalCents}`
}
