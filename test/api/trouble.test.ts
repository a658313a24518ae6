import { expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { breakInserts } from '../support/database.ts'
import { type Gateway, startGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'

/** Makes storing an outcome fail, as a disk that is full does, until the returned function is called. */
const breakOutcomes = (gateway: Gateway, when?: string) => breakInserts(gateway, 'messages', when)

test('a sale whose outcome could not be stored is answered with 500, and the sweep takes it up', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  const mend = await breakOutcomes(gateway)
  const failed = await gateway.post(sale, 'outcome-lost')
  expect(failed).toMatchObject({ status: 500, body: { error: { type: 'api_error', code: 'internal_error' } } })
  expect(failed.text).not.toContain('disk full')
  await mend()
  await gateway.sweep()
  const [message] = gateway.cis.received
  const again = await gateway.post(sale, 'outcome-lost')
  expect(again.body).toMatchObject({ status: 'confirmed', jir: message?.jir, zki: message?.zki, number: '1' })
  expect((await gateway.sell()).number).toBe('2')
})

test('one invoice that cannot be stored does not hold up the sweep of the others', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const [first, second] = [await gateway.sell(), await gateway.sell()]
  await gateway.cis.comeBack()
  const mend = await breakOutcomes(gateway, `NEW.invoice_id = '${first.id}'`)
  await gateway.sweep()
  await mend()
  expect((await gateway.invoice(second.id)).status).toBe('confirmed')
  expect((await gateway.invoice(first.id)).status).toBe('retrying')
})

test('a certificate that is not usable for a while makes no invoice fail for good', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  await gateway.cis.comeBack()
  gateway.clock.aheadMs = -400 * 86_400_000
  await gateway.sweep()
  expect((await gateway.invoice(sold.id)).status).toBe('retrying')
  gateway.clock.aheadMs = 0
  await gateway.sweep()
  expect((await gateway.invoice(sold.id)).status).toBe('confirmed')
})

test('a retry that somebody asks for says what is wrong with the certificate', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  gateway.clock.aheadMs = -400 * 86_400_000
  const { body } = await gateway.v1(`/invoices/${sold.id}/retry`, { method: 'POST' })
  expect(body).toMatchObject({
    status: 'failed',
    fiscal_error: { code: 'certificate_expired', retry_scheduled: false },
  })
})

test('a sale posted while the sweep runs is sent once', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ delayMs: 300 })
  const selling = gateway.sell()
  while (gateway.cis.received.length === 0) {
    await gateway.sweep()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect((await selling).status).toBe('confirmed')
  expect(gateway.cis.received).toHaveLength(1)
})

test('a device is seen whenever it posts, also when its sale is refused or replayed', async () => {
  const gateway = await startGateway()
  const seen = async () => {
    const { body } = await gateway.admin<{ data: { last_seen_at: string | null }[] }>(
      `/admin/devices?ref=${gateway.deviceId}`,
    )
    return body.data[0]?.last_seen_at
  }
  const moments = [await seen()]
  const sale = gateway.sale({ number: '5' })
  for (const [body, key] of [
    [{ total: 'x' }, 'a'],
    [sale, 'b'],
    [sale, 'b'],
    [{ number: '5' }, 'c'],
  ] as const) {
    gateway.clock.aheadMs += 1000
    await gateway.post(body, key)
    moments.push(await seen())
  }
  expect(moments[0]).toBeNull()
  expect(new Set(moments).size).toBe(5)
})

test.each([
  ['/v1/%', 400],
  ['/v1/invoices/%zz', 400],
  ['/v1/invoices/%ff', 400],
  [`/v1/invoices/${'x'.repeat(2000)}`, 400],
  [`/v1/invoices/${'x'.repeat(300)}`, 404],
])('GET %s has the error body', async (path, status) => {
  const gateway = await startGateway()
  const answer = await call<{ error: object }>({ socketPath: gateway.socketPath }, { path })
  expect(answer).toMatchObject({ status, body: { error: { code: 'invalid_request', doc_url: expect.any(String) } } })
  expect(answer.headers['x-request-id']).toBeDefined()
})

test.each([
  ['no boundary', 'multipart/form-data', 'x'],
  ['no end', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="company_id"\r\n\r\nx'],
  [
    'a file cut off',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nx',
  ],
  ['nothing in it', 'multipart/form-data; boundary=b', '--b--\r\n'],
])('a multipart body with %s is refused', async (_what, type, body) => {
  const gateway = await startGateway()
  const headers = { 'content-type': type }
  const answer = await gateway.admin('/v1/certificates', { method: 'POST', body: Buffer.from(body), headers })
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
})

test('a configuration nested thousands of levels deep is refused', async () => {
  const gateway = await startGateway()
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const body = `{"name":"X","oib":"${OIBS[1]}","fiscal_config":${deep}}`
  expect(await gateway.admin('/v1/companies', { body })).toMatchObject({
    status: 400,
    body: { error: { param: 'body' } },
  })
})

test('a text of a thousand characters outside the first plane is sent whole', async () => {
  const gateway = await startGateway()
  const device_config = { special_purpose: 'configured', fees: [{ name: 'configured', amount: '9.00' }] }
  const device_id = await gateway.addDevice({ isu_number: '8', device_config })
  const text = '😀'.repeat(1000)
  await gateway.sell({ device_id, special_purpose: text, fees: [{ name: '😀'.repeat(100), amount: '0.10' }] })
  const xml = gateway.cis.received[0]?.requestXml ?? ''
  expect(xml).toContain(`<tns:SpecNamj>${text}</tns:SpecNamj>`)
  expect(xml).toContain(`<tns:NazivN>${'😀'.repeat(100)}</tns:NazivN>`)
  expect(xml).not.toContain('configured')
})

test('an upload while sales go on never leaves the company without a certificate', async () => {
  const gateway = await startGateway()
  const selling = Promise.all(Array.from({ length: 10 }, () => gateway.sell()))
  await uploadCertificate(gateway, gateway.companyId, await certificateOf(OIBS[0]))
  expect((await selling).every(({ status }) => status === 'confirmed')).toBe(true)
})
