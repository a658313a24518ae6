import type { EpochMs } from '../../domain/instant.ts'
import { type Sequence, sequenceKey } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Notes numbers ahead in earlier databases: their sales may be missing here, and no other may get their numbers. */
export async function carryNumbersAhead(
  { numbering }: StoreTransaction,
  ahead: readonly (Sequence & { number: string })[],
  now: EpochMs,
): Promise<void> {
  const followed = new Map<string, Set<string>>()
  for (const { number, ...sequence } of ahead) {
    const key = sequenceKey(sequence)
    const used = followed.get(key) ?? new Set((await numbering.used(sequence)).map((one) => one.number))
    followed.set(key, used)
    // A sale here has the number, so the counting has followed or noted it.
    if (used.has(number) || (await numbering.aheadAmong(sequence, [number])).length > 0) continue
    await numbering.noteAhead([{ ...sequence, number, invoiceId: null, notedAt: now }])
    await numbering.setHighest(sequence, (await numbering.highest(sequence)) ?? '0')
  }
}
