import { conflict } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import { isSameSequence, type Sequence } from '../ports/model.ts'
import type { DoubtedNumber, KeptNumber } from '../ports/rows/numbering.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { raiseTo } from './learned-numbers.ts'

/** A number from a server that is in doubt, with the highest number known here; null when none is known. */
export type DoubtfulNumber = DoubtedNumber & { known: string | null }

/** A page shows at most this many. */
const SHOWN = 100
/** The numbers left above it must suffice for a year. */
const HIGHEST = 10n ** 20n - 1n - 1_000_000n

export const isDoubted = (number: KeptNumber): number is DoubtedNumber => number.doubt !== undefined

/** The doubtful numbers from the server that no operator has confirmed yet. */
export async function doubtfulNumbers(store: Store): Promise<DoubtfulNumber[]> {
  const kept = (await store.enrolment.get())?.numbers ?? []
  const shown = kept.filter(isDoubted).slice(0, SHOWN)
  return Promise.all(shown.map(async (one) => ({ ...one, known: (await store.numbering.highest(one)) ?? null })))
}

/**
 * Accepts doubtful numbers as an operator saw and checked them: sales continue above them.
 * @throws FiskError 409 when the server sends another number now, a company is missing, or none is left to go on with
 */
export async function confirmNumbers(
  store: Store,
  by: Principal,
  confirmed: readonly (Sequence & { highest: string })[],
  now: EpochMs,
): Promise<void> {
  await store.transaction(async (tx) => {
    const kept = (await tx.enrolment.get())?.numbers ?? []
    const doubted = confirmed.map((one) => {
      const found = kept.find(
        (other) => isDoubted(other) && isSameSequence(other, one) && other.highest === one.highest,
      )
      if (!found) throw refused(`of premises ${one.premisesCode} the server tells something else by now: look again`)
      return found
    })
    for (const one of doubted) await requireUsable(tx, one)
    const numbers = []
    for (const one of doubted) numbers.push(await raiseTo(tx, one, now))
    await tx.enrolment.update({ numbers: kept.filter((one) => !doubted.includes(one)) })
    await audit(tx, by, now, 'numbers.confirmed', { numbers })
  })
}

async function requireUsable(tx: StoreTransaction, { companyId, premisesCode, highest }: KeptNumber): Promise<void> {
  if (!(await tx.companies.get(companyId))) {
    throw refused(`the company of premises ${premisesCode} is not here yet: add it first`)
  }
  if (BigInt(highest) > HIGHEST) {
    throw refused(`above ${highest} at premises ${premisesCode} there would be no numbers left to sell with`)
  }
}

const refused = (why: string) => conflict('numbers', why)
