import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import {
  higherReceiptNumber,
  isWithinReach,
  nextReceiptNumber,
  type SequenceMark,
} from '../../domain/sale/receipt-number.ts'
import type { Sequence } from '../ports/model.ts'
import type { PremisesState } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The sale that takes a number. */
export interface Taker {
  invoiceId: string
  now: EpochMs
}

/** A number, and the new highest number of its sequence. */
export interface TakenNumber {
  number: string
  highest: string
}

/**
 * Chooses a receipt number inside the transaction that stores its invoice, so that numbers have no gaps and a failed
 * sale returns its number (docs/spec/interface.md, Receipt number). The counting follows a supplied number only
 * within reach; otherwise one sale could use up its premises. A number farther ahead is noted and skipped when the
 * counting gets there.
 * @param wanted the number the caller supplied, or null for the next one
 * @throws FiskError `hr.sequence_level_conflict` when the premises numbers by the other level this year;
 *   `invoice_already_exists` when the wanted number was already given out, even if its sale is not stored here;
 *   `hr.invalid_receipt_number` when the sequence is used up
 */
export async function takeNumber(
  tx: StoreTransaction,
  sequence: Sequence,
  state: PremisesState,
  level: SequenceMark,
  wanted: string | null,
  taker: Taker,
): Promise<TakenNumber> {
  if (state.level === undefined) await tx.numbering.setLevel(sequence, level)
  else if (state.level !== level) {
    const message = `premises ${sequence.premisesCode} numbers by ${state.level} in ${sequence.year}, not by ${level}`
    throw new FiskError('hr.sequence_level_conflict', message, { param: 'sequence_mark' })
  }
  if (wanted !== null) return { number: wanted, highest: await takeWanted(tx, sequence, state, wanted, taker) }
  const next = nextReceiptNumber(state.highest)
  const number = state.hasAhead ? await firstUnused(tx, sequence, next) : next
  if (number === undefined) {
    const message = `the receipt numbers of premises ${sequence.premisesCode} are used up: fisk numbers list`
    throw new FiskError('hr.invalid_receipt_number', message, { param: 'number' })
  }
  return { number, highest: number }
}

/** @returns the new highest number of the sequence */
async function takeWanted(
  tx: StoreTransaction,
  sequence: Sequence,
  { highest }: PremisesState,
  wanted: string,
  { invoiceId, now }: Taker,
): Promise<string> {
  const refuse = (message: string) => new FiskError('invoice_already_exists', message, { param: 'number' })
  if (await tx.numbering.isKnownUsed(sequence, wanted)) {
    throw refuse(`number ${wanted} was given out before a backup was restored here`)
  }
  // The sale with this number may be in a database that no longer exists.
  if ((await tx.numbering.aheadAmong(sequence, [wanted])).length > 0) {
    throw refuse(`number ${wanted} is already used at this selling point`)
  }
  if (isWithinReach(wanted, highest)) return higherReceiptNumber(highest, wanted)
  await tx.numbering.noteAhead([{ ...sequence, number: wanted, invoiceId, notedAt: now }])
  return highest ?? '0'
}

/** How many numbers are read in one query: the counting may have to skip a long run of supplied numbers. */
const AT_ONCE = 100

async function firstUnused(
  tx: StoreTransaction,
  sequence: Sequence,
  from: string | undefined,
): Promise<string | undefined> {
  // The first number is almost always free.
  for (let [first, count] = [from, 1]; first !== undefined; count = AT_ONCE) {
    const asked: string[] = []
    for (let one: string | undefined = first; one !== undefined && asked.length < count; ) {
      asked.push(one)
      one = nextReceiptNumber(one)
    }
    const used = new Set(await tx.numbering.aheadAmong(sequence, asked))
    const free = asked.find((number) => !used.has(number))
    if (free !== undefined) return free
    first = nextReceiptNumber(asked.at(-1))
  }
  return undefined
}
