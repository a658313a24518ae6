import type { EpochMs } from '../../domain/instant.ts'
import { formatZagreb, momentInZagreb } from '../../domain/zagreb.ts'

const WALL_CLOCK = /^\d{2}\.\d{2}\.\d{4}T\d{2}:\d{2}:\d{2}$/

/** A wall clock in Zagreb as messages have it; null when it is none, or ambiguous. */
export function momentOf(text: string): EpochMs | null {
  const date = text.trim()
  if (!WALL_CLOCK.test(date)) return null
  const [day, month, year] = [Number(date.slice(0, 2)), Number(date.slice(3, 5)), Number(date.slice(6, 10))]
  const [hour, minute, second] = [Number(date.slice(11, 13)), Number(date.slice(14, 16)), Number(date.slice(17))]
  const moment = momentInZagreb(Date.UTC(year, month - 1, day, hour, minute, second))
  // `Date.UTC` turns 31 February into a day in March.
  return moment !== null && formatZagreb(moment, 'dd.MM.yyyyTHH:mm:ss') === date ? moment : null
}
