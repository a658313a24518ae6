import type { KeyObject } from 'node:crypto'
import { nextReceiptNumber } from '../../domain/sale/receipt-number.ts'
import type { ZkiInput } from '../../domain/sale/zki-text.ts'
import type { Sequence } from '../ports/model.ts'
import { computeZki } from './compute-zki.ts'

/** The ZKI of one sale, computed before its number is certain. */
export interface ZkiAhead {
  /** @param number the final number; when the transaction is repeated, it may be called again with another one */
  of(number: string): Promise<string>
  /** Call when the sale has its number or failed. */
  end(): void
}

/** What this process knows about a sequence; only the store has the true state. */
interface Course {
  taken: bigint | undefined
  waiting: number
}

/** Sequences of past years would stay in the map otherwise. */
const MOST_SEQUENCES = 1000

/**
 * Computes ZKIs while their sales wait for the database, so that the transactions do not wait for the signatures.
 * Numbers are given out in the order in which sales start to wait, so the number of a sale is almost always known in
 * advance. Where the prediction is wrong, the ZKI is computed again.
 */
export function createZkisAhead() {
  const courses = new Map<string, Course>()

  function courseOf({ companyId, mode, premisesCode, year, register }: Sequence): Course {
    const key = [companyId, mode, premisesCode, year, register].join(' ')
    const known = courses.get(key)
    if (known) return known
    if (courses.size >= MOST_SEQUENCES) courses.clear()
    const course = { taken: undefined, waiting: 0 }
    courses.set(key, course)
    return course
  }

  /**
   * Call it right before the transaction that takes the number.
   * @param wanted the number that the caller supplied
   */
  return (sequence: Sequence, sale: Omit<ZkiInput, 'number'>, key: KeyObject, wanted: string | null): ZkiAhead => {
    const course = courseOf(sequence)
    const before = course.taken === undefined ? undefined : course.taken + BigInt(course.waiting)
    const expected = wanted ?? (before === undefined ? undefined : nextReceiptNumber(String(before)))
    const zki = expected === undefined ? undefined : computeZki({ ...sale, number: expected }, key)
    // `of` passes the error on; without this line, an error of a sale that gets no number would be unhandled.
    zki?.catch(() => {})
    let isWaiting = wanted === null
    if (isWaiting) course.waiting += 1
    const end = () => {
      if (isWaiting) course.waiting -= 1
      isWaiting = false
    }
    return {
      end,
      of(number) {
        end()
        if (wanted === null) course.taken = BigInt(number)
        return zki !== undefined && number === expected ? zki : computeZki({ ...sale, number }, key)
      },
    }
  }
}
