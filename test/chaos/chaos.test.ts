import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DIST } from '../support/programs.ts'
import { runScript } from '../support/run-script.ts'
import { mayMount } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'scripts/chaos/main.ts')

const chaos = (...args: string[]) => runScript('chaos/main.ts', '--dist', DIST, ...args)

describe.concurrent('chaos', () => {
  test('a daemon that is killed again and again loses, doubles and invents nothing', async ({ expect }) => {
    const { code, out } = await chaos('--kills', '6')
    expect(out).toContain('nothing was lost, doubled or invented')
    expect(out).toMatch(/^ +6 {2}kills by SIGKILL$/m)
    expect(code).toBe(0)
  })

  test.skipIf(!mayMount() || skipWithout('gcc'))(
    'nor does it on a disk that fills up and by a clock that is moved',
    async ({ expect }) => {
      const { code, out } = await chaos('--kills', '4', '--disk', '--clock')
      expect(out).toContain('nothing was lost, doubled or invented')
      expect(code).toBe(0)
    },
  )

  test('a build that answers before it commits is caught', async ({ expect }) => {
    const { code, out } = await chaos('--kills', '8', '--sabotage', 'answer-before-commit')
    expect(out).toMatch(/the build that answers before it commits was caught by: (stored|zki|keys|bytes|final|stopped)/)
    expect(code).toBe(0)
  })
})

test('whoever ends it early finds no process and no file of it', async () => {
  const tmp = await tempDir()
  const argv = ['--import', 'tsx', MAIN, '--dist', DIST]
  const child = spawn(process.execPath, argv, { cwd: ROOT, env: { ...process.env, TMPDIR: tmp }, stdio: 'ignore' })
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const pidFile = () => readdirSync(tmp).map((name) => join(tmp, name, 'data/fiskd.pid'))[0] ?? ''
  while (!existsSync(pidFile())) await pause(50)
  const daemon = Number(readFileSync(pidFile(), 'utf8'))
  child.kill('SIGINT')
  expect(await exit).toBe(130)
  expect(readdirSync(tmp).filter((name) => name.startsWith('fiskd-chaos'))).toEqual([])
  await expect.poll(() => isAlive(daemon)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
