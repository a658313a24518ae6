import { expect, test } from 'vitest'
import { createFormats } from '../../src/dashboard/formats.ts'
import { readinessOf } from '../../src/dashboard/overview/sales-readiness.ts'
import { tasksOf } from '../../src/dashboard/overview/tasks.ts'
import { texts } from '../../src/dashboard/overview/texts.ts'
import { tilesOf } from '../../src/dashboard/overview/tiles.ts'
import type { GatewayState, GatewaySummary } from '../../src/fiscal/gateways/gateways.ts'
import type { Overview } from '../../src/fiscal/office/overview.ts'

const NOW = Date.UTC(2026, 8, 23, 14, 30)
const f = createFormats(() => NOW)('hr')
const t = texts.hr
const NO_ALERTS = { urgent: 0, warning: 0, info: 0 }

/** Where all is well; what is given replaces it. */
function overview(changes: Partial<Overview> = {}): Overview {
  return {
    at: NOW,
    mode: 'test',
    modes: ['test'],
    gateways: null,
    printers: [],
    certificates: [],
    own: { devices: { total: 2, withoutIsu: 0, able: 2 }, problems: [] },
    devices: { total: 2, withoutIsu: 0, mismatched: 0, lastSuccessAt: NOW - 60_000 },
    sales: {
      waiting: 0,
      failed: 0,
      expired: 0,
      oldestAt: null,
      hours: [],
      answers: [],
      ages: { young: 0, older: 0, day_21: 0, day_25: 0, day_28: 0, too_late: 0 },
    },
    authority: null,
    disk: { freeBytes: 1e9, room: 'everything' },
    failures: [],
    unsold: { today: 0, unusual: 0 },
    parked: { count: 0, maySend: false },
    clock: {
      status: 'ok',
      trusted: true,
      synchronised: true,
      newestKnownAt: null,
      provenAt: null,
      offsetMs: null,
      detail: null,
    },
    ...changes,
  }
}

const tile = (id: string, changes: Partial<Overview>, alerts = NO_ALERTS) =>
  tilesOf(overview(changes), alerts, t, f).find((one) => one.id === `tile-${id}`)
const tasks = (changes: Partial<Overview>, alerts = NO_ALERTS) =>
  tasksOf(overview(changes), alerts, { t, f, language: 'hr' })
const readiness = (changes: Partial<Overview>) => readinessOf(overview(changes), t, f)

function gateway(state: GatewayState, canSell = true): GatewaySummary {
  const heartbeat = { can_sell: canSell } as GatewaySummary['gateway']['heartbeat']
  const times = { createdAt: 0, enrolledAt: 0, lastSeenAt: NOW - 3 * 3_600_000 }
  return { state, refused: 0, gateway: { name: `kiosk-${state}`, heartbeat, ...times } as GatewaySummary['gateway'] }
}

const authority = (reachable: boolean, closedByTimetable: boolean): Overview['authority'] => ({
  health: { reachable, latencyMs: 30, endpoint: 'https://cis', detail: null, mode: 'test', checkedAt: NOW },
  closedByTimetable,
})

test('a test service that is closed as announced is no fault, one that is away at another time is', () => {
  expect(tile('authority', { authority: authority(false, true) })).toMatchObject({
    kind: '',
    figure: 'Ne radi, kako je najavljeno',
    says: [expect.stringContaining('To nije kvar'), expect.anything()],
  })
  expect(tile('authority', { authority: authority(false, false) })).toMatchObject({
    kind: 'warn',
    figure: 'Ne odgovara',
  })
  expect(tile('authority', { authority: authority(true, true) })).toMatchObject({ kind: 'ok', figure: 'Odgovara' })
  expect(readiness({ authority: authority(false, true) })).toMatchObject({ kind: 'ok', notes: [t.closed] })
  expect(readiness({ authority: authority(false, false) })).toMatchObject({ kind: 'ok', notes: [t.away] })
  const stopped = { devices: { total: 2, withoutIsu: 0, able: 0 }, problems: [] }
  expect(readiness({ authority: authority(false, false), own: stopped })).toMatchObject({ kind: 'bad', notes: [] })
})

test('a certificate is a task from 30 days on, an urgent one from 7 on, and the shortest one is the tile', () => {
  const company = (daysLeft: number | null, status: 'valid' | 'expiring' | 'expired' | 'missing' = 'expiring') => ({
    company: { id: `c${daysLeft}`, name: `T${daysLeft}` },
    certificate: { status, daysLeft, notAfter: daysLeft === null ? null : NOW + daysLeft * 86_400_000 },
  })
  const certificates = [
    company(null, 'missing'),
    company(-1, 'expired'),
    company(0),
    company(7),
    company(8),
    company(30),
  ]
  expect(tasks({ certificates: [...certificates, company(31)] }).map(({ kind, what }) => [kind, what])).toEqual([
    ['bad', 'Tvrtka Tnull nema certifikat.'],
    ['bad', 'Certifikat tvrtke T-1 je istekao.'],
    ['bad', 'Certifikat tvrtke T0 istječe u sljedeća 24 sata.'],
    ['bad', 'Certifikat tvrtke T7 istječe za 7 dana.'],
    ['warn', 'Certifikat tvrtke T8 istječe za 8 dana.'],
    ['warn', 'Certifikat tvrtke T30 istječe za 30 dana.'],
  ])
  expect(tile('certificates', { certificates: [company(21), company(90, 'valid')] })).toMatchObject({
    kind: 'warn',
    figure: '21 dan',
    says: ['Prvi istječe: T21'],
  })
})

test('a printer without paper is told apart from one that does not print', () => {
  const printer = (label: string, state: 'ready' | 'offline' | 'lost', paper: 'ok' | 'near_end' | 'out') => ({
    device: { id: label, label, tenantId: 'default', companyId: 'c' },
    condition: { state, paper, cover: null, error: null, reason: null, detail: null, fix: null },
  })
  const printers = [printer('A', 'offline', 'out'), printer('B', 'lost', 'ok'), printer('C', 'ready', 'near_end')]
  expect(tasks({ printers }).map(({ what }) => what)).toEqual([
    'U pisaču uređaja A nema papira.',
    'Pisač uređaja B ne ispisuje.',
  ])
  expect(tile('printers', { printers })).toMatchObject({
    kind: 'bad',
    figure: '1 bez papira',
    says: ['1 ne ispisuje', '1 s papirom pri kraju'],
  })
})

test('a server answers for its gateways: of a silent one nobody knows', () => {
  const own = { devices: { total: 0, withoutIsu: 0, able: 0 }, problems: [] }
  const of = (...gateways: GatewaySummary[]) => readiness({ own, gateways })
  expect(of(gateway('connected'))).toMatchObject({ kind: 'ok' })
  expect(of(gateway('connected'), gateway('silent'), gateway('revoked'))).toMatchObject({
    kind: 'warn',
    text: 'Prodaja je moguća na 1 od 2 pristupnika.',
    notes: [t.readiness.unknown],
  })
  expect(of(gateway('connected', false))).toMatchObject({ kind: 'bad', text: 'Prodaja trenutačno nije moguća.' })
  expect(of()).toMatchObject({ kind: 'plain' })
  expect(tasks({ own, gateways: [gateway('silent'), gateway('connected', false)] }).map(({ what }) => what)).toEqual([
    'Pristupnik kiosk-silent ne javlja se (posljednje javljanje: prije 3 sata).',
    'Na pristupniku kiosk-connected prodaja nije moguća.',
  ])
})

test('what cannot be undone any more comes first, and urgent alerts are something to do', () => {
  const ages = { young: 1, older: 2, day_21: 0, day_25: 0, day_28: 1, too_late: 1 }
  const sales = { ...overview().sales, failed: 5, expired: 1, ages }
  const failures = [{ code: 'upstream_rejected', count: 4 } as const, { code: null, count: 1 }]
  const found = tasks({ sales, failures, clock: { ...overview().clock, trusted: false } }, { ...NO_ALERTS, urgent: 2 })
  expect(found.map(({ kind, what }) => `${kind} ${what.split(':')[0]}`)).toEqual([
    'bad 1 račun nije dostavljen Poreznoj upravi u roku od 30 dana.',
    'bad 1 račun bez JIR-a 28 dana ili dulje. Nakon 30 dana Porezna uprava više ne prima račune.',
    'bad 2 hitna upozorenja još nisu potvrđena.',
    'warn 2 računa bez JIR-a dulje od dva radna dana.',
    'warn Porezna uprava nije prihvatila 4 računa. Uzrok',
    'warn Porezna uprava nije prihvatila 1 račun. Uzrok',
    'warn Sat ovog računala nije pouzdan.',
  ])
})

test('what was refused is a task for each cause, which leads to its invoices, or to the causes where there are too many', () => {
  const sales = { ...overview().sales, failed: 9000 }
  const failures = [{ code: 'upstream_rejected', count: 4 } as const]
  expect(tasks({ sales, failures })).toMatchObject([
    {
      what: 'Porezna uprava nije prihvatila 4 računa. Uzrok: Porezna uprava odbila je račune.',
      href: '/dashboard/invoices?mode=test&status=failed&cause=upstream_rejected',
    },
  ])
  expect(tasks({ sales, failures: null })).toMatchObject([
    { what: 'Porezna uprava nije prihvatila 9.000 računa.', href: '/dashboard/invoices/failed' },
  ])
})

test('machines without a sale today are a word of the quiet line, unless some have sold nothing for unusually long', () => {
  expect(tile('unsold', { unsold: { today: 12, unusual: 0 } })).toMatchObject({
    ...{ figure: '12', isFine: true, href: '/dashboard/devices?sold=none&status=active' },
  })
  expect(tile('unsold', { unsold: { today: 12, unusual: 2 } })).toMatchObject({
    ...{ kind: 'warn', isFine: false, says: ['neuobičajeno dugo: 2'], href: '/dashboard/devices?sold=silent' },
  })
})
