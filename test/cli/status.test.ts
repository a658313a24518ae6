import { afterEach, beforeEach, expect, test } from 'vitest'
import { columns } from '../../src/cli/text.ts'
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

test('a gateway that cannot sell says why and what to do, and exits 1', async () => {
  stub.status = BLOCKED
  const ran = await ask('status')
  expect(ran.code).toBe(1)
  expect(ran.stdout).toMatch(/^This gateway CANNOT sell\.\n {2}- Žućo d\.o\.o\.: The company has no/)
  expect(ran.stdout).toContain('Fix: Upload it: fisk cert add')
  expect(ran.stdout).toContain('0 pending, 3 retrying, 1 failed, 0 expired')
  expect(ran.stdout).toContain('21.07.2026 11:30:00 (2 h 30 min ago)')
  expect(ran.stdout).toContain('20.08.2026 11:30:00 (in 29 d 21 h)')
  expect(ran.stdout).toContain('21.07.2026 11:29:00')
})

test('a clock that is not relied on is said to be so, and stops no sale', async () => {
  const clock = { trusted: false, synchronised: false, offset_ms: null, newest_known_at: null }
  stub.status = { clock: { ...clock, status: 'unsynchronised', detail: 'the clock follows no time server' } }
  const ran = await ask('status')
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/^Clock +NOT relied on: the clock follows no time server\. Sales go on\.$/m)
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
    cis: { reachable: false, latency_ms: 4000, endpoint: 'x', mode: 'test', checked_at: 'x', detail: 'ž'.repeat(200) },
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
  expect(on.stdout).toContain('\u001b[1;32m')
  expect(off.stdout).not.toContain('\u001b')
  expect(piped.stdout).not.toContain('\u001b')
})
