import { type Machine, machineState } from '../../fiscal/machines/machine.ts'
import type { Overview } from '../../fiscal/office/overview.ts'
import { machinesIn } from '../devices/addresses.ts'
import type { Formats } from '../formats.ts'
import type { OverviewTexts } from './texts.ts'

/** How many machines sell, how many earn nothing, and of how many that is not known; each part leads to its machines. */
export function readinessOf(machines: readonly Machine[], { authority }: Overview, t: OverviewTexts, f: Formats) {
  const { readiness: r } = t
  const total = machines.length
  const sells = machines.filter((machine) => machineState(machine) === 'sells').length
  const unknown = machines.filter((machine) => machineState(machine) === 'unknown').length
  const idle = total - sells - unknown
  const notes =
    authority && !authority.health.reachable && sells > 0 ? [authority.closedByTimetable ? t.closed : t.away] : []
  if (total === 0) return { says: r.nothing, parts: [], notes }
  const parts = [
    ...(idle > 0 ? [{ text: r.idle(idle, f.count(idle)), href: '/dashboard/not-earning', kind: 't-bad' }] : []),
    ...(unknown > 0 ? [{ text: r.unknown(f.count(unknown)), href: machinesIn('unknown'), kind: '' }] : []),
  ]
  const says = sells === total ? r.all(f.count(total)) : r.sells(sells, f.count(sells), f.count(total))
  return { says, parts, notes }
}
