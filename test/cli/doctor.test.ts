import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, statSync, symlinkSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { DiagnosisView } from '../../src/contract/admin/diagnosis.ts'
import { failure, type SaidCheck } from '../../src/domain/check.ts'
import { alike } from '../../src/domain/texts/both.ts'
import { refusal } from '../support/admin-stub.ts'
import { changed, inEnglish } from '../support/diagnosis.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { fisk } from '../support/fisk.ts'
import { type Host, startHost } from '../support/host.ts'
import { startVirtualPrinter } from '../support/printer.ts'
import { PRINTER } from '../support/stub-answers.ts'

let host: Host
let healthy: SaidCheck[]
beforeAll(async () => {
  host = await startHost(atTheEndOfFile)
  healthy = await host.checks()
})
beforeEach(() => {
  host.heal()
  host.stub.status = {}
})

const said = (json: string) => inEnglish((JSON.parse(json) as DiagnosisView).checks)

/** What `fisk doctor` says differently once something of the host is broken. */
async function broken(breakIt: () => unknown): Promise<SaidCheck[]> {
  await breakIt()
  return changed(healthy, await host.checks())
}

/** That one check alone is different, and how. */
async function expectOnly(
  name: string,
  status: SaidCheck['status'],
  detail: string,
  fix: string,
  breakIt: () => unknown,
) {
  const found = await broken(breakIt)
  expect(found).toMatchObject([{ name, status, detail: expect.stringContaining(detail) }])
  expect(found[0]?.fix).toContain(fix)
}

test('the findings are Croatian with --lang hr, and as JSON the same in every language', async () => {
  const croatian = await host.doctor('--lang', 'hr')
  expect(croatian.stdout).toMatch(/^u redu {6}fiskd +fiskd 1\.0\.0\s+odgovara\s+na\s/)
  expect(croatian.stdout).toMatch(/\n\nSve je u redu\.\n$/)
  expect(croatian.stdout).not.toMatch(/\b(the|is|it|and|with)\b/)
  expect(said((await host.doctor('--lang', 'hr', '--json')).stdout)).toEqual(healthy)
})

test('before the first live sale it also names what people have to do, in either language, and nothing fails', async () => {
  const ran = await host.doctor('--before-live', '--json')
  const added = said(ran.stdout).slice(healthy.length)
  expect(ran.code).toBe(0)
  expect(added.map(({ name, status }) => `${name} ${status}`)).toEqual(
    ['registration', 'ISU notice', 'internal act', 'maker of the software', 'two days of test', 'paper or none'].map(
      (name) => `${name} skip`,
    ),
  )
  expect((await host.doctor('--before-live', '--lang', 'hr')).stdout.replace(/\s+/g, ' ')).toContain(
    'ISPIS ISU OBAVIJESTI',
  )
})

test('a healthy machine is well in every respect, and the table fits the screen', async () => {
  expect(healthy.map(({ name, status }) => `${name} ${status}`)).toEqual(
    ['daemon', 'version', 'start at boot', 'restart', 'watchdog of the unit', 'backup timer', 'user']
      .concat(['time service', 'memory', 'power supply', 'temperature', 'storage mmcblk0'])
      .map((name) => `${name} ok`),
  )
  const ran = await host.doctor()
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/^ok {4}daemon +fiskd 1\.0\.0 answers on /)
  expect(ran.stdout).toMatch(/\n\nEverything is fine\.\n$/)
  for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('the checks of the daemon follow in the same table, and one that fails decides', async () => {
  const theirs = failure(alike('journal'), alike('position 2 is gone'), alike('restore'))
  host.stub.answer('GET /admin/doctor', { status: 200, body: { ok: false, checks: [theirs] } })
  onTestFinished(() => host.stub.answer('GET /admin/doctor', { status: 200, body: { ok: true, checks: [] } }))
  const ran = await host.doctor('--json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout).ok).toBe(false)
  expect(said(ran.stdout)).toEqual([...healthy, ...inEnglish([theirs])])
})

test('a company with the longest name there is leaves room for what is wrong with it, and is named whole', async () => {
  const name = `certificate of ${'Žučkasti šljivovac '.repeat(13)}d.o.o.`
  const check = failure(alike(name), alike('it expired yesterday'), alike('fisk cert add'))
  host.stub.answer('GET /admin/doctor', { status: 200, body: { ok: false, checks: [check] } })
  onTestFinished(() => host.stub.answer('GET /admin/doctor', { status: 200, body: { ok: true, checks: [] } }))
  const { stdout } = await host.doctor()
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(stdout.replace(/\s+/g, ' ')).toContain(`fail ${name} it expired yesterday Fix: fisk cert add`)
})

test('a daemon that has no database says so among the checks of the machine', async () => {
  const reason = refusal(500, 'internal_error', 'nothing can be sold: the database is gone; restore the last backup')
  host.stub.answer('GET /admin/doctor', reason)
  onTestFinished(() => host.stub.answer('GET /admin/doctor', { status: 200, body: { ok: true, checks: [] } }))
  expect(await broken(() => {})).toMatchObject([
    { name: 'examination', status: 'fail', detail: expect.stringContaining('the database is gone') },
  ])
})

test('where neither systemd nor the kernel tells anything, only the daemon and its version are left', async () => {
  const ran = await fisk(['doctor', '--json'], { socket: host.stub.socket })
  expect(said(ran.stdout).map(({ name }) => name)).toEqual(['daemon', 'version'])
})

test('a terminal shows how each check went in colours', async () => {
  const { stdout } = await fisk(['doctor'], { socket: host.stub.socket, isTty: true })
  expect(stdout.startsWith('\u001b[32mok\u001b[39m    daemon ')).toBe(true)
  const without = await fisk(['doctor'], { socket: host.stub.socket, isTty: true, env: { NO_COLOR: '1' } })
  expect(without.stdout).toMatch(/^ok {4}daemon /)
})

test('a warning alone breaks nothing', async () => {
  host.unit('fiskd-backup.timer', null)
  const ran = await host.doctor()
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('No errors were found; see the warnings.') })
})

test('a package that was upgraded without a restart is a warning', async () => {
  const running = () => Object.assign(host.stub, { status: { version: '0.9.0' } })
  await expectOnly('version', 'warn', 'but 0.9.0 runs', 'sudo systemctl restart fiskd', running)
})

describe('without a daemon', () => {
  /** `fisk doctor` on a socket where nobody answers, with the service in some state. */
  async function down(state: Record<string, string> | null, journal = '') {
    host.unit('fiskd.service', state)
    host.journal(journal)
    const ran = await host.doctor('--json', '--socket', '/nowhere/fiskd.sock')
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout).ok).toBe(false)
    return said(ran.stdout)[0] as SaidCheck
  }
  const failed = { ActiveState: 'failed', SubState: 'failed', ExecMainCode: '1' }
  const stopped = { ActiveState: 'inactive', SubState: 'dead' }
  const looping = { ActiveState: 'activating', SubState: 'auto-restart', Result: 'exit-code', ExecMainCode: '1' }

  test.each([
    ['stopped', stopped, 'The service is stopped.', 'sudo systemctl start fiskd'],
    ['not installed', null, 'The service fiskd is not installed.', 'sudo apt install'],
    ['masked', { ...stopped, LoadState: 'masked', UnitFileState: 'masked' }, 'masked', 'sudo systemctl unmask fiskd'],
    ['unreadable', { ...stopped, LoadState: 'bad-setting' }, '(bad-setting)', 'systemd-analyze verify'],
    ['starting', { ActiveState: 'activating', SubState: 'start' }, 'still starting', 'wait a minute'],
    [
      'starting again and again',
      { ActiveState: 'activating', SubState: 'start', NRestarts: '7' },
      'was started 7 times',
      'mend what the log names',
    ],
    ['running', {}, 'The service runs.', 'sudo systemctl restart fiskd'],
    ['misconfigured', { ...failed, Result: 'exit-code', ExecMainStatus: '2' }, 'exit code 2', '/etc/fiskd/fiskd.env'],
    ['without program', { ...failed, Result: 'exit-code', ExecMainStatus: '203' }, '203', 'sudo apt install'],
    ['without user', { ...failed, Result: 'exit-code', ExecMainStatus: '217' }, '217', 'sudo systemd-sysusers'],
    ['killed', { ...failed, Result: 'signal', ExecMainCode: '2', ExecMainStatus: '9' }, 'by signal 9', 'journalctl'],
    ['hung', { ...failed, Result: 'watchdog', ExecMainStatus: '6' }, 'no sign of life', 'systemctl restart fiskd'],
    ['out of memory', { ...failed, Result: 'oom-kill' }, 'out of memory', 'systemctl restart fiskd'],
    ['started too often', { ...failed, Result: 'start-limit-hit' }, 'too often', 'systemctl reset-failed fiskd'],
    [
      'ended at once',
      { ...looping, ExecMainStatus: '1', NRestarts: '0' },
      'soon after its start: exit code 1',
      'journalctl',
    ],
    [
      'looping',
      { ...looping, ExecMainStatus: '1', NRestarts: '7' },
      'exit code 1; started 7 times',
      'systemctl restart',
    ],
  ])('the state of the service is told: %s', async (_state, properties, detail, fix) => {
    const check = await down(properties)
    expect(check).toMatchObject({ name: 'daemon', status: 'fail', fix: expect.stringContaining(fix) })
    expect(check.detail).toContain('No daemon answers on /nowhere/fiskd.sock.')
    expect(check.detail).toContain(detail)
  })

  test('the machine is looked at all the same, and the table says what was not', async () => {
    host.unit('fiskd.service', stopped)
    const ran = await host.doctor('--socket', '/nowhere/fiskd.sock')
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/^fail {2}daemon /)
    expect(ran.stdout).toMatch(/^ok {4}temperature/m)
    expect(ran.stdout).toMatch(/Errors were found\.\nSales, certificates.* could not\nbe checked/)
    for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const checks = said((await host.doctor('--json', '--socket', '/nowhere/fiskd.sock')).stdout)
    const gone = changed(healthy, checks).map(({ name }) => name)
    expect(gone).toEqual(['daemon', 'version'])
  })

  test('the log explains it in three lines of the last run at most, without what only records', async () => {
    const { detail } = await down({ ...failed, Result: 'exit-code', ExecMainStatus: '1' }, JOURNAL)
    expect(detail.split('Its log says: ')[1]).toBe(
      'no room: ENOSPC / fiskd: cannot listen on 0.0.0.0 port 8443: EADDRINUSE / because: it [31m is taken',
    )
  })

  test('a disk of the data that was pulled is the reason, and is to be attached and mounted', async () => {
    const folder = host.path('.')
    host.write('fstab', `# disks\n/dev/sda1 / ext4 noatime 0 1\n/dev/sdb1 ${folder} ext4 noatime 0 2\n`)
    host.write('proc/self/mounts', '/dev/sda1 / ext4 rw 0 0\n')
    const check = await down({ ...failed, Result: 'exit-code', ExecMainStatus: '1' })
    expect(check.detail).toContain(`The reason: the disk of ${folder} is not mounted`)
    expect(check.fix).toBe(`attach it, then: sudo mount ${folder}; then: sudo systemctl restart fiskd`)

    host.write('proc/self/mounts', `/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 ${folder} ext4 rw 0 0\n`)
    expect((await down(failed)).detail).not.toContain('is not mounted')
  })

  test('where only systemd knows why, its line is told', async () => {
    const journal = `Starting fiskd.service - fiskd, fiscalization daemon...
fiskd.service: Failed to locate executable /usr/sbin/fiskd: No such file or directory
fiskd.service: Failed at step EXEC spawning /usr/sbin/fiskd: No such file or directory
fiskd.service: Main process exited, code=exited, status=203/EXEC
fiskd.service: Failed with result 'exit-code'.
Failed to start fiskd.service - fiskd, fiscalization daemon.
`
    const { detail } = await down({ ...failed, Result: 'exit-code', ExecMainStatus: '203' }, journal)
    expect(detail).toContain('Failed at step EXEC spawning /usr/sbin/fiskd: No such file or directory')
    expect(detail).not.toContain('Main process')
  })

  const mayDropRights = process.getuid?.() === 0
  test.runIf(!mayDropRights)('a socket that may not be opened is no daemon that is down', async () => {
    chmodSync(host.stub.socket, 0)
    onTestFinished(() => chmodSync(host.stub.socket, 0o660))
    host.unit('fiskd.service', stopped)
    expect((await host.checks())[0]).toMatchObject({ status: 'fail', fix: expect.stringMatching(/use sudo\.$/i) })
  })
})

const JOURNAL = `Starting fiskd.service - fiskd, fiscalization daemon...
fiskd: something of an earlier run
fiskd.service: Main process exited, code=exited, status=1/FAILURE
Starting fiskd.service - fiskd, fiscalization daemon...
{"level":30,"time":1795310000000,"pid":812,"msg":"ready"}
{"level":60,"time":1795310000001,"pid":812,"msg":"stopping because of an error nobody handled"}
{"level":50,"time":1795310000002,"pid":812,"err":{"type":"Error","message":"ENOSPC"},"msg":"no room"}
fiskd: cannot listen on 0.0.0.0 port 8443: EADDRINUSE
  because: it \u001b[31m is taken
{"level":50, this is cut off
fiskd.service: Main process exited, code=exited, status=1/FAILURE
fiskd.service: Failed with result 'exit-code'.
Failed to start fiskd.service - fiskd, fiscalization daemon.
fiskd.service: Scheduled restart job, restart counter is at 7.
`

describe('the service', () => {
  const dropIn = { DropInPaths: '/etc/systemd/system/fiskd.service.d/override.conf' }
  const enable = 'sudo systemctl enable fiskd'
  const timer = 'sudo systemctl enable --now fiskd-backup.timer'
  test.each([
    ['start at boot', 'fail', { UnitFileState: 'disabled' }, 'is disabled', enable],
    ['start at boot', 'fail', { UnitFileState: 'enabled-runtime' }, 'is enabled-runtime', enable],
    ['restart', 'warn', { Restart: 'no' }, 'Restart=no', 'put Restart=always under [Service]'],
    [
      'restart',
      'warn',
      { Restart: 'on-failure', ...dropIn },
      'Restart=on-failure',
      `take it out of ${dropIn.DropInPaths}`,
    ],
    ['restart', 'warn', { StartLimitIntervalUSec: '10s' }, 'within 10s', 'put StartLimitIntervalSec=0 under [Unit]'],
    ['restart', 'warn', { NeedDaemonReload: 'yes' }, 'newer than the one in force', 'sudo systemctl daemon-reload'],
    ['watchdog of the unit', 'warn', { WatchdogUSec: '0' }, 'if fiskd hung', 'put WatchdogSec=60 under [Service]'],
    ['watchdog of the unit', 'warn', { WatchdogUSec: 'infinity', ...dropIn }, 'hung', 'override.conf'],
    ['user', 'warn', { User: '' }, 'runs as root', 'put User=fiskd'],
  ] as const)('%s: %s for %j', (name, status, properties, detail, fix) =>
    expectOnly(name, status, detail, fix, () => host.unit('fiskd.service', properties)),
  )

  test.each([
    [{ UnitFileState: 'disabled' }, 'it is disabled', timer],
    [{ ActiveState: 'inactive' }, 'it is inactive', timer],
    [{ LoadState: 'masked' }, 'it is masked', 'unmask it'],
    [null, 'it is not installed', 'fisk backup FILE'],
  ])('backup timer: warn for %j', (properties, detail, fix) =>
    expectOnly('backup timer', 'warn', detail, fix, () => host.unit('fiskd-backup.timer', properties)),
  )

  test('one that is masked while the daemon still runs does not start again', async () => {
    const found = await broken(() => host.unit('fiskd.service', { LoadState: 'masked', UnitFileState: 'masked' }))
    expect(found[0]).toMatchObject({ name: 'start at boot', status: 'fail', fix: expect.stringContaining('unmask') })
    // systemd tells no setting of a masked unit.
    expect(found.slice(1).map(({ name }) => name)).toEqual(['restart', 'watchdog of the unit', 'user'])
  })

  test('one whose user is gone cannot start', () =>
    expectOnly('user', 'fail', 'there is no user fiskd', 'sudo systemd-sysusers', () => host.groups(null)))

  test.each([
    ['fiskd lp', 'not in dialout', 'sudo usermod -aG dialout fiskd'],
    ['fiskd', 'not in dialout and lp', 'sudo usermod -aG dialout,lp fiskd'],
  ])('one whose user is only in the groups %s may not open printers', (groups, detail, fix) =>
    expectOnly('user', 'warn', detail, fix, () => {
      host.unit('fiskd.service', { SupplementaryGroups: '' })
      host.groups(groups)
    }),
  )

  test('a group of either the unit or the user database is enough', async () => {
    const halves = () => [host.unit('fiskd.service', { SupplementaryGroups: 'lp' }), host.groups('fiskd dialout')]
    expect(await broken(halves)).toEqual([])
  })
})

describe('the time service', () => {
  const off = { ActiveState: 'inactive', SubState: 'dead' }
  test.each([
    [off, 'sudo timedatectl set-ntp true'],
    [null, 'sudo apt install systemd-timesyncd'],
  ])('that does not run is a warning: %j', (state, fix) =>
    expectOnly('time service', 'warn', 'none runs', fix, () => host.unit('systemd-timesyncd.service', state)),
  )

  test('may be another one', async () => {
    host.unit('systemd-timesyncd.service', null)
    host.unit('chrony.service', { Id: 'chrony.service', LoadState: 'loaded', ActiveState: 'active' })
    expect((await host.checks()).find(({ name }) => name === 'time service')).toMatchObject({
      status: 'ok',
      detail: 'chrony keeps the clock',
    })
  })
})

describe('the environment file', () => {
  /** What is said of it; the daemon has just started, or does not run. */
  async function judged(text: string, isRunning = true) {
    host.write('fiskd.env', text)
    host.stub.status = { uptime_s: 0 }
    const ran = await host.doctor('--json', ...(isRunning ? [] : ['--socket', '/nowhere/fiskd.sock']))
    const checks = said(ran.stdout)
    return checks.find(({ name }) => name === 'environment file')
  }
  const correct = expect.stringMatching(/^correct .*fiskd\.env, then: sudo systemctl restart fiskd$/)

  test('that the daemon would not start with is a failure, with every problem', async () => {
    const detail = expect.stringMatching(
      /^line 1: FISKD_ROLE is "gatway": use gateway or server; line 2: FISKD_LISTEN is "nonsense": /,
    )
    const text = 'FISKD_ROLE=gatway\nFISKD_LISTEN=nonsense\n'
    expect(await judged(text)).toMatchObject({ status: 'fail', detail, fix: correct })
  })

  test('with one of two variables that go together is a failure', async () => {
    const detail = 'FISKD_TLS_CERT and FISKD_TLS_KEY go together: set both or neither'
    const found = await judged('FISKD_TLS_CERT=/etc/fiskd/cert.pem\n')
    expect(found).toMatchObject({ status: 'fail', detail: expect.stringContaining(detail), fix: correct })
  })

  test('with what has no effect is a warning', async () => {
    const text = '# FISKD_ROLE: no\nexport FISKD_ROLE=server\nFISKD_ROLE: server\nFISKD_LISTN=1\n'
    const detail =
      'line 4: FISKD_LISTN is not a variable of fiskd; line 2 is not NAME=value; line 3 is not NAME=value: it has no effect'
    expect(await judged(text, false)).toMatchObject({ status: 'warn', detail, fix: correct })
  })

  test('with what the daemon tells of by itself is not told of twice', async () => {
    const text = '# FISKD_ROLE: no\nFISKD_ROLE="server"\nNODE_OPTIONS=--trace-warnings\nFISKD_LISTN=1\n'
    expect(await judged(text)).toMatchObject({ status: 'ok', fix: null })
  })

  const gone = '192.0.2.77:8443'

  test('with only addresses that the machine has lost is why the daemon does not start', async () => {
    const detail = `line 1: FISKD_LISTEN is "${gone}": this machine has none of these addresses now`
    expect(await judged(`FISKD_LISTEN=${gone}\n`, false)).toMatchObject({ status: 'fail', detail })
  })

  test('with an address that the machine has lost is not called right while nobody else tells of it', async () => {
    const detail = `this machine does not have ${gone} of FISKD_LISTEN now`
    expect(await judged(`FISKD_LISTEN=127.0.0.1:8443,${gone}\n`, false)).toMatchObject({ status: 'warn', detail })
    expect(await judged(`FISKD_LISTEN=127.0.0.1:8443,${gone}\n`)).toMatchObject({ status: 'ok' })
  })

  test('that was changed while the daemon runs has to be read by it', async () => {
    host.write('fiskd.env', 'FISKD_ROLE=server\n')
    expect(await broken(() => {})).toMatchObject([
      { name: 'environment file', status: 'warn', fix: 'sudo systemctl restart fiskd' },
    ])
  })

  test('that is no file is a failure', async () => {
    host.write('fiskd.env/file', '')
    expect(await broken(() => {})).toMatchObject([{ name: 'environment file', status: 'fail' }])
  })
})

describe('the machine', () => {
  const throttled = 'sys/devices/platform/soc/soc:firmware/get_throttled'
  const temperature = 'sys/class/thermal/thermal_zone0/temp'
  const emmc = 'sys/class/block/mmcblk0/device'
  test.each([
    ['memory', 'proc/meminfo', 'MemTotal: 945000 kB\nMemAvailable:   31744 kB\n', '31 MB are available', 'ps aux'],
    ['power supply', throttled, '50005\n', 'too low now', 'use the power supply of the Raspberry Pi'],
    ['power supply', throttled, '50000\n', 'was too low since the machine started', 'a short cable'],
    ['temperature', throttled, 'e0008\n', '49 °C now, but it was so hot', 'a fan'],
    ['temperature', temperature, '80120\n', '80 °C is too hot', 'a fan'],
    ['storage mmcblk0', `${emmc}/life_time`, '0x01 0x09\n', 'at most 90 % of its life', 'replace the storage soon'],
    ['storage mmcblk0', `${emmc}/life_time`, '0x0b 0x01\n', 'its life is used up', 'fisk backup FILE'],
    ['storage mmcblk0', `${emmc}/pre_eol_info`, '0x02\n', 'its spare blocks run out', 'replace the storage soon'],
  ])('%s: %s says %j', (name, path, text, detail, fix) =>
    expectOnly(name, 'warn', detail, fix, () => host.write(path, text)),
  )

  test('a Raspberry Pi 5 tells of its power in another place', () =>
    expectOnly('power supply', 'warn', 'too low now', 'power supply', () => {
      host.remove('sys/devices/platform/soc')
      host.write('sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled', '1\n')
    }))

  test('what it does not tell of is left out', async () => {
    const found = await broken(() => ['proc/meminfo', 'sys'].map(host.remove))
    const gone = ['memory', 'power supply', 'temperature', 'storage mmcblk0']
    expect(found.map(({ name }) => name)).toEqual(gone)
  })
})

describe('ModemManager', () => {
  const runs = { Id: 'ModemManager.service', LoadState: 'loaded', ActiveState: 'active' }

  async function withPrinter(ignored: string) {
    const { path } = await startVirtualPrinter()
    host.unit('ModemManager.service', runs)
    const data = [PRINTER, { ...PRINTER, line: `serial:${path}` }]
    const body = { object: 'list', data, has_more: false, next_cursor: null, found: [], unusable: [] }
    host.stub.answer('GET /admin/printers', { status: 200, body })
    const { rdev } = statSync(path)
    host.write(`udev/data/c${(rdev >> 8) & 0xfff}:${rdev & 0xff}`, `I:123\nE:ID_BUS=usb\n${ignored}G:seat\n`)
    return path
  }

  test('beside a serial printer is a warning', async () => {
    const path = await withPrinter('')
    const fix = 'sudo systemctl disable --now ModemManager'
    await expectOnly('ModemManager', 'warn', `may take ${path} for a modem`, fix, () => {})
  })

  test('that udev keeps away from the printer is well', async () => {
    await withPrinter('E:ID_MM_DEVICE_IGNORE=1\n')
    expect(await broken(() => {})).toMatchObject([{ name: 'ModemManager', status: 'ok', fix: null }])
  })

  test('is nobody’s business where it does not run', async () => {
    await withPrinter('')
    host.unit('ModemManager.service', { ActiveState: 'inactive' })
    expect(await broken(() => {})).toEqual([])
  })
})

describe('the database', () => {
  /** A process that has the database of the host open until the test ends. */
  async function holder(path: string): Promise<number> {
    const child = spawn('sh', ['-c', 'exec 3<"$1"; echo open; read -r _', 'sh', path], { stdio: 'pipe' })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    return child.pid ?? 0
  }

  /** A database that a process has open, on a machine where that one and the daemon, which is this process, run. */
  async function opened(): Promise<number> {
    host.write('fiskd.db', '')
    host.write('fiskd.pid', `${process.pid}\n`)
    const pid = await holder(host.path('fiskd.db'))
    for (const running of [pid, process.pid]) symlinkSync(`/proc/${running}`, host.path(`proc/${running}`))
    return pid
  }
  const users = async () => (await host.checks()).filter(({ name }) => name === 'database users')

  test('that nobody but the daemon and its children use is well', async () => {
    await opened()
    expect(await users()).toMatchObject([{ status: 'ok', fix: null }])
  })

  test('that another process has open is found, with its number and command', async () => {
    const pid = await opened()
    host.write('fiskd.pid', '1\n')
    expect(await users()).toMatchObject([
      {
        status: 'fail',
        detail: expect.stringContaining(`process ${pid} (sh -c exec 3<`),
        fix: expect.stringContaining(`sudo kill ${pid};`),
      },
    ])
  })

  test('is not called well where some processes cannot be looked at', async () => {
    await opened()
    host.write('proc/4711/fd', 'closed')
    expect(await users()).toMatchObject([{ status: 'skip', fix: process.getuid?.() === 0 ? null : 'sudo fisk doctor' }])
    expect((await host.doctor()).stdout).toMatch(/\nNo errors were found, but not everything could be checked\.\n$/)
  })
})
