import { invalidRequest } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import {
  higherReceiptNumber,
  isReceiptNumber,
  isWithinReach,
  nextReceiptNumber,
} from '../../domain/sale/receipt-number.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { type Sequence, sequenceKey, sequenceOf } from '../ports/model.ts'
import type { IssuedSale } from '../ports/rows/issued.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findCompany } from '../registry/companies.ts'
import { isMeant, requireOne, type SequenceOrder } from './heal-numbers.ts'
import { raiseTo, toldSequence } from './learned-numbers.ts'
import type { Issued } from './lost-sales.ts'

/** A sequence that goes on above numbers of sales that the database lacks. */
export interface SkippedNumbers {
  sequence: Sequence
  /** The highest number that the database knows; null when it knows none. */
  from: string | null
  /** It goes on after this number. */
  to: string
  /** The lost sales that are known one by one, by their positions. */
  sales: IssuedSale[]
}

/**
 * Takes the numbers of a premises' lost sales out of use, so that it sells above them: a gap, never a number again.
 * @param order its `after` is a number of one sequence that only paper knows as given out; null for what is known here
 * @returns the sequences that skip numbers; none when the premises lacks no sale
 * @throws FiskError 404 for an unknown company; `invalid_request` when `after` does not select one sequence, or is no
 *   number that its counting may follow
 */
export async function skipLostNumbers(
  { store, clock, issued }: Context & { issued: Issued },
  principal: Principal,
  { companyId: wanted, premisesCode, after, dryRun, ...meant }: SequenceOrder,
): Promise<SkippedNumbers[]> {
  requireScope(principal, 'fleet:write')
  await issued.compare()
  const skipped = await store.transaction(async (tx) => {
    const { id: companyId } = await findCompany(tx, principal, wanted, 'company_id')
    const lost = issued
      .lost()
      .filter((one) => one.companyId === companyId && one.premisesCode === premisesCode)
      .flatMap(({ sales }) => sales)
      .filter((sale) => isMeant(sale, meant))
    const known = after === null ? [] : await tx.numbering.sequencesOf(companyId, premisesCode)
    const sequences = new Map(
      [...known.filter((one) => isMeant(one, meant)), ...lost].map((one) => [sequenceKey(one), sequenceOf(one)]),
    )
    if (after !== null) requireOne([...sequences.values()])
    const skipped: SkippedNumbers[] = []
    for (const [key, sequence] of sequences) {
      const sales = lost.filter((sale) => sequenceKey(sale) === key)
      const done = await skip(tx, sequence, sales, after, clock.now(), dryRun)
      skipped.push(done)
      const numbers = sales.map(({ number, zki, jir }) => ({ number, zki, jir }))
      const told = { ...toldSequence(sequence), from: done.from, to: done.to, numbers }
      if (!dryRun) await audit(tx, principal, clock.now(), 'numbers.skipped', told)
    }
    return skipped
  })
  if (!dryRun) await issued.compare()
  return skipped
}

/**
 * Each known number is noted as used, too: it stays so where the sequence is set back later, and one that the counting
 * has passed, or has given to another sale, is accounted for.
 */
async function skip(
  tx: StoreTransaction,
  sequence: Sequence,
  sales: IssuedSale[],
  after: string | null,
  now: EpochMs,
  dryRun: boolean,
): Promise<SkippedNumbers> {
  const from = (await tx.numbering.highest(sequence)) ?? null
  let to = from ?? '0'
  const numbers = [...new Set(sales.map(({ number }) => number))]
  for (const number of numbers.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))) {
    if (isWithinReach(number, to)) to = higherReceiptNumber(to, number)
  }
  if (after !== null) {
    if (!isReceiptNumber(after) || BigInt(after) <= BigInt(to) || !isWithinReach(after, to)) {
      throw invalidRequest('after', `it is a number above ${to}, which is known here, and at most a million above it`)
    }
    to = after
  }
  // A sequence ends at a number that is not noted.
  if (to === from && numbers.includes(from)) to = nextReceiptNumber(from) ?? from
  if (!dryRun) {
    await raiseTo(tx, { ...sequence, highest: to, level: sequence.register === '' ? 'P' : 'N' }, now)
    const noted = numbers.length > 0 ? await tx.numbering.aheadAmong(sequence, numbers) : []
    const ahead = numbers.filter((number) => !noted.includes(number))
    await tx.numbering.noteAhead(ahead.map((number) => ({ ...sequence, number, invoiceId: null, notedAt: now })))
  }
  return { sequence, from, to, sales }
}
