import { requireBuilt, runScript } from '../chaos/arguments.ts'
import { openScratch } from '../chaos/scratch.ts'
import { HELP, type HostileOptions, readOptions } from './options.ts'
import { HEAD, type Promised, promisesOf, reportLines, stageLine } from './report.ts'
import { runHostile } from './run.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** @returns the exit code */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) {
    say(HELP)
    return 0
  }
  requireBuilt(options.dist)
  say(`hostile: ${options.messages} messages, --seed ${options.seed}`)
  const scratch = openScratch(options.keep)
  try {
    say(HEAD)
    const outcome = await runHostile(options, scratch, (passed) => say(stageLine(passed)))
    const promises = promisesOf(outcome, options.judgesTimes)
    for (const line of reportLines(outcome, promises)) say(line)
    return conclude(options, promises)
  } finally {
    scratch.close()
    if (options.keep) say(`kept: ${scratch.dir}`)
  }
}

function conclude({ seed, sabotage }: HostileOptions, promises: Promised[]): number {
  const broken = promises.filter(({ problems }) => problems.length > 0)
  if (sabotage.length === 0) {
    say(
      broken.length === 0
        ? 'nothing from outside stopped a machine'
        : `${broken.length} promises were broken; --seed ${seed}`,
    )
    return broken.length === 0 ? 0 : 1
  }
  const missed = sabotage.filter((defect) => !broken.some(({ kind }) => kind === defect))
  say(
    missed.length === 0 ? `each planted defect was caught: ${sabotage.join(', ')}` : `NOT caught: ${missed.join(', ')}`,
  )
  return missed.length === 0 ? 0 : 1
}

await runScript(HELP, main)
