import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { judgeFileSystem } from '../../../src/daemon/host/file-system.ts'
import { parseMounts } from '../../../src/daemon/host/mounts.ts'
import type { Check } from '../../../src/domain/check.ts'
import { changed, diagnose } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'
import { broken as brokenOn, healthyGateway, sharedHealthyGateway } from '../../support/healthy.ts'
import { healthyMachine } from '../../support/machine.ts'
import { mayMount, mountExt4, mountTmpfs } from '../../support/small-disk.ts'
import { tempDir } from '../../support/temp-dir.ts'

let shared: Gateway
let healthy: Check[]
beforeAll(async () => {
  shared = await sharedHealthyGateway()
  healthy = await diagnose(shared)
})

/** What the doctor says differently of the shared gateway; it is whole again when the test ends. */
async function broken(breakIt: () => unknown, mend: () => unknown = () => {}): Promise<Check[]> {
  onTestFinished(async () => void (await mend()))
  await breakIt()
  return changed(healthy, await diagnose(shared))
}

/** The machine of the shared gateway with this in a file of its /proc. */
async function withProc(file: string, text: string) {
  const dir = await tempDir()
  await mkdir(join(dir, 'self'))
  for (const name of ['self/mountinfo', 'self/limits', 'cmdline']) {
    await copyFile(join(healthyMachine().proc, name), join(dir, name))
  }
  await writeFile(join(dir, file), text)
  return broken(
    () => Object.assign(shared.machine, { proc: dir }),
    () => Object.assign(shared.machine, healthyMachine()),
  )
}

const procText = (file: string) => readFile(join(healthyMachine().proc, file), 'utf8')

describe('permissions', () => {
  test.each([
    ['', 0o755, 0o700, 'is open to other users (mode 0755)', '750'],
    ['', 0o770, 0o700, 'is open to its group (mode 0770)', '750'],
    ['vault.key', 0o640, 0o600, 'vault.key is open to its group (mode 0640)', '600'],
    ['tls/ca.key', 0o604, 0o600, 'ca.key is open to other users (mode 0604)', '600'],
    ['tls/server.key', 0o644, 0o600, 'server.key is open to other users (mode 0644)', '600'],
    ['fiskd.db', 0o660, 0o640, 'fiskd.db is open to its group (mode 0660)', 'go-w'],
    ['fiskd.lock', 0o646, 0o640, 'fiskd.lock is open to other users (mode 0646)', 'go-w'],
    ['trust/test.pem', 0o666, 0o640, 'test.pem is open to other users (mode 0666)', 'go-w'],
    ['fiskd.sock', 0o666, 0o660, 'fiskd.sock is open to other users (mode 0666)', '660'],
  ])('%s with mode %o is found and mended', async (file, mode, usual, problem, fix) => {
    const path = join(shared.dataDir, file).replace(/\/$/, '')
    const found = await broken(
      () => chmodSync(path, mode),
      () => chmodSync(path, usual),
    )
    expect(found).toMatchObject([{ name: 'permissions', status: 'fail', fix: `sudo chmod ${fix} ${path}` }])
    expect(found[0]?.detail).toContain(problem)
  })

  test.runIf(process.getuid?.() === 0)('a file of another user is found and given back', async () => {
    const path = join(shared.dataDir, 'vault.key')
    const found = await broken(
      () => chownSync(path, 1, 1),
      () => chownSync(path, 0, 0),
    )
    expect(found).toMatchObject([{ name: 'permissions', status: 'fail', fix: `sudo chown root: ${path}` }])
    expect(found[0]?.detail).toContain('belongs to user daemon, not to root')
  })

  test('of many wrong files the first are named and the rest counted', async () => {
    const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => join(shared.dataDir, name))
    const make = () => paths.map((path) => [writeFileSync(path, ''), chmodSync(path, 0o666)])
    const found = await broken(make, () => paths.map((path) => rmSync(path)))
    expect(found).toMatchObject([{ name: 'permissions', status: 'fail' }])
    expect(found[0]?.detail).toMatch(/and 2 more$/)
    expect(found[0]?.fix).toBe(`sudo chmod go-w ${paths.slice(0, 3).join(' && sudo chmod go-w ')}`)
  })
})

describe('files in place', () => {
  test.each([
    ['fiskd.db', 'restore that: fisk restore FILE'],
    ['fiskd.db-wal', 'restore that: fisk restore FILE'],
    ['fiskd.lock', 'take a new lock: systemctl restart fiskd'],
  ])('%s that is moved away under the running daemon is found', async (file, fix) => {
    const path = join(shared.dataDir, file)
    const back = () => renameSync(`${path}.moved`, path)
    const found = await broken(() => renameSync(path, `${path}.moved`), back)
    // With the name of the database away, other checks read another one or none.
    const own = found.filter(({ name }) => name === 'files in place')
    expect(own).toMatchObject([{ status: 'fail', fix: expect.stringContaining(fix) }])
    expect(own[0]?.detail).toContain(`${path} was removed`)
    if (file === 'fiskd.lock') expect(found).toEqual(own)
  })

  test('a copy put in the place of the lock is not the lock', async () => {
    const path = join(shared.dataDir, 'fiskd.lock')
    const replace = () => [renameSync(path, `${path}.moved`), writeFileSync(path, '')]
    const found = await broken(replace, () => renameSync(`${path}.moved`, path))
    expect(found).toMatchObject([{ name: 'files in place', status: 'fail' }])
  })
})

describe('the disk', () => {
  test('that takes long for a write is a warning', async () => {
    const found = await broken(
      () => Object.assign(shared.machine, { slowWriteMs: -1 }),
      () => Object.assign(shared.machine, healthyMachine()),
    )
    expect(found).toMatchObject([
      { name: 'disk writes', status: 'warn', fix: expect.stringContaining('replace an old SD card') },
    ])
  })

  test('leaves nothing of the trial write behind', async () => {
    await diagnose(shared)
    await expect(readFile(join(shared.dataDir, '.fiskd-trial'))).rejects.toThrow('ENOENT')
  })

  test.each([
    ['tmpfs', 'rw,size=388684k', 'fail', 'in memory, so every sale is gone with the power'],
    ['nfs4', 'rw,vers=4.2,hard', 'fail', 'SQLite can lose or damage a database there'],
    ['vfat', 'rw,fmask=0022', 'fail', 'a power cut can damage it'],
    ['reiser9', 'rw', 'warn', 'nobody has tried whether sales survive'],
    ['ext4', 'rw,nobarrier', 'warn', 'without write barriers'],
  ])('that is %s (%s) is told as it is', async (type, options, status, why) => {
    const line = `99 27 0:77 / ${shared.dataDir} rw - ${type} some ${options}\n`
    const found = await withProc('self/mountinfo', (await procText('self/mountinfo')) + line)
    const fix = 'stop fiskd, move the data directory to a local ext4 disk, and name it with FISKD_DATA_DIR'
    expect(found).toMatchObject([{ name: 'file system', status, fix }])
    expect(found[0]?.detail).toContain(why)
  })

  test.skipIf(!mayMount())('that the kernel has made read-only is found, and why', async () => {
    const disk = mountExt4(32)
    onTestFinished(() => disk.close())
    chmodSync(disk.path, 0o700)
    const gateway = await healthyGateway({ FISKD_DATA_DIR: disk.path, FISKD_DISK_FLOOR_MB: '0' })
    const found = await brokenOn(Object.assign(gateway, { machine: asItIs(gateway) }), disk.failAsSdCardsDo)
    expect(found).toMatchObject([
      { name: 'disk writes', status: 'fail', fix: expect.stringContaining('a card that does it again is worn out') },
    ])
    expect(found[0]?.detail).toContain('has become read-only: the kernel does so after an error of the disk')
  })

  test.skipIf(!mayMount())('without free inodes is found', async () => {
    const disk = mountTmpfs(32)
    onTestFinished(() => disk.close())
    chmodSync(disk.path, 0o700)
    const gateway = await healthyGateway({ FISKD_DATA_DIR: disk.path, FISKD_DISK_FLOOR_MB: '0' })
    const limit = () => execFileSync('mount', ['-o', 'remount,nr_inodes=80', disk.path])
    const found = await brokenOn(gateway, limit)
    expect(found).toMatchObject([{ name: 'inodes', status: 'fail', fix: expect.stringContaining('du --inodes') }])
    expect(found[0]?.detail).toMatch(/^\d\d of 80 are free: no more files can be made$/)
  })
})

/** The mounts as this machine has them. */
function asItIs(gateway: Gateway) {
  return Object.assign(gateway.machine, { proc: '/proc' })
}

describe('where sales lie', () => {
  const overlay = (upper: string) =>
    parseMounts(
      `27 1 0:30 / / rw - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=${upper},workdir=/media/root-rw/w\n` +
        '30 27 0:31 / /media/root-rw rw - tmpfs tmpfs-root rw\n40 27 8:1 / /media/disk rw - ext4 /dev/sda1 rw\n',
    )

  test.each([
    ['/media/root-rw/overlay', 'root=PARTUUID=1', 'lost'],
    ['/media/disk/overlay', 'root=PARTUUID=1', 'fit'],
    ['/upper/data', 'boot=overlay root=PARTUUID=1', 'lost'],
    ['/upper/data', 'overlayroot=tmpfs:recurse=0', 'lost'],
    ['/var/lib/docker/overlay2/1/diff', '', 'unknown'],
  ])('an overlay whose upper layer is %s (kernel: %s) is %s', (upper, cmdline, is) => {
    expect(judgeFileSystem('/var/lib/fiskd', overlay(upper), cmdline)).toMatchObject({ is })
  })

  test('a disk mounted for the data counts, not the one below; of two in one place the later one', () => {
    const mounts = parseMounts(
      '1 0 0:1 / / rw - tmpfs none rw\n2 1 8:1 / /var/lib/my\\040data rw - vfat a rw\n3 2 8:2 / /var/lib/my\\040data rw - xfs b rw\n',
    )
    expect(judgeFileSystem('/var/lib/my data', mounts, '')).toEqual({
      is: 'fit',
      why: 'xfs, mounted at /var/lib/my data',
    })
    expect(judgeFileSystem('/var/lib/my data set', mounts, '')).toMatchObject({ is: 'lost' })
  })
})

describe('the process', () => {
  test('that may open few files is a warning', async () => {
    const limits = (await procText('self/limits')).replace(/(?<=Max open files\s+)\d+/, '1024')
    expect(await withProc('self/limits', limits)).toMatchObject([
      {
        name: 'open files',
        status: 'warn',
        detail: expect.stringContaining('1024'),
        fix: expect.stringContaining('8192'),
      },
    ])
  })

  const pid = String(process.pid)
  const service = { INVOCATION_ID: 'b1d3', NOTIFY_SOCKET: '/run/systemd/notify' }
  test.each([
    [{ ...service, WATCHDOG_USEC: '60000000', WATCHDOG_PID: pid }, 'ok'],
    [service, 'warn'],
    [{ ...service, WATCHDOG_USEC: '60000000', WATCHDOG_PID: '1' }, 'warn'],
    [{ INVOCATION_ID: 'b1d3', SYSTEMD_EXEC_PID: pid }, 'warn'],
  ])('started by systemd with %j has a watchdog: %s', async (env, status) => {
    const found = await broken(
      () => Object.assign(shared.machine, { env }),
      () => Object.assign(shared.machine, healthyMachine()),
    )
    expect(found).toMatchObject([{ name: 'watchdog', status }])
    if (status === 'warn') expect(found[0]?.fix).toContain('WatchdogSec=60')
  })

  test.each([{}, { INVOCATION_ID: 'of a desktop', SYSTEMD_EXEC_PID: '1' }])(
    'that systemd has not started is asked for none',
    async (env) => {
      const found = await broken(
        () => Object.assign(shared.machine, { env }),
        () => Object.assign(shared.machine, healthyMachine()),
      )
      expect(found).toEqual([])
    },
  )
})
