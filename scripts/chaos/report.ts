import { say } from './arguments.ts'
import { totalOf } from './killer.ts'
import type { Outcome } from './run.ts'
import type { Line } from './verdict.ts'

/** Of each broken promise so many cases are told; the rest is counted. */
const CASES = 8

/** The figures of a run and every promise with what was counted, as lines of text. */
export function reportLines({ report, load, evidence, diskFilled, clockMoved, seconds }: Outcome, lines: Line[]) {
  const { kills, startsMs, ownEnds } = report
  const { posts, unanswered, replayed } = load.counts
  const refused = load.sales.reduce((sum, sale) => sum + sale.refusals.length, 0)
  return [
    '',
    `in ${seconds.toFixed(0)} s`,
    figure(totalOf(report), 'kills by SIGKILL'),
    `           ${kills.selling} while selling, ${kills.answering} right after an answer, ${kills.starting} while starting, ${kills.sweeping} with a backlog`,
    figure(load.sales.length, 'sales'),
    figure(posts, `posts, ${unanswered} of them cut off, ${refused} refused, ${replayed} answered as before`),
    figure(evidence.received.length, 'messages at the tax authority'),
    figure(
      startsMs.length,
      `starts to ready, ${milliseconds(startsMs, 0.5)} the usual one (p50, p95 ${milliseconds(startsMs, 0.95)})`,
    ),
    ...(ownEnds.length > 0 ? [figure(ownEnds.length, 'lives that ended by themselves')] : []),
    ...(diskFilled === null ? [] : [figure(diskFilled, 'times the disk was full')]),
    ...(clockMoved === null ? [] : [figure(clockMoved, 'times the clock was moved')]),
    '',
    ...lines.flatMap(lineOf),
    '',
  ]
}

/** A line of a report. */
export function figure(count: number, what: string): string {
  return `${count.toLocaleString('en').padStart(9)}  ${what}`
}

function milliseconds(durations: readonly number[], share: number): string {
  const sorted = [...durations].sort((one, other) => one - other)
  return `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0} ms`
}

/** Says how a run ended. @returns its exit code */
export function conclude(promises: readonly Told[], seed: number, whenKept: string): number {
  const broken = promises.filter(isBroken).length
  say(broken === 0 ? whenKept : `${broken} promises were broken; --seed ${seed}`)
  return broken === 0 ? 0 : 1
}

export const isBroken = ({ problems }: Pick<Told, 'problems'>) => problems.length > 0

/** A promise, how much was looked at for it, and how it was broken. */
export type Told = Pick<Line, 'looked' | 'promise' | 'problems'>

/** Of a broken promise the first cases are told. */
export function lineOf({ looked, promise, problems }: Told): string[] {
  if (problems.length === 0) return [`ok   ${figure(looked, promise)}`]
  const more = problems.length > CASES ? [`            and ${problems.length - CASES} more`] : []
  const cases = problems.slice(0, CASES).map((problem) => `            ${problem.replaceAll('\n', '\n              ')}`)
  return [`FAIL ${figure(looked, `${promise}: not so ${problems.length} times`)}`, ...cases, ...more]
}
