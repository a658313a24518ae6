import { runBuilt, say } from '../chaos/arguments.ts'
import { groupBy } from '../chaos/compare.ts'
import { judge } from '../chaos/judge.ts'
import { figure, lineOf, type Told } from '../chaos/report.ts'
import { distOfRun } from '../chaos/sabotage.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { HELP, type PowerOptions, readOptions } from './options.ts'
import { type Outcome, runPowerChaos } from './run.ts'

/** @returns the exit code */
async function attempt(options: PowerOptions, scratch: Scratch): Promise<number> {
  const { cuts, arch, fs, mount, seed, sabotage } = options
  say(`chaos:power: ${cuts} cuts on ${arch}, ${fs}${mount && ` with ${mount}`}, --seed ${seed}`)
  const outcome = await runPowerChaos(options, distOfRun(options, scratch), scratch, say)
  const { ofRun, ofRecords } = promisesOf(outcome, options)
  const promises = [...ofRun, ...ofRecords]
  say(`\nin ${outcome.seconds.toFixed(0)} s`)
  for (const [at, of] of groupBy(outcome.cuts, (cut) => cut.at)) {
    say(figure(of.length, `cuts ${at}, ${of.filter(({ lost }) => lost > 0).length} of them lost or tore writes`))
  }
  say(figure(outcome.load.counts.posts, `posts, ${outcome.load.counts.unanswered} of them cut off`))
  for (const line of promises.flatMap(lineOf)) say(line)
  if (sabotage === null) {
    const isBroken = promises.some(hasProblems)
    say(isBroken ? `promises were broken; --seed ${seed}` : 'nothing was lost, doubled or invented')
    return isBroken ? 1 : 0
  }
  const isCaught = ofRecords.some(hasProblems)
  say(`the build with ${sabotage} was ${isCaught ? 'caught' : 'NOT caught'}`)
  return isCaught ? 0 : 1
}

const hasProblems = ({ problems }: Told) => problems.length > 0

/** Only what is wrong with the records tells a fault of durability. */
function promisesOf({ cuts, load, evidence, problems }: Outcome, options: PowerOptions) {
  const refusals = new Set(load.sales.flatMap((sale) => sale.refusals))
  const ofRun: Told[] = [
    {
      looked: cuts.length,
      promise: `power cuts, of ${options.cuts} that were wanted`,
      problems: cuts.length < options.cuts ? [`the time was over after ${options.minutesMax} minutes`] : [],
    },
    { looked: load.counts.posts, promise: 'posts, none of them refused', problems: [...refusals] },
  ]
  const ofRecords: Told[] = [
    ...judge(evidence),
    {
      looked: load.counts.answered,
      promise: 'answers are on the card, in journals that are sealed and numbered as the doctor wants them',
      problems,
    },
  ]
  return { ofRun, ofRecords }
}

await runBuilt(HELP, readOptions, attempt)
