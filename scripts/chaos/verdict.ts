import { type CheckName, type Finding, judge } from './judge.ts'
import { totalOf } from './killer.ts'
import type { ChaosOptions, Fault } from './options.ts'
import { isBroken } from './report.ts'
import type { Outcome } from './run.ts'

/** A finding about the sources, or about the run itself. */
export type Line = Omit<Finding, 'check'> & {
  check: CheckName | 'kills' | 'refusals' | 'lives' | 'stop' | 'went-back' | 'backup-copy'
}

/** What a build with a fault must be convicted of, and of how much of it; other problems do not count as caught. */
const CONVICTIONS: Record<Fault, { of: readonly Line['check'][]; least: number }> = {
  'answer-before-commit': { of: ['stored', 'zki', 'keys', 'bytes', 'final', 'stopped'], least: 1 },
  'sell-on-old': { of: ['went-back', 'backup-copy'], least: 2 },
}

/** Every promise of the run, kept or not. */
export function verdictOf(outcome: Outcome, options: ChaosOptions): Line[] {
  const { evidence, report, load, stop } = outcome
  const kills = totalOf(report)
  const refusals = load.sales.flatMap((sale) => sale.refusals)
  const disk = outcome.diskFilled !== null
  const strange = disk ? refusals.filter((refusal) => refusal !== '500 internal_error') : refusals
  const ends = report.ownEnds.filter(({ wasReady }) => wasReady || !disk)
  return [
    {
      check: 'kills',
      looked: kills,
      promise: `kills, of ${options.kills} that were wanted`,
      problems: kills < options.kills ? [`the time was over after ${options.secondsMax} s`] : [],
    },
    ...judge(evidence),
    ...outcome.wentBack,
    {
      check: 'refusals',
      looked: load.counts.posts,
      promise: `posts, none of them refused${disk ? ' but with 500 internal_error while the disk was full' : ''}`,
      problems: [...new Set(strange)].map((one) => `${one}: ${strange.filter((other) => other === one).length} times`),
    },
    {
      check: 'lives',
      looked: kills + report.ownEnds.length + 1,
      promise: `lives of the daemon ended when somebody ended them${disk ? ', or at a start with a full disk' : ''}`,
      problems: ends.map(({ code, signal, lastWords }) => `one ended by itself (${code ?? signal}):\n${lastWords}`),
    },
    {
      check: 'stop',
      looked: 1,
      promise: 'stop by SIGTERM ended with exit code 0',
      problems: stop.code === 0 ? [] : [`it ended with ${stop.code ?? stop.signal}:\n${stop.lastWords}`],
    },
  ]
}

/** The broken promises by which a fault shows; none when they are not enough. */
export function convictions(lines: Line[], fault: Fault): Line[] {
  const { of, least } = CONVICTIONS[fault]
  const found = lines.filter((line) => isBroken(line) && of.includes(line.check))
  return found.length < least ? [] : found
}
