import { runBuilt, say } from './arguments.ts'
import { type ChaosOptions, FAULTS, HELP, readOptions } from './options.ts'
import { reportLines } from './report.ts'
import { runChaos } from './run.ts'
import type { Scratch } from './scratch.ts'
import { broken, convictions, type Line, verdictOf } from './verdict.ts'

/** @returns the exit code */
async function attempt(options: ChaosOptions, scratch: Scratch): Promise<number> {
  const { kills, devices, seed } = options
  const trouble = `${options.disk ? ', a disk that fills up' : ''}${options.clock ? ', a clock that jumps' : ''}`
  say(`chaos: ${kills} kills, ${devices} devices${trouble}, --seed ${seed}`)
  const outcome = await runChaos(options, scratch)
  const lines = verdictOf(outcome, options)
  for (const line of reportLines(outcome, lines)) say(line)
  return conclude(options, lines)
}

function conclude({ seed, sabotage }: ChaosOptions, lines: Line[]): number {
  if (!sabotage) {
    const failed = broken(lines).length
    say(failed === 0 ? 'nothing was lost, doubled or invented' : `${failed} promises were broken; --seed ${seed}`)
    return failed === 0 ? 0 : 1
  }
  const caught = convictions(lines, sabotage)
  const by = caught.map(({ check }) => check).join(', ')
  say(`the build that ${FAULTS[sabotage]} was ${caught.length === 0 ? 'NOT caught' : `caught by: ${by}`}`)
  return caught.length === 0 ? 1 : 0
}

await runBuilt(HELP, readOptions, attempt)
