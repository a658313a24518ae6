import { groupBy, severalOf } from '../../chaos/compare.ts'
import type { Told } from '../../chaos/report.ts'
import { promisesAboutSales } from '../processes/promises.ts'
import { differences } from '../rows.ts'
import type { Case, Outcome } from './run.ts'

/** How much longer no sale is acknowledged than no plain write: a process notices, decides again, and a machine asks again. */
const MOST_MORE_MS = 3000
/** Nothing was written for so long: each process says that it is down. */
const DOWN_MS = 5000

/** The columns of the table, and what has to hold of each fault. */
const COLUMNS = {
  sales: 'faults were seen to their end, with sales after it',
  'no sale s': `faults, each without a sale for at most ${MOST_MORE_MS} ms more than without a plain write`,
  'no write s': 'faults, each with plain writes after it',
  lost: 'faults, each without the loss of an acknowledged sale',
  twice: 'faults, each without a number that was told or sent twice',
  'bare 5xx': 'faults, each without an answer 5xx that lacks Retry-After',
  missing: 'faults, each with the rows of the gateway at the server a minute after its end',
  health: 'faults, each without a health that is well where nothing was written for long',
} as const
type Column = keyof typeof COLUMNS

type Sources = Pick<Outcome, 'cases' | 'kept' | 'received'>

/** Each fault by what the machines saw, the database at the end, and the tax authority. */
function rowsOf({ cases, kept, received }: Sources) {
  const stored = new Set(kept.invoices.map(({ id, number, zki }) => `${id} ${number} ${zki}`))
  const named = received.map((message) => ({ ...message, name: nameOf(message) }))
  const told = groupBy(cases.flatMap(answersOf), ({ name }) => name)
  const sent = groupBy(named, ({ name }) => name)
  return cases.map((seen) => {
    const { from, to, writes, missing, failure } = seen
    const answers = answersOf(seen)
    const ats = answers.map(({ at }) => at)
    const [gapMs, writesGapMs] = [longest(ats), longest(writes)]
    const silences = gapsIn([...ats, ...writes]).map((gap) => ({ ...gap, from: gap.from + DOWN_MS }))
    const asked = seen.said.filter((one) => silences.some((gap) => gap.from <= one.asked && one.answered <= gap.to))
    const messages = named.filter(({ arrivedAt }) => from <= arrivedAt && arrivedAt <= to)
    const numbers = [...new Set([...answers, ...messages].map(({ name }) => name))]
    const problems: Record<Column, readonly string[]> = {
      sales: failure === null ? [] : [failure],
      'no sale s': gapMs > writesGapMs + MOST_MORE_MS ? [`${inSeconds(gapMs)} s`] : [],
      'no write s': writes.some((at) => at > to - DOWN_MS) ? [] : ['there were none'],
      lost: answers.filter(({ text }) => !stored.has(text)).map(({ text }) => text),
      twice: [
        ...severalOf('invoices', valuesOf(numbers, told, 'id')),
        ...severalOf('ZKIs', valuesOf(numbers, sent, 'zki')),
      ],
      'bare 5xx': seen.load.counts.unhelpful,
      missing,
      health: asked.filter(({ isDown }) => !isDown).map(({ who }) => `${who} was well`),
    }
    const { lost, twice, health } = problems
    const cells: Record<Column, string | number> = {
      ...{ sales: new Set(answers.map(({ id }) => id)).size, missing: missing.length },
      ...{
        'no sale s': inSeconds(gapMs),
        'no write s': inSeconds(writesGapMs),
        lost: lost.length,
        twice: twice.length,
      },
      ...{ 'bare 5xx': problems['bare 5xx'].length, health: `${health.length} of ${asked.length}` },
    }
    return { title: `${seen.fault.name}: ${seen.fault.what}`, problems, cells }
  })
}

const nameOf = ({ number, premisesCode }: { number: string; premisesCode: string }) => `${number}/${premisesCode}`

const valuesOf = <T, K extends keyof T>(names: readonly string[], all: Map<string, T[]>, value: K) =>
  names.flatMap((name) => (all.get(name) ?? []).map((one): [string, string] => [name, String(one[value])]))

const answersOf = ({ load }: Case) =>
  load.sales.flatMap(({ machine, seen }) =>
    seen.map(({ id, number, zki, at }) => {
      return { id, at, name: nameOf({ ...machine, number }), text: `${id} ${number} ${zki}` }
    }),
  )

function gapsIn(moments: readonly number[]): { from: number; to: number }[] {
  const sorted = moments.toSorted((one, other) => one - other)
  return sorted.slice(1).map((to, i) => ({ from: sorted[i] ?? to, to }))
}

const longest = (moments: readonly number[]) => Math.max(0, ...gapsIn(moments).map(({ from, to }) => to - from))
const inSeconds = (ms: number) => (ms / 1000).toFixed(1)

/** What has to hold of each fault. */
export function promisesOfFaults(sources: Sources): Told[] {
  const rows = rowsOf(sources)
  return Object.entries(COLUMNS).map(([column, promise]) => ({
    ...{ looked: rows.length, promise },
    problems: rows.flatMap(({ title, problems }) => problems[column as Column].map((one) => `${title}: ${one}`)),
  }))
}

/** Every promise of the run, kept or not. */
export function promisesOf(outcome: Outcome): Told[] {
  const { cases, told, ownEnds } = outcome
  // What is lost may be any sale from the beginning of the fault to its end.
  const troubles = cases.flatMap(({ fault, from, to }) => [
    { kind: 'stop' as const, from, to },
    ...(fault.isLoss ? [{ kind: 'loss' as const, from: to, to, lacksFrom: from }] : []),
  ])
  const load = cases[0] && { ...cases[0].load, sales: cases.flatMap(({ load: { sales } }) => sales) }
  const reported = differences('invoices', told.gateways, told.server)
  const ends = ownEnds.map(({ name, lastWords }) => `${name}: ${lastWords.slice(-300)}`)
  return [
    ...promisesOfFaults(outcome),
    ...(load ? promisesAboutSales({ ...outcome, troubles, load }) : []),
    { looked: told.gateways.size, promise: 'invoices of the gateway, the same at the server', problems: reported },
    { looked: ends.length, promise: 'processes ended by themselves', problems: ends },
  ]
}

/** The table of faults, as lines of text. */
export function tableLines(sources: Sources): string[] {
  const columns = Object.keys(COLUMNS) as Column[]
  const line = (title: string, cells: (string | number)[]) =>
    title.padEnd(60) + cells.map((cell) => String(cell).padStart(12)).join('')
  return [
    line('', columns),
    ...rowsOf(sources).map(({ title, cells }) =>
      line(
        title,
        columns.map((one) => cells[one]),
      ),
    ),
  ]
}
