import { type CheckName, type Finding, judge } from './judge.ts'
import { totalOf } from './killer.ts'
import type { ChaosOptions } from './options.ts'
import { isBroken } from './report.ts'
import type { Outcome } from './run.ts'

/** A finding about the sources, or about the run itself. */
export type Line = Omit<Finding, 'check'> & { check: CheckName | 'kills' | 'refusals' | 'lives' | 'stop' }

/** What a build that answers before it commits may be convicted of; other problems do not count as caught. */
const CONVICTIONS: readonly Line['check'][] = ['stored', 'zki', 'keys', 'bytes', 'final', 'stopped']

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

/** The broken promises by which the fault shows. */
export const convictions = (lines: Line[]): Line[] =>
  lines.filter((line) => isBroken(line) && CONVICTIONS.includes(line.check))
