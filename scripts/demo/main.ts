import { parseArgs } from 'node:util'
import { type DemoEnvironment, openDemoEnvironment } from './environment.ts'
import { tellHowToGoOn } from './go-on.ts'
import { say } from './output.ts'
import { sellThings } from './sales.ts'
import { setUp } from './set-up.ts'

const USAGE = `Usage: npm run demo [-- --stay]

  --stay        keeps everything running until Ctrl-C, and prints what it takes to sell by hand
  --dist <dir>  the built programs; default dist
`

function optionsOf(args: string[]): { stay?: boolean; dist?: string } {
  try {
    return parseArgs({ args, options: { stay: { type: 'boolean' }, dist: { type: 'string' } } }).values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}

const options = optionsOf(process.argv.slice(2))

async function main(house: DemoEnvironment): Promise<void> {
  const machine = await setUp(house)
  await sellThings(house, machine)
  if (!options.stay) {
    say(
      '\n  Everything ran on loopback in a temporary directory, which is gone now. To keep it running, and sell by hand:',
    )
    say('\n      npm run demo -- --stay\n')
    return
  }
  await tellHowToGoOn(house, machine)
  hasFinished = true
  await house.ended
  if (!left) throw new Error('the daemon has ended by itself')
}

const opening = openDemoEnvironment(options.dist)
/** With `--stay`: from then on, leaving is how it ends. */
let hasFinished = false
let left = false

/** Whoever has seen enough (Ctrl-C, once or more, or `| head`) leaves nothing behind either. */
function leave(code: number): void {
  left = true
  const end = () => process.exit(hasFinished ? 0 : code)
  opening.then((house) => house.close().then(end), end)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130))
process.stdout.on('error', () => leave(0))

const house = await opening
try {
  await main(house)
} catch (error) {
  // With the house gone, the sale that was on its way has nowhere to go.
  if (!left) throw error
} finally {
  await house.close()
}
