import { createHash, randomBytes, randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { newNonce } from '../../../src/sync/gateway/handshake.ts'
import { type Gateway, startGateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { addGateway, enrolGateway } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })
const withCredential = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } })

test('a token names the CA that the gateway is to believe, and the server hands it out', async () => {
  const gateway = await addGateway(server)
  const ca = new X509Certificate(readFileSync(join(server.dataDir, 'tls', 'ca.pem')))
  const hash = createHash('sha256').update(ca.raw).digest('base64url')
  expect(gateway.token).toMatch(/^fisk_enroll_[\w-]{43}_[\w-]{43}$/)
  expect(gateway.token.slice(-43)).toBe(hash)
  const { status, text } = await gateway.ask('/ca', undefined, { method: 'GET' })
  expect({ status, ca: new X509Certificate(text).fingerprint256 }).toEqual({ status: 200, ca: ca.fingerprint256 })
})

test('the same token with the same credential is answered the same, with another one it is used up', async () => {
  const gateway = await addGateway(server)
  const nonce = newNonce()
  const first = await gateway.enroll({ nonce })
  expect(first.body).toMatchObject({ gateway_id: gateway.id, name: gateway.name, protocol: 1, numbers: [] })
  expect(await gateway.enroll({ nonce })).toMatchObject({ status: 200, body: first.body })
  const another = createHash('sha256').update('another').digest('hex')
  expect(await gateway.enroll({ credential_hash: another })).toMatchObject(refusal(401, 'sync_token_invalid'))
  expect((await gateway.hello()).status).toBe(200)
})

test('a token that is unknown or older than a day is refused', async () => {
  const old = await startGateway({ FISKD_ROLE: 'server' })
  const gateway = await addGateway(old)
  const unknown = `fisk_enroll_${randomBytes(32).toString('base64url')}`
  expect(await gateway.enroll({ token: unknown })).toMatchObject(refusal(401, 'sync_token_invalid'))
  old.clock.aheadMs = 24 * 3_600_000 + 1000
  expect(await gateway.enroll()).toMatchObject(refusal(401, 'sync_token_invalid'))
})

test('wrong tokens are limited by address, and a right one waits then like all others', async () => {
  const limited = await startGateway({ FISKD_ROLE: 'server', RATE_LIMIT_AUTH_PER_15MIN: '2' })
  const gateway = await addGateway(limited)
  const wrong = () => gateway.enroll({ token: `fisk_enroll_${randomBytes(32).toString('base64url')}` })
  const statuses = [(await wrong()).status, (await wrong()).status, (await wrong()).status]
  expect(statuses).toEqual([401, 401, 429])
  const right = await gateway.enroll()
  expect(right).toMatchObject(refusal(429, 'rate_limited'))
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
})

test('a premises that somebody holds refuses the whole enrolment and names the holder', async () => {
  const gateway = await addGateway(server)
  const premises = [{ company_id: server.companyId, premises_code: 'POSL1' }]
  const refused = await gateway.enroll({ premises })
  expect(refused).toMatchObject(refusal(409, 'premises_owned_by_gateway'))
  expect(refused.body.error.message).toContain('premises POSL1 belongs to this server')
  expect(await gateway.hello()).toMatchObject(refusal(401, 'gateway_unknown'))
  expect((await gateway.enroll()).status).toBe(200)
})

test('nothing is taken without a credential, with an unknown one, or before hello', async () => {
  const gateway = await addGateway(server)
  await gateway.enroll()
  expect(await gateway.push([])).toMatchObject(refusal(409, 'sync_session_replaced'))
  await gateway.hello()
  expect((await gateway.push([])).status).toBe(200)
  for (const credential of ['', 'nonsense', `fisk_sync_${randomBytes(32).toString('base64url')}`]) {
    const answer = await gateway.ask('/push', { after: 0, position: 0, records: [] }, withCredential(credential))
    expect(answer).toMatchObject(refusal(401, 'gateway_unknown'))
  }
  const key = { headers: { authorization: `Bearer ${server.key}` } }
  expect(await gateway.ask('/push', {}, key)).toMatchObject(refusal(401, 'gateway_unknown'))
})

test('another version of the protocol is refused, and is told what the server speaks', async () => {
  const gateway = await enrolGateway(server)
  const refused = await gateway.hello({ protocol: 2 })
  expect(refused).toMatchObject(refusal(400, 'sync_protocol_unsupported'))
  expect(refused.body.error.message).toContain('version 1')
})

test('a revoked gateway is refused from its next request on', async () => {
  const gateway = await enrolGateway(server)
  expect((await server.admin(`/admin/gateways/${gateway.name}/revoke`, { body: {} })).status).toBe(200)
  expect(await gateway.push([])).toMatchObject(refusal(401, 'gateway_revoked'))
  expect(await gateway.enroll()).toMatchObject(refusal(401, 'sync_token_invalid'))
})

test('a new token for the same gateway ends the old machine the moment it is used', async () => {
  const old = await enrolGateway(server)
  const { parents } = fleet({ oib: OIBS[1], premisesCode: 'AGAIN', label: 'Again', isuNumber: '31' })
  const { position } = (await old.push(parents())).body
  const again = await server.admin('/admin/gateways', { body: { name: old.name, again: true } })
  expect((await old.push([], { after: position, position })).status).toBe(200)

  const credential = `fisk_sync_${randomBytes(32).toString('base64url')}`
  const credential_hash = createHash('sha256').update(credential).digest('hex')
  const enrolled = await old.enroll({ token: again.body.token, credential_hash })
  expect(enrolled.body).toMatchObject({ gateway_id: old.id })
  expect(await old.push([], { after: position, position })).toMatchObject(refusal(401, 'gateway_unknown'))
})

test('two processes that keep coming back with one identity are both refused, until there is a new token', async () => {
  const gateway = await enrolGateway(server)
  const [mine, clone] = [gateway.session, randomUUID()]
  await gateway.hello({}, clone)
  const push = (session: string) =>
    gateway.ask('/push', { after: 0, position: 0, records: [] }, { headers: { 'fiskd-sync-session': session } })
  expect(await push(mine)).toMatchObject(refusal(409, 'sync_session_replaced'))
  expect((await gateway.hello({}, mine)).status).toBe(200)
  expect(await push(clone)).toMatchObject(refusal(409, 'gateway_duplicated'))
  expect(await push(mine)).toMatchObject(refusal(409, 'gateway_duplicated'))
  const shown = await server.admin<{ state: string }>(`/admin/gateways/${gateway.name}`)
  expect(shown.body.state).toBe('duplicated')

  const again = await server.admin('/admin/gateways', { body: { name: gateway.name, again: true } })
  gateway.credential = `fisk_sync_${randomBytes(32).toString('base64url')}`
  await gateway.enroll({ token: again.body.token })
  expect((await gateway.hello()).status).toBe(200)
})

test('a process that starts anew takes over from the one before', async () => {
  const gateway = await enrolGateway(server)
  for (let start = 0; start < 5; start++) {
    gateway.session = randomUUID()
    expect((await gateway.hello()).status).toBe(200)
    expect((await gateway.push([])).status).toBe(200)
  }
})

test('hello tells the highest numbers that the server has seen of the premises of the gateway', async () => {
  const gateway = await enrolGateway(server)
  const { parents, invoice, companyId } = fleet({ oib: OIBS[1], premisesCode: 'NUM', label: 'Num', isuNumber: '32' })
  await gateway.push([...parents(), record('invoice', invoice(9)), record('invoice', invoice(10))])
  const seen = { company_id: companyId, mode: 'test', premises_code: 'NUM', year: 2026, register: '' }
  expect((await gateway.hello()).body.numbers).toEqual([{ ...seen, highest: '10', level: 'P' }])
})

test('a gateway has no /sync/v1 and no gateways', async () => {
  const kiosk = await startGateway({ FISKD_ROLE: 'gateway' })
  const { status } = await kiosk.v1('/../sync/v1/ca')
  expect(status).toBe(404)
  expect(await kiosk.admin('/admin/gateways')).toMatchObject({ status: 409 })
})
