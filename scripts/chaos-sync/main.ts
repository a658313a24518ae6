import { requireBuilt, runScript } from '../chaos/arguments.ts'
import { openScratch } from '../chaos/scratch.ts'
import { HELP, readOptions } from './options.ts'
import { promisesOf, reportLines } from './report.ts'
import { runSyncChaos } from './run.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** @returns the exit code */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) {
    say(HELP)
    return 0
  }
  requireBuilt(options.dist)
  const { gateways, processes, store, seconds, seed, keep } = options
  say(`chaos of sync: ${gateways} gateways, a server of ${processes} on ${store}, ${seconds} s, --seed ${seed}`)
  const scratch = openScratch(keep)
  try {
    const outcome = await runSyncChaos(options, scratch)
    const promises = promisesOf(outcome)
    for (const line of reportLines(outcome, promises)) say(line)
    const broken = promises.filter(({ problems }) => problems.length > 0).length
    say(broken === 0 ? 'the server has what the gateways have' : `${broken} promises were broken; --seed ${seed}`)
    return broken === 0 ? 0 : 1
  } finally {
    scratch.close()
    if (keep) say(`kept: ${scratch.dir}`)
  }
}

await runScript(HELP, main)
