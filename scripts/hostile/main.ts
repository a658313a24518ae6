import { runBuilt, say } from '../chaos/arguments.ts'
import { conclude, isBroken } from '../chaos/report.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { HELP, type HostileOptions, readOptions } from './options.ts'
import { HEAD, type Promised, promisesOf, reportLines, stageLine } from './report.ts'
import { runHostile } from './run.ts'

/** @returns the exit code */
async function attempt(options: HostileOptions, scratch: Scratch): Promise<number> {
  say(`hostile: ${options.messages} messages, --seed ${options.seed}`)
  say(HEAD)
  const outcome = await runHostile(options, scratch, (passed) => say(stageLine(passed)))
  const promises = promisesOf(outcome, options.judgesTimes)
  for (const line of reportLines(outcome, promises)) say(line)
  return verdictOn(options, promises)
}

function verdictOn({ seed, sabotage }: HostileOptions, promises: Promised[]): number {
  if (sabotage.length === 0) return conclude(promises, seed, 'nothing from outside stopped a machine')
  const broken = promises.filter(isBroken)
  const missed = sabotage.filter((defect) => !broken.some(({ kind }) => kind === defect))
  say(
    missed.length === 0 ? `each planted defect was caught: ${sabotage.join(', ')}` : `NOT caught: ${missed.join(', ')}`,
  )
  return missed.length === 0 ? 0 : 1
}

await runBuilt(HELP, readOptions, attempt)
