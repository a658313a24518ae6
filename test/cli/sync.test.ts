import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { columns } from '../../src/cli/text/columns.ts'
import { syncProblems, syncText } from '../../src/cli/text/sync-text.ts'
import { type AdminStub, refusal, startAdminStub } from '../support/admin-stub.ts'
import { startCentral, startEnrolled, told } from '../support/central-server.ts'
import { fisk } from '../support/fisk.ts'
import { startGateway } from '../support/gateway.ts'

const TOKEN = `fisk_enroll_${'A'.repeat(43)}_${'B'.repeat(43)}`

const WELL = {
  ...{
    state: 'connected',
    server: 'https://fisk.example.com:8443',
    waiting: 0,
    refused: 0,
    doubtful: 0,
    last_error: null,
  },
  ...{ last_push_at: '2026-07-21T10:00:00Z', since: '2026-07-21T09:00:00Z', server_id: 's', server_program: '1.0.0' },
  ...{ gateway: { id: 'g1', name: 'kiosk-7' }, tenant: 'default', other_tenants: [], conflicts: [], max_kbps: null },
  ...{ enrolled_at: '2026-07-20T10:00:00Z', next_try_at: null, tells_again: false, heard: true },
} as const
const NOW = Date.parse('2026-07-21T12:00:00Z')
const answer = (changes: object = {}, refusals: object[] = []) =>
  ({ enrolled: true, sync: { ...WELL, ...changes }, doubtful_numbers: [], refusals }) as never

describe('against a stand-in', () => {
  let daemon: AdminStub
  beforeEach(async () => {
    daemon = await startAdminStub()
  })
  afterEach(() => daemon.close())
  const run = (...argv: string[]) => fisk(['sync', ...argv], { socket: daemon.socket })

  test('a token alone, and an address with a token, are sent as they are', async () => {
    daemon.answer('POST /admin/sync/enroll', { status: 200, body: answer({ waiting: 12 }) })
    expect(await run('enroll', TOKEN)).toMatchObject({ code: 0, stdout: expect.stringContaining('as kiosk-7') })
    await run('enroll', 'https://fisk.example.com:8443', TOKEN)
    expect(daemon.seen.map(({ body }) => body)).toEqual([
      { token: TOKEN },
      { url: 'https://fisk.example.com:8443', token: TOKEN },
    ])
  })

  test('what is no token is wrong use, and sent to nobody', async () => {
    for (const argv of [[], ['https://fisk.example.com'], [TOKEN, 'https://fisk.example.com']]) {
      expect((await run('enroll', ...argv)).code).toBe(2)
    }
    expect(daemon.seen).toEqual([])
  })

  test('a server that refuses is explained with what to do', async () => {
    daemon.answer(
      'POST /admin/sync/enroll',
      refusal(401, 'sync_token_invalid', 'the token is unknown, used or too old'),
    )
    const { code, stderr } = await run('enroll', TOKEN)
    expect([code, stderr]).toEqual([1, expect.stringContaining('fisk gateway add NAME')])
  })

  test('the status is 0 when all is well or there is no server, and 1 when somebody has to do something', async () => {
    const status = async (body: object) => {
      daemon.answer('GET /admin/sync', { status: 200, body })
      return (await run('status')).code
    }
    expect(await status(answer())).toBe(0)
    expect(await status({ enrolled: false, sync: null, doubtful_numbers: [], refusals: [] })).toBe(0)
    expect(await status(answer({ refused: 1 }))).toBe(1)
    expect(await status(answer({ state: 'revoked' }))).toBe(1)
    expect(await status(answer({ state: 'duplicated' }))).toBe(1)
  })

  test('now waits until everything is told, and gives up when the server cannot be told', async () => {
    let looks = 0
    daemon.answer('POST /admin/sync/now', { status: 200, body: answer({ waiting: 9 }) })
    daemon.answer('GET /admin/sync', () => ({ status: 200, body: answer({ waiting: ++looks < 3 ? 5 : 0 }) }))
    expect((await run('now')).code).toBe(0)
    expect(looks).toBe(3)
    const last_error = { at: '2026-07-21T11:00:00Z', code: 'unreachable', message: 'nobody listens there' }
    const failed = { state: 'unreachable', waiting: 5, last_error, next_try_at: '2026-07-21T11:01:00Z' }
    daemon.answer('GET /admin/sync', { status: 200, body: answer(failed) })
    expect(await run('now')).toMatchObject({ code: 1, stdout: expect.stringContaining('nobody listens there') })
  })

  test('now believes nothing that the server said before it was asked', async () => {
    let looks = 0
    daemon.answer('POST /admin/sync/now', { status: 200, body: answer({ heard: false }) })
    const revoked = { state: 'revoked', heard: false, next_try_at: '2026-07-21T12:00:00Z' }
    daemon.answer('GET /admin/sync', () => ({ status: 200, body: answer(++looks < 2 ? { heard: false } : revoked) }))
    expect(await run('now')).toMatchObject({ code: 1, stdout: expect.stringContaining('was revoked') })
  })

  test('leaving asks first, and says when the server does not know', async () => {
    daemon.answer('POST /admin/sync/leave', { status: 200, body: { told: false, server: 'https://fisk.example.com' } })
    expect((await run('leave')).code).toBe(2)
    expect(await run('leave', '--yes')).toMatchObject({ code: 0, stdout: expect.stringMatching(/revoke\s+NAME/) })
  })
})

test('every state is told within 80 columns, with what to do where there is something', () => {
  const refused = { kind: 'device', id: 'd'.repeat(36), version: 1, code: 'owned_by_other', message: 'm'.repeat(300) }
  const last_error = { at: '2026-07-21T11:00:00Z', code: 'unreachable', message: 'x'.repeat(300) }
  const all = { last_error, refused: 30, other_tenants: ['one', 'two'], max_kbps: 64, tells_again: true, waiting: 9 }
  for (const state of [
    'connecting',
    'connected',
    'unreachable',
    'revoked',
    'duplicated',
    'replaced',
    'incompatible',
    'unreadable',
  ]) {
    const text = syncText(answer({ ...all, state }, [{ ...refused, refused_at: '' }]), NOW)
    for (const line of text.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(80)
    expect(text).toContain('rows of other tenants: one, two')
  }
  expect(syncProblems(answer({ state: 'unreachable', since: '2026-07-21T11:30:00Z' }), NOW)).toEqual([])
  expect(syncProblems(answer({ state: 'unreachable' }), NOW)).toHaveLength(1)
  expect(syncProblems(answer({ state: 'connecting', since: '2026-07-21T11:59:00Z' }), NOW)).toEqual([])
  expect(syncProblems(answer({ state: 'connecting' }), NOW)).toHaveLength(1)
  const [unreadable] = syncProblems(answer({ state: 'unreadable' }), NOW)
  expect(unreadable?.fix).toContain('fisk gateway add NAME --again')
  const held = { ...refused, code: 'premises_owned_by_gateway', refused_at: '' }
  const [premises] = syncProblems(answer({ refused: 1 }, [held]), NOW)
  expect(premises?.fix).toContain('fisk gateway revoke HOLDER --release')
})

test('fisk sync now asks a server that has just revoked this gateway, and says so', async () => {
  const { gateway, server } = await startEnrolled()
  await told(gateway)
  await server.admin('/admin/gateways/kiosk/revoke', { body: {} })
  const { code, stdout } = await fisk(['sync', 'now'], { socket: gateway.socketPath })
  expect([code, stdout]).toEqual([1, expect.stringContaining('was revoked')])
})

test('fisk status has a line about it, and JSON', async () => {
  const { gateway } = await startEnrolled()
  await told(gateway)
  const text = await fisk(['status'], { socket: gateway.socketPath })
  expect(text.stdout).toMatch(/^Sync +connected, everything told \(https:/m)
  const { stdout } = await fisk(['status', '--json'], { socket: gateway.socketPath })
  const { sync } = JSON.parse(stdout)
  expect(Object.keys(sync)).toEqual(['state', 'server', 'waiting', 'refused', 'doubtful', 'last_push_at', 'last_error'])
  const metrics = (await gateway.admin('/metrics')).text
  expect(metrics).toMatch(/^fiskd_sync_waiting 0$/m)
  expect(metrics).toMatch(/^fiskd_sync_refused 0$/m)
  expect(metrics).toMatch(/^fiskd_sync_last_success_timestamp_seconds \d/m)
})

test('fisk enrols a real gateway at a real server, tells it everything, and leaves it', async () => {
  const central = await startCentral()
  const gateway = await startGateway()
  await gateway.sell()
  const run = (...argv: string[]) => fisk(['sync', ...argv], { socket: gateway.socketPath })
  expect((await run('enroll', central.link.url, await central.token('lobby'))).stdout).toContain('as lobby')
  expect((await run('now')).code).toBe(0)
  expect((await run('status')).code).toBe(0)
  expect((await run('enroll', central.link.url, TOKEN)).stderr).toMatch(/fisk sync\s+leave comes first/)
  expect((await run('leave', '--yes')).code).toBe(0)
  expect((await run('status')).stdout).toContain('has no central server')
})

test('a central server has none above it, and says so', async () => {
  const { server } = await startCentral()
  for (const argv of [['enroll', 'https://fisk.example.com', TOKEN], ['now'], ['leave', '--yes']]) {
    const { code, stderr } = await fisk(['sync', ...argv], { socket: server.socketPath })
    expect([code, stderr]).toEqual([1, expect.stringContaining('central server itself')])
  }
})

test('fisk init ties a gateway to its server, and a second run finds it', async () => {
  const central = await startCentral()
  const gateway = await startGateway()
  const init = (...argv: string[]) => fisk(['init', '--json', ...argv], { socket: gateway.socketPath })
  const steps = async (...argv: string[]) => {
    const ran = await init(...argv)
    const body = JSON.parse(ran.stdout)
    return body.steps?.find(({ step }: { step: string }) => step === 'server') ?? { ...ran, body }
  }
  const args = ['--sync-url', central.link.url, '--sync-token', await central.token('lobby')]
  expect(await steps(...args)).toMatchObject({ state: 'done', detail: `${central.link.url} as lobby` })
  expect(await steps()).toMatchObject({ state: 'already', detail: central.link.url })
})
