import type { EpochMs } from './instant.ts'
import { formatZagreb } from './zagreb.ts'

/** Date and time in Zagreb as people read them, the same as on the pages: `25. 11. 2026. 14:30`, or `25/11/2026, 14:30`. */
export function shownTime(at: EpochMs, language: 'hr' | 'en'): string {
  const [date = '', time = ''] = formatZagreb(at, 'dd.MM.yyyy HH:mm:ss').split(' ')
  const [day, month, year] = date.split('.')
  const clock = time.slice(0, -3)
  return language === 'hr' ? `${day}. ${month}. ${year}. ${clock}` : `${day}/${month}/${year}, ${clock}`
}
