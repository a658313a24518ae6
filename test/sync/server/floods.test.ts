import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { encodeRecord } from '../../../src/sync/wire/records.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { slowLine } from '../../support/slow-line.ts'
import { enrolGateway } from '../../support/sync-gateway.ts'
import { fleet } from '../../support/sync-rows.ts'

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

const tooLarge = { status: 413, body: { error: { code: 'request_too_large' } } }
const recordsOf = (many: string) => gzipSync(`{"after":0,"position":1,"records":[${many}]}`, { level: 1 })

test.each(['{},', '[],', '0,'])('a small push of %s without end is refused before it is read', async (member) => {
  const gateway = await enrolGateway(server)
  const body = recordsOf(`${member.repeat(5_000_000)}0`)
  expect(await gateway.ask('/push', body)).toMatchObject(tooLarge)
})

test('a push with more records than it may have is refused without a look at them', async () => {
  const gateway = await enrolGateway(server)
  const answer = await gateway.ask('/push', recordsOf(`${'{},'.repeat(80_000)}{}`))
  expect(answer).toMatchObject({ status: 400, body: { error: { param: 'records' } } })
  expect(answer.body.error.message).toContain('records has too many members')
})

test('a record that is nested without end is refused, and the others of its push are stored', async () => {
  const gateway = await enrolGateway(server)
  const made = fleet({ oib: OIBS[1], premisesCode: 'DEEP', label: 'deep', isuNumber: '7003' })
  const device = { ...made.device, deviceConfig: { a: 'here' } }
  const records = made.parents().map((one) => encodeRecord(one.kind === 'device' ? { ...one, row: device } : one))
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const body = JSON.stringify({ after: 0, position: 1000, records }).replace('"here"', deep)
  const answer = await gateway.ask('/push', gzipSync(body))
  expect(answer).toMatchObject({ status: 200, body: { position: 1000, refused: [{ kind: 'device' }] } })
  expect(answer.text).toContain('device_config is nested more than 32 levels deep')
})

test('slow lines of one gateway keep nobody else from pushing, and two of them are all it gets', async () => {
  const [slowly, honest] = [await enrolGateway(server), await enrolGateway(server)]
  const answered: string[] = []
  for (let line = 0; line < 16; line++) {
    const socket = await slowLine(server, slowly, 'POST /sync/v1/push')
    // An answer may come in more than one piece.
    socket.once('data', (bytes) => answered.push(String(bytes).slice(9, 12)))
  }
  await expect.poll(() => answered).toEqual(Array(14).fill('429'))
  expect((await honest.push([])).status).toBe(200)
  const own = await slowly.push([])
  expect(own).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
  expect(Number(own.headers['retry-after'])).toBeGreaterThan(0)
})

test('a line that breaks off gives back what it held', async () => {
  const gateway = await enrolGateway(server)
  for (const socket of [
    await slowLine(server, gateway, 'POST /sync/v1/push'),
    await slowLine(server, gateway, 'POST /sync/v1/push'),
  ]) {
    socket.destroy()
  }
  await expect.poll(async () => (await gateway.push([])).status).toBe(200)
})

test('a file for no command of the gateway is refused before any of it has come', async () => {
  const gateway = await enrolGateway(server)
  const path = `PUT /sync/v1/commands/${randomUUID()}/attachment?name=x`
  const socket = await slowLine(server, gateway, path)
  const answer = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
  expect(answer).toMatch(/^HTTP\/1.1 404 /)
})

test('a token is worth nothing any more once its gateway has left', async () => {
  const gateway = await enrolGateway(server)
  expect((await gateway.enroll()).status).toBe(200)
  expect((await gateway.ask('/leave', {})).status).toBe(204)
  expect(await gateway.enroll()).toMatchObject({ status: 401, body: { error: { code: 'sync_token_invalid' } } })
})
