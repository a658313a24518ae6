import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emulatorOf, startMachine } from '../../scripts/machine/qemu.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const order = { arch: 'amd64', append: '', memoryMb: 64, forwards: [] } as const

test.skipIf(skipWithout(emulatorOf('amd64')))('a machine that cannot start says why to who waits for it', async () => {
  const dir = await tempDir()
  const consoleLog = join(dir, 'console.log')
  const machine = startMachine({ ...order, forwards: [], kernel: join(dir, 'none'), consoleLog })
  await expect(machine.wait('ready', 60_000)).rejects.toThrow(
    /ended before it said ready:.*could not open kernel file/s,
  )
  expect(await machine.ended).toBe(1)
  expect(readFileSync(consoleLog, 'utf8')).toBe(machine.console)
})

test.skipIf(skipWithout(emulatorOf('amd64')))(
  'a machine that runs on is waited for only so long, and ends when its power goes',
  async () => {
    const dir = await tempDir()
    // A boot sector that does nothing for ever.
    const disk = join(dir, 'disk')
    const sector = Buffer.alloc(512)
    sector.set([0xeb, 0xfe], 0)
    sector.set([0x55, 0xaa], 510)
    writeFileSync(disk, sector)
    const machine = startMachine({
      ...order,
      forwards: [],
      disk,
      consoleLog: join(dir, 'console.log'),
    })
    await expect(machine.wait('ready', 500)).rejects.toThrow('took more than 0.5 s before it said ready')
    await machine.powerOff()
    expect(await machine.ended).toBeNull()
  },
)
