import type { SequenceMark } from '../../../domain/sale/receipt-number.ts'
import type { NumberAhead, ReservedNumbers, Sequence } from '../model.ts'

export interface NumberingRows {
  /** The level a premises numbers by in a year, undefined before its first receipt. */
  level(premises: Omit<Sequence, 'register'>): Promise<SequenceMark | undefined>
  setLevel(premises: Omit<Sequence, 'register'>, level: SequenceMark): Promise<void>
  /** Of every premises and year, without premises of gateways. */
  levels(): Promise<(Omit<Sequence, 'register'> & { level: SequenceMark })[]>
  /** The highest number in a sequence that counting followed. */
  highest(sequence: Sequence): Promise<string | undefined>
  /** The same, and whether any number of the sequence lies ahead of its counting or did so once. */
  course(sequence: Sequence): Promise<{ highest: string | undefined; hasAhead: boolean }>
  /** It only rises; `0` for a sequence that has nothing yet that counting follows. */
  setHighest(sequence: Sequence, number: string): Promise<void>
  /**
   * Has a sequence go on after a lower number. The one that it ended at must have been noted as ahead. Reserved ranges
   * beyond it end there, too.
   */
  fall(sequence: Sequence, to: string): Promise<void>
  /** Notes numbers that counting does not follow, each once. */
  noteAhead(numbers: readonly NumberAhead[]): Promise<void>
  /** Those of these numbers that were noted as ahead. */
  aheadAmong(sequence: Sequence, numbers: readonly string[]): Promise<string[]>
  /** Every number that was ever noted as ahead, without premises of gateways. */
  ahead(): Promise<NumberAhead[]>
  /** What was noted of one sequence, the latest first. */
  aheadOf(sequence: Sequence, limit: number): Promise<NumberAhead[]>
  /** How many numbers lie ahead of each sequence since a year, where there are any; without premises of gateways. */
  aheadCounts(fromYear: number): Promise<(Sequence & { highest: string; count: number })[]>
  /** The numbers of a sequence that sales here have and that were not noted as ahead, in no order. Reads all of them. */
  used(sequence: Sequence): Promise<{ number: string; invoiceId: string }[]>
  /** The sequences of a premises, whoever gives out its numbers. */
  sequencesOf(companyId: string, premisesCode: string): Promise<(Sequence & { highest: string })[]>
  /** Sequences since a year whose highest number is at least this one of 20 digits, without premises of gateways. */
  sequencesFrom(number: string, fromYear: number): Promise<(Sequence & { highest: string })[]>
  /** Every sequence with the highest number used in it, without premises of gateways. */
  sequences(): Promise<(Sequence & { highest: string })[]>
  /** Takes numbers out of use for ever; the sequence goes on after the last. */
  reserve(numbers: ReservedNumbers): Promise<void>
  reserved(): Promise<ReservedNumbers[]>
  /** Whether a number lies where reserved numbers are known to have been given out. */
  isKnownUsed(sequence: Sequence, number: string): Promise<boolean>
}
