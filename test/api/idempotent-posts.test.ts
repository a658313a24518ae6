import { expect, test } from 'vitest'
import { breakInserts } from '../support/database.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'

function post(gateway: Gateway, path: string, body: unknown, key: string) {
  return gateway.admin<Record<string, unknown>>(path, { method: 'POST', body, headers: { 'idempotency-key': key } })
}

async function companies(gateway: Gateway) {
  return (await gateway.admin<{ data: { oib: string }[] }>('/v1/companies')).body.data.map(({ oib }) => oib)
}

test('a company, a device and a certificate are made once per key, and answered with the same bytes again', async () => {
  const gateway = await startGateway()
  const { p12, passphrase } = await certificateOf(OIBS[1])
  const company = { name: 'Druga', oib: OIBS[1] }
  const made = await post(gateway, '/v1/companies', company, 'company')
  const device = { company_id: made.body.id, premises_code: 'P1', label: 'a' }
  const upload = [
    `--b\r\nContent-Disposition: form-data; name="company_id"\r\n\r\n${String(made.body.id)}\r\n`,
    `--b\r\nContent-Disposition: form-data; name="passphrase"\r\n\r\n${passphrase}\r\n`,
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.p12"\r\n\r\n',
  ]
  const certificate = Buffer.concat([Buffer.from(upload.join('')), p12, Buffer.from('\r\n--b--\r\n')])
  const requests: [string, unknown, Record<string, string>][] = [
    ['/v1/companies', company, {}],
    ['/v1/devices', device, {}],
    ['/v1/certificates', certificate, { 'content-type': 'multipart/form-data; boundary=b' }],
  ]
  for (const [path, body, headers] of requests) {
    const send = () => gateway.admin(path, { body, headers: { ...headers, 'idempotency-key': `once ${path}` } })
    const first = path === '/v1/companies' ? made : await send()
    expect(first.status).toBe(201)
    const again = path === '/v1/companies' ? await post(gateway, path, body, 'company') : await send()
    expect(again).toMatchObject({ status: 201, text: first.text })
    expect(again.headers['idempotent-replayed']).toBe('true')
  }
  const certificates = await gateway.admin<{ data: object[] }>(`/v1/certificates?company_id=${made.body.id}`)
  expect(certificates.body.data).toHaveLength(1)
})

test('ten posts of one company at once with one key make one company, and each gets its answer', async () => {
  const gateway = await startGateway()
  const body = { name: 'Druga', oib: OIBS[1] }
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(gateway, '/v1/companies', body, 'at once')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(9)
})

test('one key stands for one request: another route or another body is a conflict', async () => {
  const gateway = await startGateway()
  const company = { name: 'Druga', oib: OIBS[1] }
  await post(gateway, '/v1/companies', company, 'key')
  const device = { company_id: gateway.companyId, premises_code: 'P1', label: 'a' }
  for (const answer of [
    await post(gateway, '/v1/devices', device, 'key'),
    await post(gateway, '/v1/companies', { ...company, name: 'Treća' }, 'key'),
    await post(gateway, '/v1/companies', JSON.stringify({ oib: company.oib, name: company.name }), 'key'),
  ]) {
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { type: 'conflict', code: 'idempotency_key_reused', param: 'Idempotency-Key' } },
    })
  }
})

test('the key of a sale is none for a company, and two API keys have keys of their own', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  const sold = await gateway.post(sale, 'shared')
  const other = await gateway.createKey()
  const headers = { authorization: `Bearer ${other}`, 'idempotency-key': 'shared' }
  const again = await gateway.v1('/invoices', { body: sale, headers })
  expect(again.body.id).not.toBe(sold.body.id)
})

test('a refused POST leaves its key free', async () => {
  const gateway = await startGateway()
  const refused = await post(gateway, '/v1/companies', { name: 'Druga', oib: '1' }, 'free')
  expect(refused.status).toBe(400)
  expect((await post(gateway, '/v1/companies', { name: 'Druga', oib: OIBS[1] }, 'free')).status).toBe(201)
})

test('what was made and its answer are stored together: after a failure there is neither, and the repetition succeeds', async () => {
  const gateway = await startGateway()
  const mend = await breakInserts(gateway, 'idempotency_keys')
  const body = { name: 'Druga', oib: OIBS[1] }
  expect((await post(gateway, '/v1/companies', body, 'together')).status).toBe(500)
  expect(await companies(gateway)).toEqual([OIBS[0]])
  await mend()
  const again = await post(gateway, '/v1/companies', body, 'together')
  expect(again.status).toBe(201)
  expect(again.headers['idempotent-replayed']).toBeUndefined()
})

test('an answer is replayed for 24 hours, also after a restart, and then the key is new', async () => {
  const gateway = await startGateway()
  const body = { name: 'Druga', oib: OIBS[1] }
  const first = await post(gateway, '/v1/companies', body, 'day')
  await gateway.restart()
  await gateway.pass(24 * 3_600_000 - 60_000)
  expect((await post(gateway, '/v1/companies', body, 'day')).text).toBe(first.text)
  await gateway.pass(61_000)
  expect(await post(gateway, '/v1/companies', body, 'day')).toMatchObject({
    status: 409,
    body: { error: { param: 'oib' } },
  })
})

test('a retry is answered once per key: the second one sends nothing', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  await gateway.cis.comeBack()
  const retry = () =>
    gateway.v1(`/invoices/${sold.id}/retry`, { method: 'POST', headers: { 'idempotency-key': 'retry-1' } })
  const first = await retry()
  expect(first.body.status).toBe('confirmed')
  const sent = gateway.cis.received.length
  const again = await retry()
  expect(again).toMatchObject({ status: 200, text: first.text })
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(gateway.cis.received).toHaveLength(sent)
  const withTrail = await gateway.v1(`/invoices/${sold.id}/retry?include_messages=true`, {
    method: 'POST',
    headers: { 'idempotency-key': 'retry-1' },
  })
  expect(withTrail.body.messages.length).toBeGreaterThan(2)
})
