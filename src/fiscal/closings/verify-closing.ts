import { attempt } from '../../domain/attempt.ts'
import { type Check, failure, fine } from '../../domain/check.ts'
import { type ClosingDocument, ClosingSum, closingText } from '../../domain/sale/closing.ts'
import { type Both, together } from '../../domain/texts/both.ts'
import { few, type HealthCheck } from '../doctor/doctor.ts'
import { slicesOf } from '../in-slices.ts'
import type { Closing } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { invoicesOf, unpackMembers } from './close-premises.ts'

/** Adds a closing up again from its invoices; what differs in any byte, for people, else null. */
export async function differenceOf(store: StoreTransaction, closing: Closing): Promise<Both | null> {
  const facts: ClosingDocument | undefined = attempt(() => JSON.parse(closing.document), undefined)
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

const NAME = { en: 'closings', hr: 'zaključci' }

/** As many of the latest closings as hold this many invoices: the doctor answers within a minute. */
const MOST_INVOICES = 20_000
const MOST_CLOSINGS = 500
const SLICE = 20

/** Whether the latest closings are the sums of their invoices. */
export function closingChecks(store: StoreTransaction): HealthCheck[] {
  async function examine(): Promise<Check[]> {
    const wrong: Both[] = []
    let [closings, invoices] = [0, 0]
    const read = (last: Closing | undefined) => store.closings.latest(SLICE, last && { at: last.closedAt, id: last.id })
    for await (const rows of slicesOf(SLICE, read)) {
      for (const closing of rows) {
        if (closings >= MOST_CLOSINGS || invoices >= MOST_INVOICES) return [told(wrong, closings)]
        const difference = await differenceOf(store, closing)
        if (difference !== null) wrong.push(together`${nameOf(closing)}: ${difference}`)
        closings++
        invoices += closing.invoices
      }
    }
    return [told(wrong, closings)]
  }
  return [{ name: NAME, run: examine }]
}

function told(wrong: readonly Both[], closings: number): Check {
  if (wrong.length === 0) {
    return fine(
      NAME,
      closings === 0
        ? { en: 'nothing is closed yet', hr: 'još nema zaključaka' }
        : {
            en: `the latest ${closings} are the sums of their invoices`,
            hr: `zaključci odgovaraju svojim računima, provjereno posljednjih: ${closings}`,
          },
    )
  }
  const detail = {
    en: `closings are not the sums of their invoices: ${few(wrong).en}`,
    hr: `zaključci ne odgovaraju svojim računima: ${few(wrong).hr}`,
  }
  return failure(NAME, detail, {
    en: 'the database was changed from outside: keep a copy of it, and compare it with the latest good backup',
    hr:
      'bazu podataka izmijenilo je nešto mimo programa fiskd: sačuvajte njezinu kopiju i usporedite je ' +
      's posljednjom ispravnom sigurnosnom kopijom',
  })
}

function nameOf({ premisesCode, mode, unit, starts, number }: Closing): Both {
  const premises = mode === 'live' ? premisesCode : `${premisesCode} (${mode})`
  return {
    en: `${unit} ${starts} of ${premises}, number ${number}`,
    hr: `${unit === 'day' ? 'dan' : 'mjesec'} ${starts}, ${premises}, broj ${number}`,
  }
}
