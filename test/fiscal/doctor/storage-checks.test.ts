import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dataDisk } from '../../../src/daemon/host/data-disk.ts'
import { storageChecks } from '../../../src/fiscal/doctor/storage-checks.ts'
import { breakableGateway, procText } from '../../support/breakable-gateway.ts'
import { examine } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'
import { broken as brokenOn, healthyGateway } from '../../support/healthy.ts'
import { healthyMachine } from '../../support/machine.ts'
import { mayMount, mountExt4, mountTmpfs } from '../../support/small-disk.ts'

const { gateway, whole, alone } = breakableGateway(({ dataDir, machine }) => storageChecks(dataDisk(dataDir, machine)))

describe('the disk', () => {
  test('that takes long for a write is a warning', async () => {
    const found = await whole.withMachine({ slowWriteMs: -1 })
    expect(found).toMatchObject([
      { name: 'disk writes', status: 'warn', fix: expect.stringContaining('replace an old SD card') },
    ])
  })

  test('leaves nothing of the trial write behind', async () => {
    await examine(storageChecks(dataDisk(gateway().dataDir, gateway().machine)))
    await expect(readFile(join(gateway().dataDir, '.fiskd-trial'))).rejects.toThrow('ENOENT')
  })

  test.each([
    ['tmpfs', 'rw,size=388684k', 'fail', 'in memory, so every sale is gone with the power'],
    ['nfs4', 'rw,vers=4.2,hard', 'fail', 'SQLite can lose or damage a database there'],
    ['vfat', 'rw,fmask=0022', 'fail', 'a power cut can damage it'],
    ['reiser9', 'rw', 'warn', 'nobody has tried whether sales survive'],
    ['ext4', 'rw,nobarrier', 'warn', 'without write barriers'],
  ])('that is %s (%s) is told as it is', async (type, options, status, why) => {
    const line = `99 27 0:77 / ${gateway().dataDir} rw - ${type} some ${options}\n`
    const found = await alone.withProc('self/mountinfo', (await procText('self/mountinfo')) + line)
    const fix = 'stop fiskd, move the data directory to a local ext4 disk, and name it with FISKD_DATA_DIR'
    expect(found).toMatchObject([{ name: 'file system', status, fix }])
    expect(found[0]?.detail).toContain(why)
  })

  test.skipIf(!mayMount())('that the kernel has made read-only is found, and why', async () => {
    const disk = mountExt4(32)
    onTestFinished(() => disk.close())
    chmodSync(disk.path, 0o700)
    const other = await healthyGateway({ FISKD_DATA_DIR: disk.path, FISKD_DISK_FLOOR_MB: '0' })
    const found = await brokenOn(Object.assign(other, { machine: asItIs(other) }), disk.failAsSdCardsDo)
    expect(found).toMatchObject([
      { name: 'disk writes', status: 'fail', fix: expect.stringContaining('a card that does it again is worn out') },
    ])
    expect(found[0]?.detail).toContain('has become read-only: the kernel does so after an error of the disk')
  })

  test.skipIf(!mayMount())('without free inodes is found', async () => {
    const disk = mountTmpfs(32)
    onTestFinished(() => disk.close())
    chmodSync(disk.path, 0o700)
    const checks = storageChecks(dataDisk(disk.path, healthyMachine()))
    const limit = () => execFileSync('mount', ['-o', 'remount,nr_inodes=80', disk.path])
    const found = await brokenOn({ dataDir: disk.path, look: () => examine(checks) }, limit)
    expect(found).toMatchObject([{ name: 'inodes', status: 'fail', fix: expect.stringContaining('du --inodes') }])
    expect(found[0]?.detail).toMatch(/^\d\d of 80 are free: no more files can be made$/)
  })
})

/** The mounts as this machine has them. */
function asItIs({ machine }: Gateway) {
  return Object.assign(machine, { proc: '/proc' })
}
