import { type ClosingDocument, ClosingSum, closingText } from '../../domain/sale/closing.ts'
import type { Closing } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { invoicesOf } from './close-premises.ts'
import { unpackMembers } from './members.ts'

/**
 * Adds a closing up again from its invoices and compares every byte.
 * @returns what differs, for people; null when it is as it was
 */
export async function differenceOf(
  store: Pick<StoreTransaction, 'closings' | 'lookups'>,
  closing: Closing,
): Promise<string | null> {
  const facts = factsOf(closing)
  if (!facts) return 'its text cannot be read'
  const members = await unpackMembers(closing.members).catch(() => undefined)
  if (!members) return 'the list of its invoices cannot be read'
  const [left, withoutJir] = [new Set(members.ids), new Set(members.withoutJir)]
  const sum = new ClosingSum()
  for await (const { id, year, document, jir } of invoicesOf(store, closing.tenantId, closing, closing)) {
    if (!left.delete(id)) continue
    // Some get their JIR later; none loses it.
    const hadJir = !withoutJir.has(id)
    if (hadJir && jir === null) return `the invoice ${id} has no JIR any more`
    sum.add({ id, year, document, hasJir: hadJir })
  }
  const [missing] = left
  if (missing !== undefined) return `the invoice ${missing} is not there any more`
  if (closing.invoices !== members.ids.length) return 'it holds another number of invoices'
  const { unit, starts, number, mode, premisesCode, closedAt, closedBy } = closing
  const { company, gateway } = facts
  const row = { unit, starts, number, mode, premisesCode, closedAt, closedBy }
  const text = closingText({ ...row, company: { ...company, id: closing.companyId }, gateway }, sum.sums())
  return text === closing.document ? null : 'its sums are not those of its invoices'
}

function factsOf({ document }: Closing): ClosingDocument | undefined {
  try {
    return JSON.parse(document)
  } catch {
    return undefined
  }
}
