import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inProject, standIn } from '../support/stand-in.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const UNITS = ['fiskd.service', 'fiskd@.service', 'fiskd-backup.service', 'fiskd-backup.timer']

/** What systemd says of the units in a root of its own, in which only what they start is installed. */
async function verified(change = (unit: string) => unit): Promise<string> {
  const root = await tempDir()
  for (const path of ['usr/sbin/fiskd', 'usr/lib/fiskd/systemd/nightly-backup']) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    standIn(root, path, 'true')
  }
  const folder = join(root, 'usr/lib/systemd/system')
  mkdirSync(folder, { recursive: true })
  for (const unit of UNITS)
    writeFileSync(join(folder, unit), change(readFileSync(inProject(`systemd/${unit}`), 'utf8')))
  const args = [
    'verify',
    '--man=no',
    '--recursive-errors=no',
    `--root=${root}`,
    ...UNITS.map((unit) => unit.replace('@.', '@1.')),
  ]
  const { stdout, stderr, status } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return `${stdout}${stderr}${status === 0 ? '' : `exit ${status}`}`
}

/** @param unit of a template: one of its units is looked at */
async function exposure(unit: string, tenths: number): Promise<number | null> {
  const path = join(await tempDir(), unit.replace('@.', '@1.'))
  copyFileSync(inProject(`systemd/${unit}`), path)
  return spawnSync('systemd-analyze', ['security', '--offline=true', `--threshold=${tenths}`, path]).status
}

describe.skipIf(skipWithout('systemd-analyze'))('systemd', () => {
  test('has nothing to say about the units', async () => {
    expect(await verified()).toBe('')
  })

  test('would say what is wrong with them', async () => {
    expect(await verified((unit) => unit.replace('WatchdogSec=', 'WatchDogSec='))).toContain(
      "Unknown key 'WatchDogSec'",
    )
    expect(await verified((unit) => unit.replace('/usr/sbin/fiskd', '/usr/sbin/fisks'))).toContain('/usr/sbin/fisks')
  })

  test('finds the daemon exposed by 1.5 at the most, a process of a server by 1.3, and the backup by 0.5', async () => {
    expect(await exposure('fiskd.service', 15)).toBe(0)
    expect(await exposure('fiskd@.service', 13)).toBe(0)
    expect(await exposure('fiskd-backup.service', 5)).toBe(0)
  })
})

/** The values of a setting, in their order. */
function setting(unit: string, name: string): string[] {
  const lines = readFileSync(inProject(`systemd/${unit}`), 'utf8').split('\n')
  return lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))
}

test('the processes of a server are kept as the daemon of a gateway is, but that they need no devices', () => {
  const allowed = ['DeviceAllow', 'DevicePolicy', 'PrivateDevices', 'PrivateUsers', 'LimitNOFILE', 'After']
  const places = ['Environment', 'EnvironmentFile', 'StateDirectory', 'RuntimeDirectory', 'Description']
  const settings = (unit: string) =>
    readFileSync(inProject(`systemd/${unit}`), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line) && ![...allowed, ...places].includes(line.split('=')[0] ?? ''))
  expect(settings('fiskd@.service')).toEqual(settings('fiskd.service'))
  expect(setting('fiskd@.service', 'PrivateDevices')).toEqual(['yes'])
})

test('each process of a server has its own data directory and socket, and shares vault key, CA and trust', () => {
  expect(setting('fiskd@.service', 'Environment')).toContain(
    'FISKD_SHARED_DIR=/var/lib/fiskd FISKD_DATA_DIR=/var/lib/fiskd/%i FISKD_SOCKET=/run/fiskd/%i/fiskd.sock',
  )
  // One that stops removes its runtime directory: not that of the others.
  expect(setting('fiskd@.service', 'RuntimeDirectory')).toEqual(['fiskd/%i'])
  expect(setting('fiskd@.service', 'EnvironmentFile')).toEqual(['/etc/fiskd/fiskd.env', '/etc/fiskd/fiskd@%i.env'])
})

test.each(['fiskd.service', 'fiskd@.service'])('%s may put the CA where every local user finds it', (unit) => {
  const [file = ''] = setting(unit, 'Environment').flatMap((line) => /^FISKD_CA_FILE=(\S+)$/.exec(line)?.[1] ?? [])
  expect(setting(unit, 'ReadWritePaths')).toEqual([`-${dirname(file)}`])
  const made = readFileSync(inProject('systemd/tmpfiles.d/fiskd.conf'), 'utf8').split('\n')
  expect(made.map((line) => line.split(/\s+/))).toContainEqual(['d', dirname(file), '0755', 'fiskd', 'fiskd', '-'])
  expect(readFileSync(inProject('scripts/package/debian/postrm'), 'utf8')).toContain(`rm -rf ${dirname(file)}\n`)
})

test('whatever ends the daemon, it is started again, however often', () => {
  expect(setting('fiskd.service', 'Restart')).toEqual(['always'])
  expect(setting('fiskd.service', 'StartLimitIntervalSec')).toEqual(['0'])
  expect(setting('fiskd.service', 'RestartPreventExitStatus')).toEqual([])
})

test('the kernel ends others before the daemon, and the daemon before it takes all memory of the machine', () => {
  expect(setting('fiskd.service', 'OOMScoreAdjust')).toEqual(['-500'])
  const [share = ''] = setting('fiskd.service', 'MemoryMax').map((value) => /^(\d+)%$/.exec(value)?.[1])
  // Of the 512 MB of a Raspberry Pi Zero 2 W more than twice what the daemon needs, and room for the system.
  expect(Number(share)).toBeGreaterThanOrEqual(60)
  expect(Number(share)).toBeLessThanOrEqual(80)
  expect(setting('fiskd.service', 'MemoryHigh')).toEqual([])
})

test('the service waits for nothing that the internet decides about', () => {
  const awaited = ['After', 'Wants', 'Requires'].flatMap((name) => setting('fiskd.service', name)).join(' ')
  expect(awaited).not.toMatch(/network-online|time-sync\.target|wait/)
})

test('printers are allowed by number: a name means nothing before its driver is loaded', () => {
  const numbers = setting('fiskd.service', 'DeviceAllow').flatMap((line) => /^char-(\d+) rw$/.exec(line)?.[1] ?? [])
  expect(numbers).toEqual(['4', '6', '166', '180', '188', '204'])
})

test('the daemon has more time to end than it takes, and files enough for its connections', () => {
  expect(Number(setting('fiskd.service', 'TimeoutStopSec')[0])).toBeGreaterThan(20)
  expect(Number(setting('fiskd.service', 'LimitNOFILE')[0])).toBeGreaterThanOrEqual(8192)
})

test.skipIf(skipWithout('systemd-sysusers'))('the user of the daemon is in the groups of printers', async () => {
  const root = await tempDir()
  mkdirSync(join(root, 'etc'))
  writeFileSync(join(root, 'etc/passwd'), '')
  writeFileSync(join(root, 'etc/group'), 'lp:x:7:\ndialout:x:20:\n')
  mkdirSync(join(root, 'usr/lib/sysusers.d'), { recursive: true })
  copyFileSync(inProject('systemd/sysusers.d/fiskd.conf'), join(root, 'usr/lib/sysusers.d/fiskd.conf'))
  spawnSync('systemd-sysusers', [`--root=${root}`])
  expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(
    /^fiskd:!?[x*]?:\d+:\d+:[^:]+:\/var\/lib\/fiskd:\/usr\/sbin\/nologin$/m,
  )
  expect(readFileSync(join(root, 'etc/group'), 'utf8')).toMatch(/^lp:x:7:fiskd\ndialout:x:20:fiskd$/m)
})

// From systemd 254 on, which Debian 12 has not.
const udevVerifies = spawnSync('udevadm', ['verify', '--help']).status === 0

test.skipIf(!udevVerifies)('udev has nothing to say about the rules', () => {
  const rules = inProject('systemd/udev/60-fiskd-printer.rules')
  const { stdout, stderr, status } = spawnSync('udevadm', ['verify', rules], { encoding: 'utf8' })
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/Fail:\s+0/)])
})
