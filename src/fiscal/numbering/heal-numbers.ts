import { invalidRequest, notFound } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { higherReceiptNumber, highestWithinReach, isReceiptNumber } from '../../domain/sale/receipt-number.ts'
import { MODES } from '../../domain/sale/sale.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { isSameSequence, type NumberAhead, type ReservedNumbers, type Sequence } from '../ports/model.ts'
import type { IssuedSale } from '../ports/rows/issued.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findCompany } from '../registry/companies.ts'
import { toldSequence } from './learned-numbers.ts'
import { type Issued, isReserved } from './lost-sales.ts'
import type { StatedNumber } from './stated-number.ts'

/** Null for all; the empty register for the single sequence of a premises that numbers by `P`. */
export type MeantSequences = Pick<StatedNumber, 'mode' | 'year' | 'register'>

/** Of the numbers noted as ahead in a sequence so many are looked at. */
const MOST_NOTED = 10_000

export interface SequenceOrder extends MeantSequences {
  companyId: string
  premisesCode: string
  /** They go on after this number. */
  after: string | null
  dryRun: boolean
}

export interface HealedSequence {
  sequence: Sequence
  from: string
  /** `0` when the sequence continues with number 1. */
  to: string
  /** How many used numbers lie beyond; the counting skips them. */
  ahead: number
  /** How many ranges that a restore or a server took out of use now end earlier. */
  shortened: number
}

/**
 * Sets sequences of a premises back that followed a number too far ahead. No number is given out twice: the used
 * numbers beyond are noted first, and the counting skips them.
 * @param order its `after` is `0` for the start; with null they go on after the highest number within reach of the counting
 * @returns the sequences that were set back; none when all are correct
 * @throws FiskError 404 for an unknown company or premises; `invalid_request` when `after` does not select one
 *   sequence or is not below its highest number, or when numbers were taken out of use and the operator must give
 *   `after`
 */
export async function healNumbers(
  { store, clock, issued }: Context & { issued: Pick<Issued, 'known'> },
  principal: Principal,
  order: SequenceOrder,
): Promise<HealedSequence[]> {
  requireScope(principal, 'fleet:write')
  const { premisesCode, after, dryRun } = order
  if (after !== null && after !== '0' && !isReceiptNumber(after)) {
    throw invalidRequest('after', 'it is a number of up to 20 digits, or 0')
  }
  return store.transaction(async (tx) => {
    const { id: companyId } = await findCompany(tx, principal, order.companyId, 'company_id')
    await tx.numbering.lockPremises(...MODES.map((mode) => ({ companyId, mode, premisesCode })))
    const known = await tx.numbering.sequencesOf(companyId, premisesCode)
    const meant = known.filter((one) => isMeant(one, order))
    if (meant.length === 0) throw notFound('premises_code', `premises ${premisesCode} has no such sequence of numbers`)
    if (after !== null) requireBelow(requireOne(meant), after)
    const healed: HealedSequence[] = []
    for (const { highest, ...sequence } of meant) {
      const done = await heal(tx, sequence, highest, { after, dryRun, issued: issued.known() }, clock.now())
      if (done) healed.push(done)
    }
    for (const { sequence, ...rest } of dryRun ? [] : healed) {
      await audit(tx, principal, clock.now(), 'numbers.healed', { ...toldSequence(sequence), ...rest })
    }
    return healed
  })
}

export function isMeant(one: Sequence, { mode, year, register }: MeantSequences): boolean {
  return (
    (mode === null || one.mode === mode) &&
    (year === null || one.year === year) &&
    (register === null || one.register === register)
  )
}

/** @throws FiskError `invalid_request` when a number would be about several sequences, or none */
export function requireOne<T extends Sequence>(meant: readonly T[]): T {
  const [one, ...others] = meant
  if (one && others.length === 0) return one
  const names = meant.map(({ mode, year, register }) => `${year} ${mode}${register && ` register ${register}`}`)
  throw invalidRequest('after', `it is about one sequence, and these are meant: ${names.join(', ') || 'none'}`)
}

function requireBelow({ highest }: { highest: string }, after: string): void {
  if (BigInt(after) < BigInt(highest)) return
  throw invalidRequest('after', `the sequence goes on after ${highest} already, and only ever goes back here`)
}

async function heal(
  tx: StoreTransaction,
  sequence: Sequence,
  from: string,
  { after, dryRun, issued }: Pick<SequenceOrder, 'after' | 'dryRun'> & { issued: readonly IssuedSale[] },
  now: EpochMs,
): Promise<HealedSequence | null> {
  const { numbering } = tx
  const used = await numbering.used(sequence)
  const ranges = (await numbering.reserved()).filter((one) => isSameSequence(one, sequence))
  const to = after ?? whereItShouldStand(used, ranges)
  const isBeyond = (number: string) => BigInt(number) > BigInt(to)
  if (!isBeyond(from)) return null
  const cut = ranges.filter(({ last }) => isBeyond(last))
  if (after === null) requireNothingReserved(sequence, to, cut)
  const inCut = issued.filter((sale) => cut.some((range) => isReserved(sale, range)))
  await requireLostKnown(tx, sequence, to, used, inCut)
  const beyond = new Map<string, string | null>(
    // The end of a sequence or range may not be the number of a sale; it is skipped all the same.
    [from, ...cut.map(({ last }) => last)].map((number) => [number, null]),
  )
  for (const { number, invoiceId } of used) if (isBeyond(number)) beyond.set(number, invoiceId)
  for (const number of await numbering.aheadAmong(sequence, [from, ...cut.map(({ last }) => last)])) {
    beyond.delete(number)
  }
  const ahead = [...beyond].map(
    ([number, invoiceId]): NumberAhead => ({ ...sequence, number, invoiceId, notedAt: now }),
  )
  if (!dryRun) {
    await numbering.noteAhead(ahead)
    await numbering.fall(sequence, to)
  }
  return { sequence, from, to, ahead: ahead.length, shortened: cut.length }
}

/** Ranges within reach count, too, because it is unknown whether their numbers are free. */
function whereItShouldStand(used: readonly { number: string }[], ranges: readonly ReservedNumbers[]): string {
  const numbers = [...used.map(({ number }) => number), ...ranges.map(({ last }) => last)]
  return highestWithinReach(numbers.filter(isReceiptNumber)) ?? '0'
}

function requireNothingReserved({ premisesCode }: Sequence, to: string, cut: readonly ReservedNumbers[]): void {
  const [first] = cut
  if (!first) return
  const range = `${first.first} to ${first.last}`
  const message =
    `the numbers ${range} of ${premisesCode} were put out of use by a restore or a server, and may have been given out: ` +
    `find out the highest one on paper, and say it as after; sales here have numbers up to ${to}`
  throw invalidRequest('after', message)
}

/**
 * Of sales that the database lacks only the latest are known one by one: no number before them is given out again
 * unless every one is noted.
 */
async function requireLostKnown(
  { issued, numbering }: StoreTransaction,
  sequence: Sequence,
  to: string,
  used: readonly { number: string }[],
  sales: readonly IssuedSale[],
): Promise<void> {
  const held = await issued.held(sales)
  const lost = sales.filter(({ seal, number }) => !held.has(seal) && BigInt(number) > BigInt(to))
  if (lost.length === 0) return
  const last = lost.map(({ number }) => number).reduce(higherReceiptNumber)
  const noted = [...used, ...(await numbering.aheadOf(sequence, MOST_NOTED))].map(({ number }) => BigInt(number))
  const known = new Set(noted.filter((number) => BigInt(to) < number && number <= BigInt(last)))
  if (BigInt(known.size) === BigInt(last) - BigInt(to)) return
  throw invalidRequest(
    'after',
    `sales up to number ${last} were issued that the database lacks: say that one, or a higher one`,
  )
}
