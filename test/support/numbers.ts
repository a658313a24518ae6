import { type Taker, takeNumber } from '../../src/fiscal/numbering/take-number.ts'
import type { Sequence } from '../../src/fiscal/ports/model.ts'
import type { StoreTransaction } from '../../src/fiscal/ports/store.ts'

/** Takes a number as a sale does, whose invoice is not stored. */
export async function takeAsSale(
  tx: StoreTransaction,
  sequence: Sequence,
  wanted: string | null,
  taker: Taker,
): Promise<string> {
  const state = await tx.sales.take(sequence)
  const { number, highest } = await takeNumber(tx, sequence, state, 'P', wanted, taker)
  await tx.numbering.setHighest(sequence, highest)
  return number
}
