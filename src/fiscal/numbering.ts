import { FiskError } from '../domain/errors.ts'
import { higherReceiptNumber, nextReceiptNumber, type SequenceMark } from '../domain/receipt-number.ts'
import type { Sequence } from './model.ts'
import type { StoreTransaction } from './store-port.ts'

/**
 * Takes a receipt number inside the transaction that stores its invoice, so that numbers are gapless and a failed sale
 * gives its number back (interface.md, Receipt number).
 * @param wanted the number the caller supplied, or null for the next one
 * @throws FiskError `hr.sequence_level_conflict` when the premises numbers by the other level this year;
 *   `invoice_already_exists` when the wanted number is known to have been given out before a backup was restored
 */
export async function takeNumber(
  tx: StoreTransaction,
  sequence: Sequence,
  level: SequenceMark,
  wanted: string | null,
): Promise<string> {
  const used = await tx.numbering.level(sequence)
  if (used === undefined) await tx.numbering.setLevel(sequence, level)
  else if (used !== level) {
    const message = `premises ${sequence.premisesCode} numbers by ${used} in ${sequence.year}, not by ${level}`
    throw new FiskError('hr.sequence_level_conflict', message, { param: 'sequence_mark' })
  }
  if (wanted !== null && (await tx.numbering.isKnownUsed(sequence, wanted))) {
    const message = `number ${wanted} was given out before a backup was restored here`
    throw new FiskError('invoice_already_exists', message, { param: 'number' })
  }
  const highest = await tx.numbering.highest(sequence)
  const number = wanted ?? nextReceiptNumber(highest)
  if (number === undefined) {
    throw new FiskError('hr.invalid_receipt_number', 'the 20 digits of receipt numbers are used up', {
      param: 'number',
    })
  }
  await tx.numbering.setHighest(sequence, higherReceiptNumber(highest, number))
  return number
}
