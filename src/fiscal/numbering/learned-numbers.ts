import type { EpochMs } from '../../domain/instant.ts'
import { isWithinReach } from '../../domain/sale/receipt-number.ts'
import { audit } from '../access/audit-log.ts'
import type { Principal } from '../access/principal.ts'
import { type JsonObject, type Sequence, sequenceKey, sequenceOf } from '../ports/model.ts'
import type { KeptNumber, SeenNumber } from '../ports/rows/numbering.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** A number from the server that is higher than the highest number here. */
export interface LearnedNumber extends SeenNumber {
  /** The highest number here before. */
  from: string | null
}

/**
 * Takes numbers out of use that a server knows and this database does not, so that none is given out twice after a
 * restore or on a new memory card. A number far above the known ones is not learned: one wrong message would leave no
 * numbers to sell with.
 * @param isBelieved whether the server has signed the numbers; if not, none is learned
 * @returns the learned numbers, and those to keep: their company is missing here, or an operator has to check them
 */
export async function learnNumbers(
  tx: StoreTransaction,
  by: Pick<Principal, 'id' | 'tenantId'>,
  seen: readonly SeenNumber[],
  now: EpochMs,
  isBelieved: boolean,
): Promise<{ learned: LearnedNumber[]; kept: KeptNumber[] }> {
  const learned: LearnedNumber[] = []
  const kept: KeptNumber[] = []
  const numbers: JsonObject[] = []
  // Reach counts from what stood here before the answer, however often it names a sequence.
  const before = new Map<string, string | undefined>()
  for (const number of seen) before.set(sequenceKey(number), await tx.numbering.highest(number))
  for (const number of seen) {
    const ours = before.get(sequenceKey(number))
    const isNews = BigInt(ours ?? 0) < BigInt(number.highest)
    if (!isBelieved) {
      if (isNews) kept.push({ ...number, doubt: 'unsigned' })
    } else if (!(await tx.companies.get(number.companyId))) kept.push(number)
    else if (!isNews) await setLevel(tx, number)
    else if (!isWithinReach(number.highest, ours)) kept.push({ ...number, doubt: 'out_of_reach' })
    else {
      numbers.push(await raiseTo(tx, number, now))
      learned.push({ ...number, from: ours ?? null })
    }
  }
  if (learned.length > 0) await audit(tx, by, now, 'numbers.learned', { numbers })
  return { learned, kept }
}

/** A sequence in the audit log. */
export function toldSequence({ companyId, mode, premisesCode, year, register }: Sequence) {
  return { company_id: companyId, mode, premises_code: premisesCode, year, register }
}

/** Takes all numbers up to this one out of use, in the given transaction. @returns the entry for the audit log */
export async function raiseTo(tx: StoreTransaction, number: SeenNumber, now: EpochMs): Promise<JsonObject> {
  const { highest: last } = number
  const sequence = sequenceOf(number)
  await tx.numbering.lockPremises(sequence)
  await setLevel(tx, number)
  const from = (await tx.numbering.highest(sequence)) ?? null
  if (BigInt(from ?? 0) < BigInt(last)) {
    const first = String(BigInt(from ?? 0) + 1n)
    await tx.numbering.reserve({ ...sequence, first, last, usedTo: last, reservedAt: now })
  }
  return { ...toldSequence(sequence), from, to: last }
}

async function setLevel(tx: StoreTransaction, { level, ...number }: SeenNumber): Promise<void> {
  if (level !== null && (await tx.numbering.level(number)) === undefined) await tx.numbering.setLevel(number, level)
}

/** Learns the server's numbers of a new company before it can sell. */
export async function learnNumbersOf(
  tx: StoreTransaction,
  by: Pick<Principal, 'id' | 'tenantId'>,
  companyId: string,
  now: EpochMs,
): Promise<void> {
  const waiting = (await tx.enrolment.get())?.numbers ?? []
  const own = waiting.filter((number) => number.companyId === companyId && number.doubt === undefined)
  if (own.length === 0) return
  const { kept } = await learnNumbers(tx, by, own, now, true)
  await tx.enrolment.update({ numbers: [...waiting.filter((number) => !own.includes(number)), ...kept] })
}
