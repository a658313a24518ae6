import type { SequenceMark } from '../../../domain/sale/receipt-number.ts'
import type { Journal, NumberAhead, ReservedNumbers, Sequence } from '../model.ts'

export interface NumberingRows {
  /**
   * Waits until no other transaction gives out or changes numbers of these premises, and keeps others from it until
   * this transaction ends. Call it before the first read of numbers. On SQLite transactions never overlap anyway.
   */
  lockPremises(...premises: Journal[]): Promise<void>
  /** The numbering level of a premises in a year; undefined before its first receipt. */
  level(premises: Omit<Sequence, 'register'>): Promise<SequenceMark | undefined>
  setLevel(premises: Omit<Sequence, 'register'>, level: SequenceMark): Promise<void>
  /** The levels of all premises and years, without premises of gateways. */
  levels(): Promise<(Omit<Sequence, 'register'> & { level: SequenceMark })[]>
  /** The highest number in a sequence that the counting followed. */
  highest(sequence: Sequence): Promise<string | undefined>
  /** Raises the highest number, never lowers it; `0` creates a sequence that has no followed number yet. */
  setHighest(sequence: Sequence, number: string): Promise<void>
  /**
   * Lets a sequence continue after a lower number. The number it ended at must already be noted as ahead. Reserved
   * ranges beyond it end there, too.
   */
  fall(sequence: Sequence, to: string): Promise<void>
  /** Notes numbers that the counting does not follow, each once. */
  noteAhead(numbers: readonly NumberAhead[]): Promise<void>
  /** The given numbers that were noted as ahead. */
  aheadAmong(sequence: Sequence, numbers: readonly string[]): Promise<string[]>
  /** Every number that was ever noted as ahead, without premises of gateways. */
  ahead(): Promise<NumberAhead[]>
  /** The numbers noted as ahead in one sequence, the latest first. */
  aheadOf(sequence: Sequence, limit: number): Promise<NumberAhead[]>
  /** Per sequence since a year, how many numbers lie ahead; those without any and premises of gateways are left out. */
  aheadCounts(fromYear: number): Promise<(Sequence & { highest: string; count: number })[]>
  /** The numbers of own sales in a sequence that were not noted as ahead, in no order. Reads all its sales. */
  used(sequence: Sequence): Promise<{ number: string; invoiceId: string }[]>
  /** The sequences of a premises, also when a gateway gives out its numbers. */
  sequencesOf(companyId: string, premisesCode: string): Promise<(Sequence & { highest: string })[]>
  /** Sequences since a year whose highest number is at least this one of 20 digits, without premises of gateways. */
  sequencesFrom(number: string, fromYear: number): Promise<(Sequence & { highest: string })[]>
  /** Every sequence with the highest number used in it, without premises of gateways. */
  sequences(): Promise<(Sequence & { highest: string })[]>
  /** Takes numbers out of use permanently; the sequence continues after the last one. */
  reserve(numbers: ReservedNumbers): Promise<void>
  reserved(): Promise<ReservedNumbers[]>
  /** Whether a number is in the part of a reserved range that is known to be used. */
  isKnownUsed(sequence: Sequence, number: string): Promise<boolean>
}

/** The highest number of a sequence that is known to have been given out. */
export interface SeenNumber extends Sequence {
  highest: string
  level: SequenceMark | null
}

/** Kept fact of a restored database: how many numbers all restores have skipped that its central server was not told. */
export const SKIPPED_UNTOLD = 'skipped_untold'

/** Why a number is doubted: it is far above every number known here, or the server's signature is missing. */
export type NumberDoubt = 'out_of_reach' | 'unsigned'

export type KeptNumber = SeenNumber & { doubt?: NumberDoubt }

export type DoubtedNumber = SeenNumber & { doubt: NumberDoubt }
