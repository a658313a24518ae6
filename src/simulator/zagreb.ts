const FIELDS = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Zagreb',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

const MESSAGE_TIME = /^(\d{2})\.(\d{2})\.(\d{4})(T\d{2}:\d{2}:\d{2})$/
const HOUR_MS = 60 * 60 * 1000

/** A moment in the format of messages: `dd.MM.yyyyTHH:mm:ss`, local time in Zagreb. */
export function messageTime(epochMs: number): string {
  const part = Object.fromEntries(FIELDS.formatToParts(epochMs).map(({ type, value }) => [type, value]))
  return `${part.day}.${part.month}.${part.year}T${part.hour}:${part.minute}:${part.second}`
}

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
