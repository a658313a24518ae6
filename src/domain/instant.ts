/** A moment in milliseconds since the Unix epoch. */
export type EpochMs = number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The current time with its uncertainty: the best estimate, and its bounds when the clock is unreliable. */
export interface Present {
  now: EpochMs
  /** The time is certainly not before this. */
  earliest: EpochMs
  /** The time is not after this, which may be before `now` where the clock is ahead; infinite when unknown. */
  latest: EpochMs
}

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/**
 * Reads an ISO 8601 time with seconds, at most nine decimals, and an explicit offset (`Z` or `+hh:mm`), cut to the
 * millisecond. Invalid dates, leap seconds and times without an offset are refused: a guessed offset would change a fiscal
 * record.
 */
export function parseInstant(value: unknown): EpochMs | undefined {
  if (typeof value !== 'string') return undefined
  if (value !== lastRead.text) lastRead = { text: value, at: read(value) }
  return lastRead.at
}

/** What was read last: the time of a sale is read to be checked, and once more to be used. */
let lastRead: { text: string; at: EpochMs | undefined } = { text: '', at: undefined }

function read(text: string): EpochMs | undefined {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '0').slice(0, 3).padEnd(3, '0')))
  const sign = match[8] === '-' ? -1 : 1
  return date.getTime() - sign * (offsetHours * 60 + offsetMinutes) * 60_000
}

/** What a time is like from left to right, and what is said of the first part that is not. */
const PARTS: readonly [RegExp, string][] = [
  [/^\d{4}-\d{2}-\d{2}/, 'it must begin with a date, YYYY-MM-DD'],
  [/^.{10}T/, 'a capital T must stand between date and time'],
  [/^.{11}\d{2}:\d{2}:\d{2}/, 'the time must have hours, minutes and seconds, hh:mm:ss'],
  [/^.{19}(?!,)/, 'decimals must follow a dot'],
  [/^.{19}(?:\.\d{1,9}(?!\d)|[^.]|$)/, 'there must be one to nine decimals'],
  [/^.{19}[.\d]*[^.\d]/, 'the offset is missing'],
  [/^.{19}[.\d]*(?:Z|[+-]\d{2}:\d{2})$/, 'the offset must be Z, +hh:mm or -hh:mm'],
]

/** Which part of a text keeps `parseInstant` from reading it. */
export function instantFault(text: string): string {
  return PARTS.find(([right]) => !right.test(text))?.[1] ?? 'there is no such day, time of day or offset'
}

/** A moment cut to the whole second, the precision of the ZKI and of the fiscal message. */
export function cutToSecond(at: EpochMs): EpochMs {
  return Math.floor(at / 1000) * 1000
}

/** The format of fiskd's own times in responses: UTC with `Z`. */
export function formatInstant(at: EpochMs): string {
  return new Date(at).toISOString()
}
