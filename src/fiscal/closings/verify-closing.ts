import { attempt } from '../../domain/attempt.ts'
import { type ClosingDocument, ClosingSum, closingText } from '../../domain/sale/closing.ts'
import type { Both } from '../../domain/texts/both.ts'
import type { Closing } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { invoicesOf, unpackMembers } from './close-premises.ts'

/** Adds a closing up again from its invoices; what differs in any byte, for people, else null. */
export async function differenceOf(store: StoreTransaction, closing: Closing): Promise<Both | null> {
  const facts = factsOf(closing)
  if (!facts) return { en: 'its text cannot be read', hr: 'zapis se ne može pročitati' }
  const members = await unpackMembers(closing.members).catch(() => undefined)
  if (!members)
    return { en: 'the list of its invoices cannot be read', hr: 'popis njegovih računa ne može se pročitati' }
  const [left, withoutJir] = [new Set(members.ids), new Set(members.withoutJir)]
  const sum = new ClosingSum()
  for await (const { id, year, document, jir } of invoicesOf(store, closing.tenantId, closing, closing)) {
    if (!left.delete(id)) continue
    // Some get their JIR later; none loses it.
    const hadJir = !withoutJir.has(id)
    if (hadJir && jir === null) return { en: `the invoice ${id} has no JIR any more`, hr: `račun ${id} više nema JIR` }
    sum.add({ id, year, document, hasJir: hadJir })
  }
  const [missing] = left
  if (missing !== undefined)
    return { en: `the invoice ${missing} is not there any more`, hr: `računa ${missing} više nema` }
  if (closing.invoices !== members.ids.length)
    return { en: 'it holds another number of invoices', hr: 'broj računa u njemu nije isti' }
  const { company, gateway } = facts
  const text = closingText({ ...closing, company: { ...company, id: closing.companyId }, gateway }, sum.sums())
  return text === closing.document
    ? null
    : { en: 'its sums are not those of its invoices', hr: 'zbrojevi nisu jednaki zbrojevima računa' }
}

const factsOf = ({ document }: Closing): ClosingDocument | undefined => attempt(() => JSON.parse(document), undefined)
