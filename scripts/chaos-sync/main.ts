import { runBuilt, say } from '../chaos/arguments.ts'
import { conclude, isBroken, lineOf, type Told } from '../chaos/report.ts'
import { folderOf, type Scratch } from '../chaos/scratch.ts'
import { plantDefects as plantDefectsInHa } from './ha/planted.ts'
import { promisesOf as promisesOfHa, tableLines } from './ha/promises.ts'
import { runHa } from './ha/run.ts'
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
    say(`chaos:sync, ${name}: ${partiesOf(name, options)}, --seed ${seed}`)
    promises.push(...(await RUNS[name](options, folderOf(scratch, name))))
  }
  if (sabotage === null) return conclude(promises, seed, 'nothing was lost, doubled, late or different at the server')
  const isCaught = promises.filter(isBroken).some(({ promise }) => promise.includes('carry the one ZKI'))
  say(`the build that sells on a standby that lacks sales was ${isCaught ? '' : 'NOT '}caught`)
  return isCaught ? 0 : 1
}

const partiesOf = (name: Case | 'ha', { gateways, processes, faults }: SyncChaosOptions) =>
  name === 'ha' ? `${faults.length} faults` : `${gateways[name]} gateways, a server of ${processes[name]}`

const RUNS: Record<Case | 'ha', (options: SyncChaosOptions, scratch: Scratch) => Promise<Told[]>> = {
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
  async ha(options, scratch) {
    const outcome = await runHa(options, scratch)
    const promises = [...promisesOfHa(outcome), plantDefectsInHa(outcome)]
    for (const line of ['', ...tableLines(outcome), '', ...promises.flatMap(lineOf), '']) say(line)
    return promises
  },
}

await runBuilt(HELP, readOptions, attempt)
