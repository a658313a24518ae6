import type { Overview } from '../../fiscal/office/overview.ts'
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
