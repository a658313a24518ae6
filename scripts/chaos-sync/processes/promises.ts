import type { Received } from '../../chaos/authority.ts'
import { judge } from '../../chaos/judge.ts'
import type { Told } from '../../chaos/report.ts'
import { tick } from '../../chaos/wait.ts'
import type { SyncChaosOptions } from '../options.ts'
import { differences } from '../rows.ts'
import type { KeptByServer } from './evidence.ts'
import { fencedWrites } from './fenced.ts'
import { needless } from './needless.ts'
import type { Outcome } from './run.ts'
import { FIRST_AFTER_LOSS_MS } from './trouble.ts'

/** After PostgreSQL takes statements again. */
const FIRST_SALE_MS = 3000
const SETTLED_MS = 60_000

type Sources = Pick<Outcome, 'load' | 'shown' | 'troubles'> & { kept: KeptByServer; received: Received[] }

/** What the sources say of the server's own sales. @returns a promise for each thing that has to hold, kept or not */
export function promisesAboutSales({ load, shown, kept, received, troubles }: Sources): Told[] {
  const ids = new Set(kept.invoices.map(({ premisesCode }) => premisesCode))
  const ours = received.filter(({ premisesCode }) => ids.has(premisesCode))
  const ahead = Date.now() - tick()
  const losses = troubles.filter(({ kind }) => kind === 'loss')
  // The latest of them are told when the primary is gone.
  const lost = losses.map(({ from, lacksFrom = from }) => ({ from: lacksFrom - 1000, to: from + 1000 }))
  const confirmedAt = new Map([...kept.confirmedAt].map(([id, at]) => [id, at - ahead]))
  return [
    ...judge({ sales: load.sales, shown, kept, received: ours, paper: [], lost }),
    {
      looked: kept.invoices.length,
      promise: 'invoices stand in journals that are sealed and numbered as the doctor wants them',
      problems: kept.journal,
    },
    {
      looked: ours.length,
      promise: 'messages at the tax authority, none of them sent without need',
      problems: needless(ours, kept.invoices, confirmedAt, troubles),
    },
  ]
}

/** Every promise of the run with what was counted, kept or not. */
export function promisesOf(outcome: Outcome, options: SyncChaosOptions): Told[] {
  const { load, troubles, writes, received, told, settledMs, ownEnds } = outcome
  const refusals = load.sales.flatMap((sale) => sale.refusals)
  const { onItsWay, problems } = fencedWrites(writes, received, troubles)
  return [
    ...promisesAboutSales(outcome),
    {
      looked: load.sales.length,
      promise: `sales, of ${options.sales} that were wanted`,
      problems: load.sales.length < options.sales ? ['there were fewer'] : [],
    },
    {
      looked: load.counts.posts,
      promise: 'posts, none of them refused but with 500 internal_error',
      problems: [...new Set(refusals.filter((refusal) => refusal !== '500 internal_error'))],
    },
    {
      looked: told.gateways.size,
      promise: 'invoices of the gateways, the same at the server, field by field',
      problems: differences('invoices', told.gateways, told.server),
    },
    {
      looked: outagesOf(outcome).length,
      promise: `times PostgreSQL was away, each time with a sale within ${FIRST_SALE_MS} ms after it was back, or ${FIRST_AFTER_LOSS_MS} where it lacked sales`,
      problems: outagesOf(outcome)
        .filter(
          ({ kind, firstSaleMs }) =>
            firstSaleMs === null || firstSaleMs > (kind === 'loss' ? FIRST_AFTER_LOSS_MS : FIRST_SALE_MS),
        )
        .map(({ kind, firstSaleMs }) => `${kind}: ${firstSaleMs === null ? 'no sale any more' : `${firstSaleMs} ms`}`),
    },
    {
      looked: settledMs ?? 0,
      promise: `ms after PostgreSQL was back nothing waited at the gateways any more, of ${SETTLED_MS}`,
      problems: settledMs === null || settledMs > SETTLED_MS ? ['that is too late'] : [],
    },
    {
      looked: onItsWay,
      promise: 'messages were on their way when their process was frozen, and it stored nothing of them later',
      problems: onItsWay === 0 ? ['no frozen process had anything on its way'] : problems,
    },
    {
      looked: ownEnds.length,
      promise: 'processes ended by themselves',
      problems: ownEnds.map(({ name, lastWords }) => `${name}: ${reasonOf(lastWords)}`),
    },
  ]
}

/** How long after each return of PostgreSQL the first sale was answered with 200. */
export function outagesOf({ troubles, load }: Pick<Outcome, 'troubles' | 'load'>) {
  const answers = load.sales.flatMap(({ seen }) => seen.map(({ at }) => at)).sort((one, other) => one - other)
  return troubles
    .filter(({ kind }) => kind === 'stop' || kind === 'failover' || kind === 'loss')
    .map(({ kind, from, to }) => {
      const first = answers.find((at) => at >= to)
      return { kind, awayMs: to - from, firstSaleMs: first === undefined ? null : first - to }
    })
}

/** What it said when it gave up, or else last. */
function reasonOf(lastWords: string): string {
  const lines = lastWords.split('\n')
  const fatal = lines.findLast((line) => line.includes('"level":60'))
  return (/"message":"([^"]*)"/.exec(fatal ?? '')?.[1] ?? lines.at(-1) ?? '').slice(0, 200)
}
