import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { buildClock } from '../../scripts/soak/shared-clock.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const CLOCK = new URL('../../scripts/soak/shared-clock.ts', import.meta.url).href
const STEPS = 4
const STEP_MS = 60_000

/** Does something each minute that takes half a second of real time; it tells how many seconds that took by the shared clock. */
const takesPart = (act: string) => `
  const { execFile } = require('node:child_process')
  const { pbkdf2 } = require('node:crypto')
  setInterval(() => {
    const began = Date.now()
    const done = (error) => console.log(error ? 'given up' : Math.round((Date.now() - began) / 1000) + ' s')
    ${act}
  }, ${STEP_MS})
  console.log('begins')`

/** Lets minutes pass, each as soon as everybody has done what was due. @returns what the process said */
async function saidBy(act: string): Promise<string[]> {
  const driver = `
    import { spawn } from 'node:child_process'
    import { createInterface } from 'node:readline'
    import { once } from 'node:events'
    const { openClock } = await import(${JSON.stringify(CLOCK)})
    const clock = openClock()
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(takesPart(act))}], { env: { ...process.env, ...clock.env } })
    const said = []
    const lines = createInterface({ input: child.stdout })
    await once(lines, 'line')
    lines.on('line', (line) => said.push(line))
    await clock.quiet()
    for (let i = 0; i < ${STEPS}; i++) {
      clock.advance(${STEP_MS})
      await clock.quiet()
    }
    child.kill()
    await once(child, 'close')
    console.log(JSON.stringify(said))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', driver],
    {
      env: { ...process.env, ...buildClock(await tempDir()) },
    },
  )
  return JSON.parse(stdout)
}

describe.skipIf(skipWithout('gcc'))('the clock of a soak run', () => {
  test.each([
    ['a command that a process has started', `execFile('sh', ['-c', 'sleep 0.3'], { timeout: 5000 }, done)`],
    ['a thread beside the main one', `pbkdf2('a', 'b', 50_000, 512, 'sha512', done)`],
  ])('waits for %s', async (_what, act) => {
    const said = await saidBy(act)
    expect(said).toHaveLength(STEPS)
    for (const line of said) expect(line).toMatch(/^[0-9] s$/)
  })
})
