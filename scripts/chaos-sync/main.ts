import { runBuilt, say } from '../chaos/arguments.ts'
import { conclude, isBroken, type Told } from '../chaos/report.ts'
import { folderOf, type Scratch } from '../chaos/scratch.ts'
import { type Case, HELP, readOptions, type SyncChaosOptions } from './options.ts'
import { plantDefects } from './processes/planted.ts'
import { promisesOf as promisesOfProcesses } from './processes/promises.ts'
import { reportLines as linesOfProcesses } from './processes/report.ts'
import { runServerChaos } from './processes/run.ts'
import { promisesOf, reportLines } from './report.ts'
import { runSyncChaos } from './run.ts'

/** @returns the exit code */
async function attempt(options: SyncChaosOptions, scratch: Scratch): Promise<number> {
  const { cases, seed, sabotage } = options
  const promises: Told[] = []
  for (const name of cases) {
    const { gateways, processes } = options
    say(`chaos:sync, ${name}: ${gateways[name]} gateways, a server of ${processes[name]}, --seed ${seed}`)
    promises.push(...(await RUNS[name](options, folderOf(scratch, name))))
  }
  if (sabotage === null) return conclude(promises, seed, 'nothing was lost, doubled, late or different at the server')
  const isCaught = promises.filter(isBroken).some(({ promise }) => promise.includes('carry the one ZKI'))
  say(`the build that sells on a standby that lacks sales was ${isCaught ? '' : 'NOT '}caught`)
  return isCaught ? 0 : 1
}

const RUNS: Record<Case, (options: SyncChaosOptions, scratch: Scratch) => Promise<Told[]>> = {
  async gateways(options, scratch) {
    const outcome = await runSyncChaos(options, scratch)
    const promises = promisesOf(outcome)
    for (const line of reportLines(outcome, promises)) say(line)
    return promises
  },
  async processes(options, scratch) {
    const outcome = await runServerChaos(options, scratch)
    const promises = [...promisesOfProcesses(outcome, options), await plantDefects(outcome, options, scratch)]
    for (const line of linesOfProcesses(outcome, promises)) say(line)
    return promises
  },
}

await runBuilt(HELP, readOptions, attempt)
