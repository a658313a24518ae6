import { lineOf, type Told } from '../chaos/report.ts'
import type { Defect } from './options.ts'
import type { Outcome, Passed } from './run.ts'

/** Memory that a daemon may have more at the end: what it remembers of the honest sales meanwhile, and the engine's own. */
const MORE_BYTES = 32 * 1024 * 1024
/** Processor time that one turn of the loop may take; on a machine that does other things, more comes in for each turn. */
const LONGEST_HOLD_MS = 250
const LONGEST_HOLD_BESIDE_OTHERS_MS = 1000
/** How much longer than usual the middle sale may take beside a stage. */
const SLOWEST = 3
/** How much longer than the quickest kind of refusal the slowest one may take. */
const UNEVEN = 1.1

export interface Promised extends Told {
  /** What a planted defect of this kind has to break. */
  kind: Defect
}

/** @param judgesTimes false where other things run beside, so that only what is counted counts */
export function promisesOf(outcome: Outcome, judgesTimes: boolean): Promised[] {
  const { passed, ends, answers, sizes, held, memory, changed, learned, refusals, refused, caughtUp } = outcome
  const messages = passed.reduce((sum, one) => sum + one.messages, 0)
  const sales = passed.reduce((sum, one) => sum + one.sales, 0)
  const slow = passed.flatMap(({ name, slower }) =>
    Object.entries(slower)
      .filter(([, times]) => times > SLOWEST)
      .map(([daemon, times]) => `${daemon}: ${times.toFixed(1)} times as long as usual beside: ${name}`),
  )
  const quickestMs = Math.min(...refusals.map(({ ms }) => ms))
  const uneven = refusals
    .filter(({ ms }) => ms > quickestMs * UNEVEN)
    .map(({ kind, ms }) => `${kind}: ${ms.toFixed(3)} ms, the quickest kind ${quickestMs.toFixed(3)} ms`)
  const longestMs = judgesTimes ? LONGEST_HOLD_MS : LONGEST_HOLD_BESIDE_OTHERS_MS
  return [
    { kind: 'crash', looked: messages, promise: 'messages ended no process', problems: ends },
    { kind: 'answer', looked: messages, promise: 'messages got answers of the documents', problems: answers },
    {
      kind: 'size',
      looked: 1,
      promise: 'largest of each kind is taken and shown, and nothing larger',
      problems: sizes,
    },
    {
      kind: 'loop',
      looked: messages,
      promise: `messages held no loop for more than ${longestMs} ms`,
      problems: held
        .filter(({ ms }) => ms > longestMs)
        .map(({ daemon, ms, beside }) => `${daemon}: ${ms.toFixed(0)} ms during: ${beside}`),
    },
    {
      kind: 'memory',
      looked: memory.length,
      promise: 'daemons use as much memory as before',
      problems: memory
        .filter(({ before, after }) => after - before > MORE_BYTES)
        .map(({ name, before, after }) => `${name}: ${mb(before)} before, ${mb(after)} after`),
    },
    { kind: 'rows', looked: messages, promise: 'messages changed no row of anybody else', problems: changed },
    { kind: 'links', looked: messages, promise: 'messages got to know nothing of links', problems: learned },
    { kind: 'links', looked: refusals.length, promise: 'kinds of links were refused as quickly', problems: uneven },
    {
      kind: 'sales',
      looked: sales,
      promise: 'sales beside them went as usual',
      problems: [...refused, ...(judgesTimes ? slow : [])],
    },
    {
      kind: 'sales',
      looked: 1,
      promise: 'gateway told the server all in the end',
      problems: caughtUp ? [] : ['rows still wait'],
    },
  ]
}

const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

const row = (cells: (string | number)[]) =>
  cells.map((cell, i) => (i === 0 ? String(cell).padEnd(62) : String(cell).padStart(10))).join('')
const times = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2))

/** The head of the table of stages: sales beside them at both daemons in proportion to usual, memory in use afterwards. */
export const HEAD = row(['beside', 'messages', 'seconds', 'sales', 'gateway', 'server', 'memory', 'memory'])

/** A stage in that table. */
export function stageLine({ name, messages, seconds, sales, slower, memory }: Passed): string {
  const ended = [times(slower.gateway), times(slower.server), mb(memory.gateway), mb(memory.server)]
  return row([name, messages, seconds.toFixed(1), sales, ...ended])
}

/** The figures of a run and every promise, as lines of text. */
export function reportLines({ usualMs, refusals, seconds }: Outcome, promises: Promised[]): string[] {
  return [
    '',
    `usual sale: ${usualMs.gateway.toFixed(1)} ms at the gateway, ${usualMs.server.toFixed(1)} ms at the server`,
    ...refusals.map(({ kind, ms }) => `refused link, ${kind}: ${ms.toFixed(3)} ms`),
    `in ${seconds.toFixed(0)} s`,
    '',
    ...promises.flatMap(lineOf),
    '',
  ]
}
