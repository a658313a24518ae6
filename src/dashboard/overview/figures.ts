import { type Machine, machineState } from '../../fiscal/machines/machine.ts'
import type { Overview } from '../../fiscal/office/overview.ts'
import { machinesIn } from '../devices/filter.ts'
import type { Formats } from '../formats.ts'
import type { OverviewTexts } from './texts.ts'

export interface Figure {
  name: string
  value: string
  /** Against what `than` says, such as `+3 %`; empty where there is nothing to compare with. */
  change: string
  than: string
  /** What the figure is made of, each with the list of exactly so many rows. */
  parts: { id: string; text: string; href: string }[]
}

/** The invoices without a JIR, of each kind; of those that were refused or are too late where there are any. */
export function withoutJir({ sales, mode }: Overview, { figures: t }: OverviewTexts, f: Formats): Figure {
  const { waiting, failed, expired, oldestAt } = sales
  const part = (status: string, count: number, text: string, order = '') => ({
    ...{ count, id: `figure-${status}`, text: `${f.count(count)} ${text}` },
    href: `/dashboard/invoices?mode=${mode}&status=${status}${order}`,
  })
  return {
    ...{ name: t.withoutJir, value: f.count(waiting + failed + expired), change: '' },
    than: oldestAt === null ? t.noneWaiting : t.oldest(f.ago(oldestAt)),
    parts: [
      part('waiting', waiting, t.waiting, '&order=oldest'),
      part('failed', failed, t.failed),
      part('expired', expired, t.expired),
    ].filter(({ count }) => count > 0),
  }
}

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
