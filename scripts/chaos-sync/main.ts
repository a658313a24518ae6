import { runBuilt, say } from '../chaos/arguments.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { HELP, readOptions, type SyncChaosOptions } from './options.ts'
import { promisesOf, reportLines } from './report.ts'
import { runSyncChaos } from './run.ts'

/** @returns the exit code */
async function attempt(options: SyncChaosOptions, scratch: Scratch): Promise<number> {
  const { gateways, processes, store, seconds, seed } = options
  say(`chaos of sync: ${gateways} gateways, a server of ${processes} on ${store}, ${seconds} s, --seed ${seed}`)
  const outcome = await runSyncChaos(options, scratch)
  const promises = promisesOf(outcome)
  for (const line of reportLines(outcome, promises)) say(line)
  const broken = promises.filter(({ problems }) => problems.length > 0).length
  say(broken === 0 ? 'the server has what the gateways have' : `${broken} promises were broken; --seed ${seed}`)
  return broken === 0 ? 0 : 1
}

await runBuilt(HELP, readOptions, attempt)
