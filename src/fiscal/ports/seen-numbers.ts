import type { SequenceMark } from '../../domain/sale/receipt-number.ts'
import type { Sequence } from './model.ts'

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
