import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runBuilt, say } from '../chaos/arguments.ts'
import { HELP, readOptions } from './options.ts'
import { buildClock } from './shared-clock.ts'

const PROCESS = fileURLToPath(new URL('soak-process.ts', import.meta.url))

// All that takes part goes by the clock, so it is another process that does it.
await runBuilt(HELP, readOptions, async (options, scratch) => {
  const { days, sales, minutes, seed } = options
  say(`soak: ${days} days of ${sales} sales in ${minutes} minutes, --seed ${seed}`)
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS], {
    env: { PATH: process.env.PATH, SOAK: JSON.stringify({ options, dir: scratch.dir }), ...buildClock(scratch.dir) },
    stdio: 'inherit',
  })
  scratch.atTheEnd(() => void child.kill('SIGTERM'))
  return new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
})
