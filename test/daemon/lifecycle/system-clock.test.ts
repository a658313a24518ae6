import { spawnSync } from 'node:child_process'
import { chmod, utimes, writeFile } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/daemon/lifecycle/system-clock.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'

/** A machine whose `timedatectl` does this, and whose file of systemd-timesyncd is so many minutes old. */
async function machine({ timedatectl, syncedMinutesAgo }: { timedatectl?: string; syncedMinutesAgo?: number }) {
  const dir = await tempDir()
  const [syncedPath, program] = [join(dir, 'synchronized'), join(dir, 'timedatectl')]
  if (timedatectl !== undefined) {
    await writeFile(program, `#!/bin/sh\n${timedatectl}\n`)
    await chmod(program, 0o755)
  }
  if (syncedMinutesAgo !== undefined) {
    await writeFile(syncedPath, '')
    const touched = new Date(Date.now() - syncedMinutesAgo * 60_000)
    await utimes(syncedPath, touched, touched)
  }
  return systemClock({ syncedPath, timedatectl: program })
}

/** What systemd prints, for a clock that is so much ahead of this one. */
const says = (synchronised: string, ahead = 'now') => `
echo Timezone=Europe/Zagreb
echo NTPSynchronized=${synchronised}
echo "TimeUSec=$(date -u -d '${ahead}' '+%a %Y-%m-%d %H:%M:%S %Z')"
[ "$1 $TZ" = "show UTC" ]`

test.each([
  ['the system says so', { timedatectl: says('yes') }, true],
  ['the system says that it is not', { timedatectl: says('no') }, false],
  ['the clock that is synchronised is another one', { timedatectl: says('yes', '3 days') }, null],
  ['there is no systemd', {}, null],
  ['the system says nothing', { timedatectl: 'echo "Failed to connect to bus" >&2; exit 1' }, null],
  ['it says something else', { timedatectl: 'echo NTPSynchronized=perhaps' }, null],
  ['a time server was heard just now', { syncedMinutesAgo: 0 }, true],
  ['one was heard half an hour ago', { syncedMinutesAgo: 30, timedatectl: says('no') }, true],
  ['none was heard for hours', { syncedMinutesAgo: 120, timedatectl: says('no') }, false],
  [
    'one will be heard in days, for the clock was set back',
    { syncedMinutesAgo: -3000, timedatectl: says('no') },
    false,
  ],
])('whether the clock is synchronised when %s', async (_when, made, expected) => {
  const clock = await machine(made)
  expect(await clock.synchronised()).toBe(expected)
})

test('a system that does not answer is given up', async () => {
  const clock = await machine({ timedatectl: 'exec sleep 60' })
  const started = performance.now()
  expect(await clock.synchronised()).toBeNull()
  // Before the program has ended by itself.
  expect(performance.now() - started).toBeLessThan(50_000)
})

test('what has elapsed goes on evenly', async () => {
  const { elapsed } = systemClock()
  // Anything may come between the readings of two clocks: the one is read before and after the other.
  const read = () => [performance.now(), elapsed(), performance.now()] as const
  const [began, ended] = [read(), await setTimeout(300).then(read)]
  const passed = ended[1] - began[1]
  expect(passed).toBeGreaterThan(ended[0] - began[2] - 60)
  expect(passed).toBeLessThan(ended[2] - began[0] + 60)
})

const noJudge = skipWithout('faketime')

test.skipIf(noJudge)('what has elapsed is not moved by libfaketime, which moves every other clock', () => {
  const program = `
    const { systemClock } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/daemon/lifecycle/system-clock.ts'))})
    const { now, elapsed } = systemClock()
    console.log(JSON.stringify([now(), elapsed()]))`
  const run = spawnSync('faketime', [
    '-f',
    '+3d',
    process.execPath,
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    program,
  ])
  const [now, elapsed] = JSON.parse(String(run.stdout)) as [number, number]
  expect(now - Date.now()).toBeGreaterThan(2.9 * 86_400_000)
  expect(Math.abs(elapsed - systemClock().elapsed())).toBeLessThan(60_000)
})

test('what has elapsed is the uptime of the kernel, at any moment, and never less than before', async () => {
  const { elapsed } = systemClock()
  let before = 0
  const until = performance.now() + 600
  while (performance.now() < until) {
    const least = uptime() * 1000
    const now = elapsed()
    expect(now).toBeGreaterThanOrEqual(before)
    // The kernel counts in hundredths of a second.
    expect(now).toBeGreaterThan(least - 30)
    expect(now).toBeLessThan(uptime() * 1000 + 30)
    before = now
    await setTimeout(3)
  }
})

test('a machine that was asleep has been up all the while', () => {
  // To a process a sleep is a clock on the wall that has gone on alone.
  const source = new URL('../../../src/daemon/lifecycle/system-clock.ts', import.meta.url).pathname
  const script = `
      import os from 'node:os'
      import { syncBuiltinESMExports } from 'node:module'
      let slept = 0
      const [now, uptime] = [Date.now, os.uptime]
      Date.now = () => now() + slept
      os.uptime = () => uptime() + slept / 1000
      syncBuiltinESMExports()
      const { systemClock } = await import(${JSON.stringify(source)})
      const { elapsed } = systemClock()
      const before = elapsed()
      slept = 3_600_000
      console.log(elapsed() - before)`
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(Number(stdout)).toBeGreaterThan(3_599_900)
})
