import { formatZagreb } from '../../domain/zagreb.ts'

/** An ISO 8601 time as people in Croatia read it, in Europe/Zagreb; null stays null. */
export function localTime(iso: string | null): string | null {
  if (iso === null) return null
  const at = Date.parse(iso)
  return Number.isNaN(at) ? iso : formatZagreb(at, 'dd.MM.yyyy HH:mm:ss')
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** The two largest units of a length of time: `3 d 4 h`, `12 min`, `40 s`. */
export function duration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  if (rest < 60) return `${rest} s`
  const parts: string[] = []
  for (const [name, length] of UNITS) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0 || parts.length > 0) parts.push(`${count} ${name}`)
  }
  return parts.slice(0, 2).join(' ')
}

/** A time with its distance from another one: `21.11.2026 14:00:00 (2 h 5 min ago)`; null stays null. */
export function withDistance(iso: string | null, nowIso: string): string | null {
  const shown = localTime(iso)
  if (iso === null || shown === null) return null
  const seconds = (Date.parse(iso) - Date.parse(nowIso)) / 1000
  if (Number.isNaN(seconds)) return shown
  return seconds < 0 ? `${shown} (${duration(-seconds)} ago)` : `${shown} (in ${duration(seconds)})`
}
