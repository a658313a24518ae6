import { DAY_MS, type EpochMs } from '../../domain/instant.ts'
import { NEAR_THE_END, numbersLeft } from '../../domain/sale/receipt-number.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import { zagrebYear } from '../../domain/zagreb.ts'
import { type NumberAhead, type Sequence, sequenceKey } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The maximum age of a sale when it is accepted. Its number is from the year in which the sale was made. */
export const LATEST_SALE_MS = 30 * DAY_MS

/** The first year whose sequences can still number a sale. */
export const firstCurrentYear = (now: EpochMs) => zagrebYear(now - LATEST_SALE_MS)

/** A sequence with numbers ahead of its counting. */
export interface SequenceAhead {
  sequence: Sequence
  /** Null before the first number that the counting followed. */
  highest: string | null
  count: number
  /** The number that was noted last. */
  latest: NumberAhead
}

/** Current sequences with supplied numbers that the counting does not follow and has not passed yet. */
export async function sequencesAhead({ numbering }: StoreTransaction, now: EpochMs): Promise<SequenceAhead[]> {
  const found: SequenceAhead[] = []
  for (const { highest, count, ...sequence } of await numbering.aheadCounts(firstCurrentYear(now))) {
    const [latest] = await numbering.aheadOf(sequence, 1)
    if (latest) found.push({ sequence, highest: highest === '0' ? null : highest, count, latest })
  }
  return found
}

/** A sequence that is close to the last number that CIS accepts, or has used it. */
export interface SequenceEnding {
  sequence: Sequence
  highest: string
  /** How many sales can still get a number; at zero, only sales that supply their own number can. */
  left: bigint
}

/** Current sequences that are close to their end. */
export async function sequencesEnding({ numbering }: StoreTransaction, now: EpochMs): Promise<SequenceEnding[]> {
  const year = firstCurrentYear(now)
  const near = await numbering.sequencesFrom(NEAR_THE_END, year)
  if (near.length === 0) return []
  const ahead = new Map((await numbering.aheadCounts(year)).map(({ count, ...one }) => [sequenceKey(one), count]))
  return near.map(({ highest, ...sequence }) => {
    return { sequence, highest, left: numbersLeft(highest) - BigInt(ahead.get(sequenceKey(sequence)) ?? 0) }
  })
}

/** Own sequences of a year that has not begun, by the latest that the time of their mode can be. */
export async function sequencesOfFuture({ numbering }: StoreTransaction, latestOf: (mode: Mode) => EpochMs) {
  const years = new Map(MODES.map((mode) => [mode, yearOf(latestOf(mode))]))
  const found = await numbering.sequencesFrom('1', Math.min(...years.values()) + 1)
  return found.filter(({ mode, year }) => year > (years.get(mode) ?? Number.POSITIVE_INFINITY))
}

const yearOf = (at: EpochMs) => (Number.isFinite(at) ? zagrebYear(at) : NO_YEAR)
const NO_YEAR = 9999
