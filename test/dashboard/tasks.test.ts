import { expect, test } from 'vitest'
import { createFormats } from '../../src/dashboard/formats.ts'
import { failedTexts } from '../../src/dashboard/invoices/failed-texts.ts'
import { readinessOf, withoutJir } from '../../src/dashboard/overview/figures.ts'
import { tasksOf } from '../../src/dashboard/overview/tasks.ts'
import { texts } from '../../src/dashboard/overview/texts.ts'
import type { GatewayState, GatewaySummary } from '../../src/fiscal/gateways/gateways.ts'
import type { Machine, MachineState } from '../../src/fiscal/machines/machine.ts'
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
    sales: {
      waiting: 0,
      failed: 0,
      expired: 0,
      oldestAt: null,
      ages: { young: 0, older: 0, day_21: 0, day_25: 0, day_28: 0, too_late: 0 },
    },
    authority: null,
    disk: { freeBytes: 1e9, room: 'everything' },
    failures: [],
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

const HEALTH = {
  sells: { health: { can: 'yes' } },
  stopped: { health: { can: 'no', cause: 'no_trust' } },
  isu: { health: { can: 'no', cause: 'isu_missing' } },
  suspended: { health: { can: 'no', cause: 'device_suspended' } },
  unknown: { health: { can: 'unknown', cause: 'gateway_silent', since: NOW } },
} as const

/** So many machines of each state; `paperOut` sell without paper. */
const machines = (counts: Partial<Record<MachineState | 'paperOut', number>>) =>
  Object.entries(counts).flatMap(([state, n]) =>
    Array.from({ length: n }, (_, i) => ({
      ...HEALTH[state === 'paperOut' ? 'sells' : (state as MachineState)],
      ...{ isSilent: false, gateway: 'kiosk-silent', lastSaleAt: NOW - i * 86_400_000 },
      paper: state === 'paperOut' ? 'out' : 'ok',
      device: { premisesAddress: i % 2 ? 'Riva 1, 21000 Split' : 'Ilica 2, Zagreb' },
    })),
  ) as unknown as Machine[]
type Counts = Parameters<typeof machines>[0]
const tasks = (changes: Partial<Overview>, alerts = NO_ALERTS, counts: Counts = { sells: 2 }) =>
  tasksOf(overview(changes), machines(counts), alerts, { t, f, language: 'hr' })
const readiness = (counts: Counts, changes: Partial<Overview> = {}) => {
  const { says, parts, notes } = readinessOf(machines(counts), overview(changes), t, f)
  return { text: [says, ...parts.map(({ text }) => text)].join(' · '), notes }
}

function gateway(state: GatewayState): GatewaySummary {
  const heartbeat = { can_sell: true } as GatewaySummary['gateway']['heartbeat']
  const times = { createdAt: 0, enrolledAt: 0, lastSeenAt: NOW - 3 * 3_600_000 }
  return { state, refused: 0, gateway: { name: `kiosk-${state}`, heartbeat, ...times } as GatewaySummary['gateway'] }
}

const authority = (reachable: boolean, closedByTimetable: boolean): Overview['authority'] => ({
  health: { reachable, latencyMs: 30, endpoint: 'https://cis', detail: null, mode: 'test', checkedAt: NOW },
  closedByTimetable,
})

test('a test service that is closed as announced is no fault, one that is away at another time is told', () => {
  expect(readiness({ sells: 2 }, { authority: authority(false, true) })).toMatchObject({
    notes: [t.closed],
  })
  expect(readiness({ sells: 2 }, { authority: authority(false, false) })).toMatchObject({ notes: [t.away] })
  expect(readiness({ stopped: 2 }, { authority: authority(false, false) })).toMatchObject({ notes: [] })
})

test('the verdict counts machines: those that sell, those that earn nothing, and those of which nobody knows', () => {
  expect(readiness({ sells: 553, stopped: 16, isu: 18, suspended: 7, unknown: 38 })).toMatchObject({
    text: '553 od 632 uređaja prodaju · 41 ne zarađuje · za 38 nije poznato',
  })
  expect(readiness({ sells: 632 })).toMatchObject({ text: 'Svi uređaji prodaju: 632' })
  expect(readiness({ suspended: 1 })).toMatchObject({ text: '0 od 1 uređaja prodaje · 1 ne zarađuje' })
  expect(readiness({ unknown: 1 })).toMatchObject({ text: '0 od 1 uređaja prodaje · za 1 nije poznato' })
  expect(readiness({})).toMatchObject({ text: t.readiness.nothing })
})

test('a certificate is a task from 30 days on, an urgent one from 7 on', () => {
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
    ['bad', 'Tvrtka Tnull nema certifikat'],
    ['bad', 'Certifikat tvrtke T-1 je istekao'],
    ['bad', 'Certifikat tvrtke T0 istječe u sljedeća 24 sata'],
    ['bad', 'Certifikat tvrtke T7 istječe za 7 dana'],
    ['warn', 'Certifikat tvrtke T8 istječe za 8 dana'],
    ['warn', 'Certifikat tvrtke T30 istječe za 30 dana'],
  ])
})

test('a printer without paper is told apart from one that does not print', () => {
  const printer = (label: string, state: 'ready' | 'offline' | 'lost', paper: 'ok' | 'near_end' | 'out') => ({
    device: { id: label, label, tenantId: 'default', companyId: 'c' },
    condition: { state, paper, cover: null, error: null, reason: null, detail: null, fix: null },
  })
  const printers = [printer('A', 'offline', 'out'), printer('B', 'lost', 'ok'), printer('C', 'ready', 'near_end')]
  expect(tasks({ printers }).map(({ what }) => what)).toEqual([
    'U pisaču uređaja A nema papira',
    'Pisač uređaja B ne ispisuje',
  ])
})

test('a server has a task for each cause, and says nothing of machines of its own where gateways have some', () => {
  const none = { cause: 'no_device', subject: 'device', problem: 'there is no active device', fix: '' } as const
  const own = { devices: { total: 0, withoutIsu: 0, able: 0 }, problems: [none] }
  const silent = Array.from({ length: 6 }, () => gateway('silent'))
  const found = tasks({ own, gateways: silent }, NO_ALERTS, { sells: 9, stopped: 12, isu: 18, paperOut: 4, unknown: 3 })
  expect(found.map(({ what, note, count, href }) => [what, note, count, href])).toEqual([
    ['Pristupnici se ne javljaju', '3 uređaja; najdulje od 23. 9. 2026.', 6, '/dashboard/gateways?state=silent'],
    ['Uređaji su stali', 'najdulje bez prodaje: od 12. 9. 2026.', 12, '/dashboard/devices?state=stopped'],
    ['Uređaji bez ispravnog ISU broja', 'Zagreb, Split', 18, '/dashboard/devices?state=isu'],
    ['Uređaji bez papira', 'Zagreb, Split', 4, '/dashboard/devices?paper=out'],
  ])
})

test('what cannot be undone any more comes first, and urgent alerts are something to do', () => {
  const ages = { young: 1, older: 2, day_21: 0, day_25: 0, day_28: 1, too_late: 1 }
  const sales = { ...overview().sales, failed: 5, expired: 1, ages }
  const failures = [{ code: 'upstream_rejected', count: 4 } as const, { code: null, count: 1 }]
  const found = tasks({ sales, failures, clock: { ...overview().clock, trusted: false } }, { ...NO_ALERTS, urgent: 2 })
  expect(found.map(({ kind, what, count }) => [kind, count, what])).toEqual([
    ['bad', 1, 'Računi bez JIR-a, rok istekao'],
    ['bad', 1, 'Računi bez JIR-a 28 dana ili dulje'],
    ['bad', null, 'Hitna upozorenja koja još nisu viđena'],
    ['warn', 2, 'Računi bez JIR-a dulje od dva radna dana'],
    ['warn', 4, 'Računi odbijeni'],
    ['warn', 1, 'Računi odbijeni'],
    ['warn', null, 'Sat ovog računala nije pouzdan'],
  ])
})

test('what was refused is a task for each cause, which leads to its invoices, or to the causes where there are too many', () => {
  const sales = { ...overview().sales, failed: 9000 }
  const failures = [{ code: 'upstream_rejected', count: 4 } as const]
  expect(tasks({ sales, failures })).toMatchObject([
    {
      ...{ what: 'Računi odbijeni', count: 4, note: failedTexts.hr.causes.upstream_rejected.what },
      href: '/dashboard/invoices?mode=test&status=failed&cause=upstream_rejected',
    },
  ])
  expect(tasks({ sales, failures: null })).toMatchObject([
    { what: 'Računi odbijeni', count: 9000, href: '/dashboard/invoices/failed' },
  ])
})

test('of the invoices without a JIR each kind leads to its list, and kinds of which there are none are not named', () => {
  const of = (changes: object) => {
    const { value, parts } = withoutJir(overview({ sales: { ...overview().sales, ...changes } }), t, f)
    return [value, ...parts.map(({ text, href }) => `${text} ${href}`)]
  }
  expect(of({})).toEqual(['0'])
  expect(of({ waiting: 36, failed: 2, expired: 1 })).toEqual([
    '39',
    '36 na čekanju /dashboard/invoices?mode=test&status=waiting&order=oldest',
    '2 odbijeno /dashboard/invoices?mode=test&status=failed',
    '1 rok istekao /dashboard/invoices?mode=test&status=expired',
  ])
})
