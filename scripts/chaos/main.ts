import { runBuilt, say } from './arguments.ts'
import { type ChaosOptions, HELP, readOptions } from './options.ts'
import { conclude, reportLines } from './report.ts'
import { runChaos } from './run.ts'
import type { Scratch } from './scratch.ts'
import { convictions, type Line, verdictOf } from './verdict.ts'

/** @returns the exit code */
async function attempt(options: ChaosOptions, scratch: Scratch): Promise<number> {
  const { kills, devices, seed } = options
  const trouble = `${options.disk ? ', a disk that fills up' : ''}${options.clock ? ', a clock that jumps' : ''}`
  say(`chaos: ${kills} kills, ${devices} devices${trouble}, --seed ${seed}`)
  const outcome = await runChaos(options, scratch)
  const lines = verdictOf(outcome, options)
  for (const line of reportLines(outcome, lines)) say(line)
  return verdictOn(options, lines)
}

function verdictOn({ seed, sabotage }: ChaosOptions, lines: Line[]): number {
  if (!sabotage) return conclude(lines, seed, 'nothing was lost, doubled or invented')
  const caught = convictions(lines)
  const by = caught.map(({ check }) => check).join(', ')
  say(`the build that answers before it commits was ${caught.length === 0 ? 'NOT caught' : `caught by: ${by}`}`)
  return caught.length === 0 ? 1 : 0
}

await runBuilt(HELP, readOptions, attempt)
