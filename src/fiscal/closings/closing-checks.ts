import { type Check, failure, fine } from '../../domain/check.ts'
import { few, type HealthCheck } from '../doctor/doctor.ts'
import type { Closing } from '../ports/rows/closings.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { differenceOf } from './verify-closing.ts'

const NAME = 'closings'

/** As many of the latest closings as hold this many invoices: the doctor answers within a minute. */
const MOST_INVOICES = 20_000
const MOST_CLOSINGS = 500
const SLICE = 20

/** Whether the latest closings are the sums of their invoices. */
export function closingChecks(store: Pick<StoreTransaction, 'closings' | 'lookups'>): HealthCheck[] {
  async function examine(): Promise<Check[]> {
    const wrong: string[] = []
    let [closings, invoices] = [0, 0]
    for (let last: Closing | undefined; ; ) {
      const rows = await store.closings.latest(SLICE, last && { at: last.closedAt, id: last.id })
      for (const closing of rows) {
        if (closings >= MOST_CLOSINGS || invoices >= MOST_INVOICES) return [told(wrong, closings)]
        const difference = await differenceOf(store, closing)
        if (difference !== null) wrong.push(`${nameOf(closing)}: ${difference}`)
        closings++
        invoices += closing.invoices
      }
      if (rows.length < SLICE) return [told(wrong, closings)]
      last = rows.at(-1)
    }
  }
  return [{ name: NAME, run: examine }]
}

function told(wrong: readonly string[], closings: number): Check {
  if (wrong.length === 0) {
    return fine(
      NAME,
      closings === 0 ? 'nothing is closed yet' : `the latest ${closings} are the sums of their invoices`,
    )
  }
  return failure(
    NAME,
    `closings are not the sums of their invoices: ${few(wrong)}`,
    'the database was changed from outside: keep a copy of it, and compare it with the latest good backup',
  )
}

const nameOf = ({ premisesCode, mode, unit, starts, number }: Closing) =>
  `${unit} ${starts} of ${premisesCode}${mode === 'live' ? '' : ` (${mode})`}, number ${number}`
