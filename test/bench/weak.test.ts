import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openCgroup } from '../../scripts/bench/weak/cgroup.ts'
import { readOptions } from '../../scripts/bench/weak/options.ts'
import { openScratch, type Scratch } from '../../scripts/chaos/scratch.ts'

/** Whether groups can be made here: it takes root, and the kernel's folder. */
const mayGroup = (() => {
  const scratch = openScratch(false)
  try {
    return Boolean(openCgroup('probe', scratch))
  } catch {
    return false
  } finally {
    scratch.close()
  }
})()

function forTest(): Scratch {
  const scratch = openScratch(false)
  onTestFinished(() => scratch.close())
  return scratch
}

const SPIN =
  'const end = Date.now() + 1000; while (Date.now() < end); const { user, system } = process.cpuUsage(); console.log(user + system)'

async function told(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  await once(child, 'close')
  return text
}

test.skipIf(!mayGroup)('a process in a group with a tenth of a core gets no more than that', async () => {
  const group = openCgroup('tenth', forTest())
  group.limitCpu(0.1)
  const used = Number(await told(group.start(() => spawn(process.execPath, ['-e', SPIN]))))
  expect(used).toBeGreaterThan(10_000)
  expect(used).toBeLessThan(400_000)
})

test.skipIf(!mayGroup)(
  'a process that takes more memory than its group has is killed, and this is counted',
  async () => {
    const group = openCgroup('memory', forTest())
    group.limitMemory(64 * 1024 * 1024)
    const child = group.start(() => spawn('python3', ['-c', "kept = b'1' * (200 << 20)"], { stdio: 'ignore' }))
    const [code, signal] = await once(child, 'close')
    expect([code, signal]).toEqual([null, 'SIGKILL'])
    expect(group.kills()).toBe(1)
  },
)

test.each([
  [['--boards', 'pi9'], '--boards pi9: there are pi3, zero2w'],
  [['--only', 'speed'], '--only speed: there are pace, pressure, victims, limits'],
  [['--sales', 'x'], '--sales x: give a whole number'],
])('%j is wrong use', (args, reason) => {
  expect(() => readOptions(args)).toThrow(reason)
})
