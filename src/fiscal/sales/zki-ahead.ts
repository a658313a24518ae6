import type { KeyObject } from 'node:crypto'
import { nextReceiptNumber } from '../../domain/sale/receipt-number.ts'
import type { ZkiInput } from '../../domain/sale/zki-text.ts'
import type { Sequence } from '../ports/model.ts'
import { computeZki } from './compute-zki.ts'

/** The ZKI of one sale, under way before its number is certain. */
export interface ZkiAhead {
  /** @param number the one that the sale got; may be asked again when its transaction is repeated */
  of(number: string): Promise<string>
  /** The sale has its number, or never gets one. */
  end(): void
}

/** What is known of a sequence in this process; the store alone knows what is true. */
interface Course {
  taken: bigint | undefined
  waiting: number
}

/** Sequences end with each year. */
const MOST_SEQUENCES = 1000

/**
 * Computes ZKIs while their sales wait for the database, which otherwise would wait for each in turn. Numbers are given
 * out in the order in which sales come to wait, so the number that one will get is known nearly always; where it gets
 * another one, its ZKI is computed then.
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
    // Whoever asks for it is told; of a sale that gets no number nobody asks.
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
