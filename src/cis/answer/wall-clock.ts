import type { EpochMs } from '../../domain/instant.ts'
import { formatZagreb, momentInZagreb } from '../../domain/zagreb.ts'

const WALL_CLOCK = /^\d{2}\.\d{2}\.\d{4}T\d{2}:\d{2}:\d{2}$/

/** A wall clock in Zagreb as messages have it; null when it is none, or ambiguous. */
export function momentOf(text: string): EpochMs | null {
  const date = text.trim()
  if (!WALL_CLOCK.test(date)) return null
  const part = (from: number, to: number) => Number(date.slice(from, to))
  const shown = Date.UTC(part(6, 10), part(3, 5) - 1, part(0, 2), part(11, 13), part(14, 16), part(17, 19))
  const moment = momentInZagreb(shown)
  // `Date.UTC` turns 31 February into a day in March.
  return moment !== null && formatZagreb(moment, 'dd.MM.yyyyTHH:mm:ss') === date ? moment : null
}
