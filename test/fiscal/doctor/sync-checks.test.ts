import { expect, test } from 'vitest'
import { syncChecks } from '../../../src/fiscal/doctor/sync-checks.ts'
import type { SyncStatus } from '../../../src/fiscal/gateways/sync-status.ts'
import { startEnrolled, told } from '../../support/central-server.ts'
import { diagnose, inEnglish } from '../../support/diagnosis.ts'
import { verdicts } from '../../support/healthy.ts'
import { tamper } from '../../support/tamper.ts'

const NOW = 1_790_000_000_000
const HOUR_MS = 3_600_000

const WELL: SyncStatus = {
  ...{
    state: 'connected',
    since: NOW - HOUR_MS,
    server: 'https://fisk.example.com',
    serverId: 's',
    serverProgram: '1',
  },
  ...{ gatewayId: 'g', gateway: 'kiosk', tenantId: 'default', otherTenants: [], enrolledAt: NOW - 99 * HOUR_MS },
  ...{
    waiting: 0,
    refused: 0,
    doubtful: 0,
    lastPushAt: NOW - 1000,
    lastError: null,
    nextTryAt: null,
    tellsAgain: false,
  },
  ...{ maxKbps: null, clockAheadMs: 400, conflicts: [], heard: true },
}
const lastError = { at: NOW, code: 'unreachable', message: 'nobody listens there' }

async function examined(changes: Partial<SyncStatus> | null, code = 'owned_by_other') {
  const status = changes && { ...WELL, ...changes }
  const refusal = { kind: 'device', id: 'd1', version: 1, code, message: '', refusedAt: 1 } as const
  const sync = { status: async () => status, refusals: async () => [refusal] }
  const store = { alerts: { open: async () => [] } }
  const found = await Promise.all(
    syncChecks({ store, sync, clock: { now: () => NOW } }).map(({ run: examine }) => examine()),
  )
  return inEnglish(found.flat()).filter((check) => check.status !== 'ok')
}

test('a gateway without a server, and one that has told everything, are well', async () => {
  expect(await examined(null)).toEqual([])
  expect(await examined({})).toEqual([])
  expect(await examined({ state: 'unreachable', since: NOW - 60_000, lastError })).toEqual([])
  expect(await examined({ state: 'connecting', since: NOW - 60_000 })).toEqual([])
})

test.each([
  ['is not reached for long', { state: 'unreachable', since: NOW - 2 * HOUR_MS, lastError }, 'warn', 'FISKD_SYNC_URL'],
  ['has revoked it', { state: 'revoked' }, 'fail', 'fisk gateway add NAME --again'],
  ['hears two machines', { state: 'duplicated' }, 'fail', 'switch the wrong one off'],
  ['hears another process', { state: 'replaced' }, 'warn', 'switch off'],
  ['is not asked for minutes', { state: 'connecting', since: NOW - 600_000 }, 'warn', 'journalctl -u fiskd'],
  ['the enrolment no longer opens', { state: 'unreadable' }, 'fail', 'fisk gateway add NAME --again'],
  [
    'has heard of places far ahead',
    { lastError: { ...lastError, code: 'positions_doubtful' } },
    'fail',
    'fisk sync leave --yes; on the server: fisk gateway add NAME --again',
  ],
  ['speaks another version', { state: 'incompatible' }, 'fail', 'same version'],
] as const)('a server that %s is told with what to do', async (_, changes, status, fix) => {
  expect(await examined(changes)).toMatchObject([{ name: 'central server', status, fix: expect.stringContaining(fix) }])
})

test('clocks that differ, rows that wait long and rows that were refused are told', async () => {
  expect(await examined({ clockAheadMs: -10 * 60_000 })).toMatchObject([
    { name: 'clock of the central server', status: 'warn', detail: expect.stringContaining('600 s behind') },
  ])
  expect(await examined({ clockAheadMs: null })).toMatchObject([
    { name: 'clock of the central server', status: 'skip' },
  ])
  expect(await examined({ waiting: 7, lastPushAt: NOW - 30 * HOUR_MS })).toMatchObject([
    { name: 'rows for the central server', status: 'warn', detail: expect.stringContaining('30 hours') },
  ])
  expect(await examined({ waiting: 7 })).toEqual([])
  expect(await examined({ refused: 2 })).toMatchObject([
    { name: 'rows the central server has not taken', status: 'warn', detail: expect.stringContaining('device d1') },
  ])
})

test('numbers the central server told: those that are not believed are told with what confirms them', async () => {
  expect(await examined({ doubtful: 2 })).toMatchObject([
    {
      name: 'numbers the central server told',
      status: 'warn',
      fix: expect.stringContaining('fisk sync confirm-numbers'),
    },
  ])
})

test('rows of premises that somebody else holds are told with what ends it', async () => {
  const [check] = await examined({ refused: 2 }, 'premises_owned_by_gateway')
  expect(check?.fix).toContain('fisk device set DEVICE --status archived')
  expect(check?.fix).toContain('fisk gateway revoke HOLDER --release')
  expect((await examined({ refused: 2 }))[0]?.fix).toContain('fisk sync now')
  expect((await examined({ refused: 2 }, 'out_of_reach'))[0]?.fix).toContain('fisk gateway accept NAME INVOICE')
})

test('of a real gateway the doctor tells what its server has refused', async () => {
  const { gateway, server } = await startEnrolled()
  await told(gateway)
  const names = ['central server', 'clock of the central server', 'rows for the central server']
  const before = (await diagnose(gateway)).filter(({ name }) => name.includes('central server'))
  expect(before.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
  expect(before.map(({ name }) => name)).toEqual([
    ...[...names, 'rows the central server has not taken', 'numbers the central server told'],
    'records the central server has',
  ])

  tamper(server.database, `UPDATE devices SET gateway_id = 'another' WHERE id = '${gateway.deviceId}'`)
  await gateway.sell()
  await told(gateway)
  const after = (await diagnose(gateway)).filter(({ name, status }) => name.includes('central') && status !== 'ok')
  expect(verdicts(after)).toEqual(['rows the central server has not taken warn'])
})
