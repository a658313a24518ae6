import { figure, lineOf, type Told } from '../../chaos/report.ts'
import { outagesOf } from './promises.ts'
import type { Outcome } from './run.ts'
import type { TroubleKind } from './trouble.ts'

/** The figures of a run and every promise, as lines of text. */
export function reportLines(outcome: Outcome, promises: Told[]): string[] {
  const { troubles, load, received, seconds } = outcome
  const times = (kind: TroubleKind) => troubles.filter((trouble) => trouble.kind === kind).length
  const refused = load.sales.reduce((sum, sale) => sum + sale.refusals.length, 0)
  const { posts, unanswered } = load.counts
  return [
    '',
    `in ${seconds.toFixed(0)} s`,
    figure(times('kill'), 'kills of processes'),
    figure(times('stop'), 'immediate stops of PostgreSQL'),
    figure(times('failover'), 'failovers to its standby'),
    figure(times('loss'), 'failovers to one that lacks the sales of the latest 3 s'),
    figure(times('break'), 'times its connections broke in the middle'),
    figure(times('freeze'), 'processes frozen for 30 s'),
    figure(load.sales.length, 'sales'),
    figure(posts, `posts, ${unanswered} of them without an answer, ${refused} refused`),
    figure(received.length, 'messages at the tax authority, those of the gateways among them'),
    ...outagesOf(outcome).map(
      ({ kind, awayMs, firstSaleMs }) =>
        `           ${kind}: away for ${awayMs} ms, first sale ${firstSaleMs} ms after its return`,
    ),
    '',
    ...promises.flatMap(lineOf),
    '',
  ]
}
