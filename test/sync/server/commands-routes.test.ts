import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { GatewayCommandView } from '../../../src/contract/admin/gateway-commands.ts'
import type { PollResponse } from '../../../src/sync/wire/messages.ts'
import { HEARTBEAT } from '../../support/commands.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { addGateway, enrolGateway, type Speaker } from '../../support/sync-gateway.ts'

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

const poll = (speaker: Speaker, changes: object = {}) =>
  speaker.ask<PollResponse>('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0, ...changes })

async function send(speaker: Speaker, type = 'doctor'): Promise<GatewayCommandView> {
  const sent = await server.admin<GatewayCommandView>(`/admin/gateways/${speaker.id}/commands`, { body: { type } })
  if (sent.status !== 201) throw new Error(sent.text)
  return sent.body
}

const commandAt = async (speaker: Speaker, id: string) =>
  (await server.admin<GatewayCommandView>(`/admin/gateways/${speaker.id}/commands/${id}`)).body

test('a poll that waits is answered as soon as there is something, signed with the key of the enrolment', async () => {
  const speaker = await addGateway(server)
  const { server_key } = (await speaker.enroll()).body
  await speaker.hello()
  const started = performance.now()
  const waiting = poll(speaker, { wait_s: 30 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  const { id } = await send(speaker)
  const [command] = (await waiting).body.commands
  expect(performance.now() - started).toBeLessThan(10_000)
  const payload = Buffer.from(String(command?.payload), 'base64url')
  expect(JSON.parse(payload.toString())).toMatchObject({
    gateway_id: speaker.id,
    id,
    number: 1,
    type: 'doctor',
    body: {},
  })
  const key = createPublicKey({ key: Buffer.from(server_key, 'base64url'), format: 'der', type: 'spki' })
  expect(verify(null, payload, key, Buffer.from(String(command?.signature), 'base64url'))).toBe(true)
})

test('a poll with nothing to say is kept as long as it wants, and the heartbeat is kept', async () => {
  const speaker = await enrolGateway(server)
  const started = performance.now()
  expect((await poll(speaker, { wait_s: 1 })).body).toEqual({ commands: [], again_s: 0 })
  expect(performance.now() - started).toBeGreaterThan(950)
  const shown = await server.admin(`/admin/gateways/${speaker.id}`)
  expect(shown.body).toMatchObject({ heartbeat: { can_sell: true, version: '1.0.0' } })
})

test('polls, answers and files are for enrolled gateways that have said hello, each for its own commands', async () => {
  const [one, other] = [await enrolGateway(server), await enrolGateway(server)]
  const { id } = await send(one)
  await poll(one)
  const result = { status: 'done', result: {} }
  expect((await other.ask(`/commands/${id}`, result)).status).toBe(404)
  expect((await other.ask(`/commands/${randomUUID()}`, result)).status).toBe(404)
  expect((await poll(other)).body.commands).toEqual([])
  for (const [path, body] of [
    ['/poll', {}],
    [`/commands/${id}`, result],
  ] as const) {
    expect((await one.ask(path, body, { headers: { authorization: 'Bearer fisk_sync_x' } })).status).toBe(401)
    const stranger = { 'fiskd-sync-session': randomUUID() }
    expect((await one.ask(path, body, { headers: stranger })).body.error.code).toBe('sync_session_replaced')
  }
  expect((await one.ask(`/commands/${id}`, result)).status).toBe(204)
  expect((await one.ask(`/commands/${id}`, { status: 'failed', result: null })).status).toBe(204)
  expect(await commandAt(one, id)).toMatchObject({ status: 'done' })
})

test('a hostile gateway is refused: wrong kinds, endless nesting, bodies without measure', async () => {
  const speaker = await enrolGateway(server)
  const { id } = await send(speaker)
  for (const changes of [
    { wait_s: -1 },
    { last_command: -1 },
    { last_command: '1' },
    { extra: 1 },
    { heartbeat: {} },
  ]) {
    expect((await poll(speaker, changes)).status, JSON.stringify(changes)).toBe(400)
  }
  for (const body of [
    {},
    { status: 'waiting', result: {} },
    { status: 'done' },
    { status: 'done', result: [] },
    { status: 'done', result: {}, extra: 1 },
  ]) {
    expect((await speaker.ask(`/commands/${id}`, body)).status, JSON.stringify(body)).toBe(400)
  }
  const raw = { 'content-encoding': undefined }
  const deep = Buffer.from(`{"status":"done","result":{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}}`)
  expect((await speaker.ask(`/commands/${id}`, deep, { headers: raw })).status).toBe(400)
  const large = Buffer.from(JSON.stringify({ status: 'done', result: { a: 'x'.repeat(300_000) } }))
  expect((await speaker.ask(`/commands/${id}`, large, { headers: raw })).status).toBe(413)
  expect(await commandAt(speaker, id)).toMatchObject({ status: 'waiting' })
})

test('a heartbeat says times, counts and texts in their limits, and may say more than this version knows', async () => {
  const speaker = await enrolGateway(server)
  const { queue, clock, disk } = HEARTBEAT
  for (const changes of [
    { last_jir_at: 'x' },
    { last_jir_at: '2026-11-22' },
    { last_jir_at: '2026-11-22T25:00:00Z' },
    { queue: { ...queue, oldest_at: 'yesterday' } },
    { queue: { ...queue, pending: 2 ** 53 } },
    { queue: { ...queue, failed: -1 } },
    { clock: { ...clock, now: '\u009b2J' } },
    { clock: { ...clock, offset_ms: 1e300 } },
    { disk: { ...disk, free_bytes: -1 } },
    { uptime_s: 1e300 },
    { breaks: [{ mode: 'test', from: 'x', until: null, extended: [] }] },
    { breaks: [{ mode: 'both', from: '2026-11-22T10:00:00.000Z', until: null, extended: [] }] },
  ]) {
    const answer = await poll(speaker, { heartbeat: { ...HEARTBEAT, ...changes } })
    expect([answer.status, answer.body.error?.code], JSON.stringify(changes)).toEqual([400, 'invalid_request'])
  }
  const newer = {
    ...HEARTBEAT,
    last_jir_at: '2026-11-22T10:00:00.000Z',
    mood: 'fine',
    breaks: [{ mode: 'live', from: '2026-11-22T10:00:00.000Z', until: null, extended: [] }],
    queue: { ...queue, sideways: 1 },
  }
  expect((await poll(speaker, { heartbeat: newer })).status).toBe(200)
  expect((await server.admin(`/admin/gateways/${speaker.id}`)).body).toMatchObject({ heartbeat: newer })
})

test('a file comes with a support bundle, as bytes', async () => {
  const speaker = await enrolGateway(server)
  const { id } = await send(speaker, 'support_bundle')
  const put = (bytes: Buffer, headers: Record<string, string | undefined> = {}, name = 'a.tar.gz') =>
    speaker.ask(`/commands/${id}/attachment?name=${name}`, bytes, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'content-encoding': undefined, ...headers },
    })
  expect((await put(Buffer.from('{}'), { 'content-type': 'application/json' })).status).toBe(400)
  expect((await put(Buffer.from('x'), {}, '..%2Fx')).status).toBe(400)
  expect((await put(Buffer.from([0, 255, 1]))).status).toBe(204)
  expect(await commandAt(speaker, id)).toMatchObject({ attachment: { name: 'a.tar.gz', bytes: 3 } })
})

test('a gateway that is revoked while its poll waits is told nothing any more', async () => {
  const speaker = await enrolGateway(server)
  const waiting = poll(speaker, { wait_s: 5 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await server.admin(`/admin/gateways/${speaker.id}/revoke`, { body: {} })
  const refused = await server.admin(`/admin/gateways/${speaker.id}/commands`, { body: { type: 'doctor' } })
  expect(refused.status).toBe(409)
  expect((await waiting).body.commands).toEqual([])
  expect((await poll(speaker)).status).toBe(401)
})
