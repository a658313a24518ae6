import type { PrinterCondition } from '../printer.ts'

/** The roll in a printer, and what was learnt from earlier ones. All lengths are of what was printed, in millimetres. */
export interface PaperRoll {
  /** Since the roll was changed, or since counting began. */
  mm: number
  receipts: number
  /** Whether the roll was new when counting began. */
  isWhole: boolean
  /** What was seen last; `taken`: the paper was gone while the printer was open. */
  paper: 'ok' | 'near_end' | 'out' | 'taken' | null
  /** `mm` when the paper came near its end; null before, or when that moment was not seen. */
  nearEndMm: number | null
  /** Learnt: the length of a roll. */
  rollMm: number | null
  /** Learnt: what is left of a roll when its end is near. */
  restMm: number | null
  /** The length of a receipt of the rolls before. */
  receiptMm: number | null
}

export const UNKNOWN_ROLL: PaperRoll = {
  mm: 0,
  receipts: 0,
  isWhole: false,
  paper: null,
  nearEndMm: null,
  rollMm: null,
  restMm: null,
  receiptMm: null,
}

/** Less is no roll: the sensor was touched, or a leftover was loaded. */
const LEAST_ROLL_MM = 3000
const LEAST_REST_MM = 200

/**
 * The roll after its printer has reported its paper. Only if the cover was open, or the printer away, at this report or
 * the one before (`wasOpen`), can a roll have been changed.
 */
export function withPaper(roll: PaperRoll, paper: NonNullable<PrinterCondition['paper']>, wasOpen: boolean): PaperRoll {
  const isGone = roll.paper === 'out' || roll.paper === 'taken'
  if (roll.paper === paper || (paper === 'out' && isGone)) return roll
  if (paper === 'out') return gone(roll, wasOpen)
  if (isGone || (roll.paper === 'near_end' && wasOpen)) return changed(roll, paper)
  // A sensor at the end of a roll may go back and forth: its first word counts.
  const nearEndMm = roll.nearEndMm ?? (roll.paper === 'ok' && paper === 'near_end' ? roll.mm : null)
  // A new roll has no end so soon: the machine was off, or open, while the sensor went back and forth.
  const isWhole = roll.isWhole && (paper !== 'near_end' || roll.mm >= LEAST_ROLL_MM)
  return { ...roll, paper, nearEndMm, isWhole }
}

/** After so much paper, a roll that reads ok was changed without a sign of it. */
const MOST_REST_MM = 20_000

/** Whether the roll was near its end before, whatever its sensor says now. */
export function wasNearEnd({ mm, nearEndMm }: PaperRoll): boolean {
  return nearEndMm !== null && mm - nearEndMm < MOST_REST_MM
}

/** A roll that was taken out by hand teaches nothing. */
function gone(roll: PaperRoll, wasOpen: boolean): PaperRoll {
  if (wasOpen) return { ...roll, paper: roll.paper === 'near_end' ? 'out' : 'taken' }
  const { mm, nearEndMm, isWhole } = roll
  return {
    ...roll,
    paper: 'out',
    rollMm: isWhole && mm >= LEAST_ROLL_MM ? blend(roll.rollMm, mm) : roll.rollMm,
    restMm: nearEndMm !== null && mm - nearEndMm >= LEAST_REST_MM ? blend(roll.restMm, mm - nearEndMm) : roll.restMm,
  }
}

/** A person who took a roll out before its end may have put the same one in again. */
function changed(roll: PaperRoll, paper: 'ok' | 'near_end'): PaperRoll {
  const isWhole = roll.paper !== 'taken' && paper === 'ok'
  return { ...roll, mm: 0, receipts: 0, isWhole, paper, nearEndMm: null, receiptMm: receiptMmOf(roll) }
}

/** Later rolls count as much as all before: operators buy other rolls. */
function blend(known: number | null, seen: number): number {
  return Math.round(known === null ? seen : (known + seen) / 2)
}

/** Fewer receipts say little about the next ones. */
const ENOUGH_RECEIPTS = 10

function receiptMmOf({ mm, receipts, receiptMm }: PaperRoll): number | null {
  return receipts >= ENOUGH_RECEIPTS || (receiptMm === null && receipts > 0) ? Math.round(mm / receipts) : receiptMm
}

/** About how many receipts fit on the rest of the roll, rounded down; null until that was learnt from an earlier roll. */
export function receiptsLeft(roll: PaperRoll): number | null {
  const left = leftMm(roll)
  const each = receiptMmOf(roll)
  if (left === null || each === null || each <= 0) return null
  const count = Math.floor(left / each)
  const step = count < 20 ? 1 : count < 100 ? 5 : 10
  return count > 0 ? count - (count % step) : null
}

function leftMm({ paper, mm, nearEndMm, restMm, rollMm, isWhole }: PaperRoll): number | null {
  if (paper === 'near_end') return nearEndMm === null || restMm === null ? null : restMm - (mm - nearEndMm)
  return paper === 'ok' && isWhole && rollMm !== null ? rollMm - mm : null
}
