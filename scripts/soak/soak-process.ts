import { runScript, say } from '../chaos/arguments.ts'
import { conclude, lineOf } from '../chaos/report.ts'
import { scratchIn } from '../chaos/scratch.ts'
import { rowOf } from './days.ts'
import { runSoak } from './run.ts'
import { openClock } from './shared-clock.ts'
import { findingsOf } from './verdict.ts'

/** The run itself, by the clock that all its processes share. */
await runScript('', async () => {
  const { options, dir } = JSON.parse(process.env.SOAK ?? '')
  const scratch = scratchIn(dir)
  try {
    const outcome = await runSoak(options, openClock(), scratch)
    const findings = findingsOf(outcome, options)
    say('')
    console.table(outcome.days.map(rowOf))
    const { jumps, realSeconds } = outcome
    say(`in ${realSeconds.toFixed(0)} s, with ${jumps.count} jumps of the clock of at most ${jumps.longestMs / 1000} s`)
    say('')
    for (const finding of findings) for (const line of lineOf(finding)) say(line)
    say('')
    return conclude(findings, options.seed, 'nothing grew, and nothing was lost, doubled or invented')
  } finally {
    scratch.close()
  }
})
