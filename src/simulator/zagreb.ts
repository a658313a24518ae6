/** `30.11.2026, 14:05:00` */
const IN_GERMAN = new Intl.DateTimeFormat('de', {
  timeZone: 'Europe/Zagreb',
  dateStyle: 'medium',
  timeStyle: 'medium',
})

const MESSAGE_TIME = /^(\d{2})\.(\d{2})\.(\d{4})(T\d{2}:\d{2}:\d{2})$/
const HOUR_MS = 60 * 60 * 1000

/** A moment in the format of messages: `dd.MM.yyyyTHH:mm:ss`, local time in Zagreb. */
export const messageTime = (epochMs: number): string => IN_GERMAN.format(epochMs).replace(', ', 'T')

/**
 * The moments that a local time can mean, the earliest first: usually one; two in the hour that October repeats; in the
 * hour that March skips, the moment an hour before clocks would show it. Null when the date does not exist.
 */
export function momentsOf(text: string): { earliest: number; latest: number } | null {
  const written = text.replace(MESSAGE_TIME, '$3-$2-$1$4.000Z')
  const asUtc = Date.parse(written)
  // 31 February is read as a day in March.
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString() !== written) return null

  // Summer time is UTC+2, winter time UTC+1: a candidate is valid when it formats to the same text.
  const candidates = [asUtc - 2 * HOUR_MS, asUtc - HOUR_MS].filter((moment) => messageTime(moment) === text)
  const [earliest = asUtc - 2 * HOUR_MS] = candidates
  return { earliest, latest: candidates.at(-1) ?? earliest }
}
