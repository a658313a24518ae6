import { runBuilt, say } from '../chaos/arguments.ts'
import { figure, lineOf, type Told } from '../chaos/report.ts'
import { distOfRun } from '../chaos/sabotage.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type FlushOptions, HELP, readOptions } from './options.ts'
import { type Outcome, runFlushChaos, type State } from './run.ts'

/** @returns the exit code */
async function attempt(options: FlushOptions, scratch: Scratch): Promise<number> {
  const { sales, torn, seed, sabotage, arch, mount } = options
  say(`chaos:flush: ${sales} sales on ${arch}, ext4${mount && ` with ${mount}`}, ${torn} torn cards, --seed ${seed}`)
  const outcome = await runFlushChaos(options, distOfRun(options, scratch), scratch, say)
  const promises = promisesOf(outcome)
  say(`\nsold in ${outcome.seconds.selling.toFixed(0)} s, judged in ${outcome.seconds.judging.toFixed(0)} s`)
  say(figure(outcome.load.counts.answered, 'answers with 200'))
  say(figure(outcome.writes, 'writes of the machine to its card'))
  say(figure(outcome.marks, 'flushes'))
  for (const line of promises.flatMap(lineOf)) say(line)
  const isBroken = promises.some(({ problems }) => problems.length > 0)
  if (sabotage === null) {
    say(isBroken ? `promises were broken; --seed ${seed}` : 'nothing was lost, doubled or invented')
    return isBroken ? 1 : 0
  }
  say(`the build with ${sabotage} was ${isBroken ? 'caught' : 'NOT caught'}`)
  return isBroken ? 0 : 1
}

function promisesOf({ states }: Outcome): Told[] {
  const [whole, torn] = [states.filter(({ loss }) => loss === null), states.filter(({ loss }) => loss !== null)]
  return [
    { looked: whole.length, promise: `cards as they were at a flush, ${HOLDS}`, problems: whole.flatMap(problemsOf) },
    { looked: torn.length, promise: `torn cards between two flushes, ${HOLDS}`, problems: torn.flatMap(problemsOf) },
  ]
}

const HOLDS = 'each whole, sealed, and with all that was answered'

function problemsOf({ mark, loss, problems }: State): string[] {
  const name =
    loss === null ? '' : `, ${loss.lost} of ${loss.of} writes lost or torn by seed ${loss.seed} (${loss.keep})`
  return problems.map((problem) => `flush ${mark}${name}: ${problem}`)
}

await runBuilt(HELP, readOptions, attempt)
