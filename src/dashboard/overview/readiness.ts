import type { MachineCounts } from '../../fiscal/machines/machines.ts'
import type { Overview } from '../../fiscal/office/overview.ts'
import { machinesIn } from '../devices/addresses.ts'
import type { Formats } from '../formats.ts'
import type { OverviewTexts } from './texts.ts'

/** How many machines sell, how many earn nothing, and of how many that is not known; each part leads to its machines. */
export function readinessOf(counts: MachineCounts, { own, authority }: Overview, t: OverviewTexts, f: Formats) {
  const { total, sells, unknown } = counts
  const idle = total - sells - unknown
  const { readiness: r } = t
  const notes =
    authority && !authority.health.reachable && sells > 0 ? [authority.closedByTimetable ? t.closed : t.away] : []
  const plain = (kind: 'ok' | 'warn' | 'plain', text: string) => ({ kind, parts: [{ text, href: null }], notes })
  if (total === 0) return plain(own.problems.length > 0 ? 'warn' : 'plain', r.nothing)
  if (sells === total) return plain('ok', r.all)
  const parts = [
    { text: r.sells(sells, f.count(sells), f.count(total)), href: machinesIn('sells') },
    ...(idle > 0 ? [{ text: r.idle(idle, f.count(idle)), href: '/dashboard/not-earning' }] : []),
    ...(unknown > 0 ? [{ text: r.unknown(f.count(unknown)), href: machinesIn('unknown') }] : []),
  ]
  return { kind: sells === 0 && unknown === 0 ? ('bad' as const) : ('warn' as const), parts, notes }
}
