import type { EpochMs } from '../domain/instant.ts'
import { audit } from './audit.ts'
import type { Principal } from './principal.ts'
import type { StoreTransaction } from './store-port.ts'
import type { SeenNumber } from './sync-port.ts'

/** A number up to which others have seen receipts, and that is above ours. */
export interface LearnedNumber extends SeenNumber {
  /** What was the highest here. */
  from: string | null
}

/**
 * Takes the numbers out of use that a server has seen and this database has not: after a restore, or on a new card, none
 * is given out twice.
 * @returns what was learned, and what cannot be kept yet because its company is not here
 */
export async function learnNumbers(
  tx: StoreTransaction,
  by: Pick<Principal, 'id' | 'tenantId'>,
  seen: readonly SeenNumber[],
  now: EpochMs,
): Promise<{ learned: LearnedNumber[]; homeless: SeenNumber[] }> {
  const learned: LearnedNumber[] = []
  const homeless: SeenNumber[] = []
  for (const number of seen) {
    if (!(await tx.companies.get(number.companyId))) {
      homeless.push(number)
      continue
    }
    const { highest: last, level, ...sequence } = number
    if (level !== null && (await tx.numbering.level(sequence)) === undefined)
      await tx.numbering.setLevel(sequence, level)
    const ours = await tx.numbering.highest(sequence)
    if (BigInt(ours ?? 0) >= BigInt(last)) continue
    const first = String(BigInt(ours ?? 0) + 1n)
    await tx.numbering.reserve({ ...sequence, first, last, usedTo: last, reservedAt: now })
    learned.push({ ...number, from: ours ?? null })
  }
  if (learned.length > 0) {
    const numbers = learned.map(({ companyId, mode, premisesCode, year, register, highest, from }) => ({
      ...{ company_id: companyId, mode, premises_code: premisesCode, year, register, from, to: highest },
    }))
    await audit(tx, by, now, 'numbers.learned', { numbers })
  }
  return { learned, homeless }
}

/** What the server has seen of a company that was not here: before it can sell. */
export async function learnNumbersOf(
  tx: StoreTransaction,
  by: Pick<Principal, 'id' | 'tenantId'>,
  companyId: string,
  now: EpochMs,
): Promise<void> {
  const waiting = (await tx.enrolment.get())?.numbers ?? []
  const own = waiting.filter((number) => number.companyId === companyId)
  if (own.length === 0) return
  await learnNumbers(tx, by, own, now)
  await tx.enrolment.update({ numbers: waiting.filter((number) => number.companyId !== companyId) })
}
