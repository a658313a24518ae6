import { runBuilt, say } from '../chaos/arguments.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { HELP, readOptions, type ServerChaosOptions } from './options.ts'
import { promisesOf } from './promises.ts'
import { reportLines } from './report.ts'
import { runServerChaos } from './run.ts'
import { plantDefects } from './sabotage.ts'

/** @returns the exit code */
async function attempt(options: ServerChaosOptions, scratch: Scratch): Promise<number> {
  const { processes, stops, gateways, seed } = options
  say(`chaos of the server: ${processes} processes, ${stops} stops of PostgreSQL, ${gateways} gateways, --seed ${seed}`)
  const outcome = await runServerChaos(options, scratch)
  const promises = [...promisesOf(outcome, options), await plantDefects(outcome, options, scratch)]
  for (const line of reportLines(outcome, promises)) say(line)
  const broken = promises.filter(({ problems }) => problems.length > 0)
  if (options.sabotage !== null) {
    const isCaught = broken.some(({ promise }) => promise.includes('carry the one ZKI'))
    say(`the build that sells on a standby that lacks sales was ${isCaught ? '' : 'NOT '}caught`)
    return isCaught ? 0 : 1
  }
  say(
    broken.length === 0 ? 'nothing was lost, doubled or late' : `${broken.length} promises were broken; --seed ${seed}`,
  )
  return broken.length === 0 ? 0 : 1
}

await runBuilt(HELP, readOptions, attempt)
