import { symlink } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { columns } from '../../src/cli/text/columns.ts'
import { alike } from '../../src/domain/texts/both.ts'
import { type AdminStub, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'

let stub: AdminStub
beforeEach(async () => {
  stub = await startAdminStub()
})
afterEach(() => stub.close())

const ask = (...argv: string[]) => fisk(argv, { socket: stub.socket })

const company = (name: string) => ({
  name,
  oib: '02994650199',
  mode: 'test',
  status: 'suspended',
  certificate_status: 'superseded',
  certificate_days_left: 729,
})

const BLOCKED = {
  can_sell: false,
  problems: [
    {
      subject: 'Žućo d.o.o.',
      problem: 'The company has no fiscal certificate.',
      fix: 'Upload it: fisk cert add --company 02994650199 --file FILE',
    },
  ],
  queue: {
    pending: 0,
    retrying: 3,
    failed: 1,
    expired: 0,
    oldest_at: '2026-07-21T09:30:00+00:00',
    next_deadline_at: '2026-08-20T09:30:00+00:00',
    legal_deadline_at: '2026-07-23T22:00:00+00:00',
  },
  last_jir_at: '2026-07-21T09:29:00Z',
}

test('a gateway that can sell says so and exits 0', async () => {
  const ran = await ask('status')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/^This gateway can sell\.\n/)
  expect(ran.stdout).toContain('reachable in 132 ms (test)')
  expect(ran.stdout).toContain('1.0.0, gateway, up 3 d 4 h')
  expect(ran.stdout).toContain('21.07.2026 14:00:00')
  expect(ran.stdout).toMatch(/^Clock +right, by a time server$/m)
})

test('the CA that firmware pins is named with its fingerprint, in halves that fit on the screen', async () => {
  const { stdout } = await ask('status')
  const half = Array(16).fill('AB').join(':')
  expect(stdout).toMatch(/^CA +\/var\/lib\/fiskd-ca\/ca\.pem$/m)
  expect(stdout).toMatch(new RegExp(`^CA SHA-256 +${half}:\n +${half}$`, 'm'))
  stub.status = { ca: null }
  expect((await ask('status')).stdout).not.toMatch(/^CA/m)
})

test('a gateway that cannot sell says why and what to do, and exits 1', async () => {
  stub.status = BLOCKED
  const ran = await ask('status')
  expect(ran.code).toBe(1)
  expect(ran.stdout).toMatch(/^This gateway CANNOT sell\.\n {2}- Žućo d\.o\.o\.: The company has no/)
  expect(ran.stdout).toContain('Fix: Upload it: fisk cert add')
  expect(ran.stdout).toContain('0 pending, 3 retrying, 1 failed, 0 expired')
  expect(ran.stdout).toContain('21.07.2026 11:30:00 (2 h 30 min ago)')
  expect(ran.stdout).toMatch(/^Due by law +24\.07\.2026 00:00:00 \(in 2 d 10 h\)$/m)
  expect(ran.stdout).toMatch(/^Due at CIS +20\.08\.2026 11:30:00 \(in 29 d 21 h\)$/m)
  expect(ran.stdout).toContain('21.07.2026 11:29:00')
})

const CIS = { endpoint: 'https://cistest.apis-it.hr:8449/FiskalizacijaServiceTest', checked_at: BLOCKED.last_jir_at }
const WELL = { state: 'ready', paper: 'ok', cover: 'closed', error: false, reason: null, detail: null, fix: null }
const OUT = { ...WELL, state: 'offline', paper: 'out', detail: alike('the paper is out'), fix: alike('Put paper in.') }
const printer = (label: string, condition: object) => ({ device: { id: label, label }, ...condition })

test('a usual machine is seen whole on a screen of 24 lines', async () => {
  stub.status = {
    companies: [{ ...company('Kava d.o.o.'), status: 'active', certificate_status: 'valid' }],
    devices: { total: 1, without_isu: 0, able_to_sell: 1 },
    printers: [printer('Lobby 1', WELL)],
  }
  const { stdout } = await ask('status')
  expect(stdout.split('\n').length).toBeLessThanOrEqual(24)
  expect(stdout).toMatch(/^Printer +Lobby 1: ready, paper ok$/m)
  expect(stdout).toMatch(/^Disk +12 GB free$/m)
  expect(stdout).toMatch(/^Devices +1 of 1 can sell, 0 without an ISU number$/m)
  expect(stdout).toMatch(/^Sync +not set up$/m)
  expect(stdout).toMatch(/^Backup +21\.07\.2026 03:00:00 \(11 h 0 min ago\)$/m)
  expect(stdout).toMatch(/^CIS +reachable in 132 ms \(test\), asked 10 s ago$/m)
  expect(stdout).toContain('valid, 729 days')
})

test('printers that are not well come first, and a disk that is short says what is not stored', async () => {
  const well = ['A', 'B', 'C'].map((label) => printer(label, WELL))
  const disk = { free_bytes: 40_000_000, left_out: ['logs', 'messages'], write_ms: 5234 }
  stub.status = { printers: [...well, printer('Z', OUT)], disk, cis: null, backup: { last_at: null, elsewhere: false } }
  const { stdout } = await ask('status')
  expect(stdout).toMatch(/^Printer +Z: no paper \(the paper is out\)$/m)
  expect(stdout).toContain('and 1 more: fisk printer status')
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    '40 MB free: too little; not stored: ordinary log lines, the archive of',
  )
  expect(stdout.replace(/\s+/g, ' ')).toContain('SLOW: a write takes 5.2 s, and every sale waits for two')
  expect(stdout).toMatch(/^CIS +not asked yet/m)
  expect(stdout).toMatch(/^Backup +none yet/m)
})

test('one device is asked about by its label', async () => {
  await ask('device', 'add', '--company', '02994650199', '--premises', 'P1', '--label', 'Lobby 1')
  expect((await ask('status', '--device', 'Lobby 1')).code).toBe(0)
  expect(stub.seen.at(-1)).toMatchObject({ path: '/admin/status', query: { device_id: stub.devices[0]?.id } })
  expect((await ask('status', '--device', 'Lobby 2')).stderr).toContain('No device has the label')
})

test('--watch goes on for long without a warning', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  await watch(15, [], false, '0.001')
  await setTimeout(10)
  expect(warnings).toEqual([])
})

test('--watch leaves a daemon that does not answer at once when somebody wants no more of it', async () => {
  const until = new AbortController()
  const hanging = new Set<Socket>()
  const server = createServer((connection) => void hanging.add(connection))
  const socket = join(stub.directory, 'stopped.sock')
  await new Promise<void>((listening) => server.listen(socket, listening))
  onTestFinished(() => void server.close())
  const watching = fisk(['status', '--watch', '0.01'], { socket, until: until.signal })
  await expect.poll(() => hanging.size).toBe(1)
  const [connection] = hanging
  const closed = new Promise((resolve) => connection?.on('error', resolve).on('close', resolve).resume())
  until.abort()
  await closed
  expect((await watching).stdout).toBe('')
}, 5000)

/** Watches until `enough` looks were taken. */
async function watch(enough: number, argv: string[], isTty = false, every = '0.1') {
  const until = new AbortController()
  let looks = 0
  const answer = () => {
    looks++
    if (looks === enough) void setTimeout(50).then(() => until.abort())
    return looks % 2 === 0
  }
  stub.answer('GET /admin/status', () => ({ status: 200, body: { ...stub.wholeStatus(), can_sell: answer() } }))
  return fisk(['status', '--watch', every, ...argv], { socket: stub.socket, isTty, until: until.signal })
}

test('--watch prints one status after the other and ends, when somebody has seen enough, as the last look', async () => {
  const ran = await watch(3, [])
  expect(ran).toMatchObject({ code: 1, stderr: '' })
  expect(ran.stdout.match(/^This gateway (can|CANNOT) sell\.$/gm)).toHaveLength(3)
  expect(ran.stdout).not.toContain('\u001b')
  expect((await watch(2, [])).code).toBe(0)
})

test('--watch writes over the last status on a terminal, and a line for each with --json', async () => {
  const shown = await watch(2, [], true)
  expect(shown.stdout.split('\u001b[H\u001b[2J')).toHaveLength(3)
  const { stdout } = await watch(2, ['--json'])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).can_sell)).toEqual([false, true])
})

test('--watch outlives a daemon that is started anew', async () => {
  const until = new AbortController()
  const socket = join(stub.directory, 'later.sock')
  const watching = fisk(['status', '--watch', '0.05'], { socket, until: until.signal })
  await setTimeout(150)
  await symlink(stub.socket, socket)
  await setTimeout(300)
  until.abort()
  const { code, stdout } = await watching
  expect(code).toBe(0)
  expect(stdout).toMatch(/^No daemon answers on .*Trying again\.\n/s)
  expect(stdout).toContain('This gateway can sell.')
})

test.each(['0', '-1', 'soon'])('--watch %s is wrong use', async (seconds) => {
  expect((await ask('status', `--watch=${seconds}`)).code).toBe(2)
})

test('a clock that is not relied on is said to be so, and stops no sale', async () => {
  const clock = { trusted: false, synchronised: false, offset_ms: null, newest_known_at: null }
  stub.status = { clock: { ...clock, status: 'unsynchronised', detail: alike('the clock follows no time server') } }
  const ran = await ask('status')
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/^Clock +NOT relied on: the clock follows no time server\. Sales go on\.$/m)
})

test('an address that nobody reaches it at is told, and stops no sale at the others', async () => {
  const problem = 'this machine does not have this address now'
  stub.status = { listen: [{ address: '192.0.2.77:8443', problem }] }
  const ran = await ask('status')
  expect(ran.code).toBe(0)
  expect(ran.stdout.replace(/\s+/g, ' ')).toContain(`Address NOT reached at 192.0.2.77:8443: ${problem}`)
})

test('with --json the answer is printed as it came, with the same exit code', async () => {
  stub.status = BLOCKED
  const ran = await ask('status', '--json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout)).toMatchObject(BLOCKED)
})

test('long, Croatian, wide and hostile names stay on one screen of 80 columns', async () => {
  const names = ['Žučkasti Đurđevački šljivovac i čvarci, društvo s ograničenom odgovornošću', '咖啡'.repeat(40)]
  const hostile = `Kava\u001b[2J\n\u0007${'x'.repeat(150)}`
  const crowd = Array.from({ length: 30 }, (_, index) => `Društvo ${index}`)
  stub.status = {
    ...BLOCKED,
    problems: Array.from({ length: 20 }, () => ({ subject: hostile, problem: hostile, fix: names.join(' ') })),
    companies: [...names, hostile, 'Z\u030Cuc\u0301o', ...crowd].map(company),
    cis: { ...CIS, reachable: false, latency_ms: 4000, mode: 'test', age_s: 3, detail: alike('ž'.repeat(200)) },
    printers: [...names, hostile].map((label) => printer(label, { ...OUT, detail: alike(hostile) })),
  }
  const ran = await ask('status')

  for (const line of ran.stdout.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(80)
  expect(ran.stdout).not.toContain('\u001b')
  expect(ran.stdout).not.toContain('\u0007')
  expect(ran.stdout).toContain('Žućo')
  expect(ran.stdout).toContain('superseded, 729 days')
  expect(ran.stdout).toContain('and 15 more')
  expect(ran.stdout).toContain('and 26 more')
})

test('colours appear on a terminal only, and not under NO_COLOR', async () => {
  const on = await fisk(['status'], { socket: stub.socket, isTty: true })
  const off = await fisk(['status'], { socket: stub.socket, isTty: true, env: { NO_COLOR: '1' } })
  const piped = await ask('status')
  expect(on.stdout).toContain('\u001b[1m\u001b[32mThis gateway can sell.\u001b[39m\u001b[22m\n')
  expect(off.stdout).not.toContain('\u001b')
  expect(piped.stdout).not.toContain('\u001b')
})
