import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { skipWithout } from '../support/tools.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

test('a sale gets its number, its ZKI and its JIR in one answer', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale({ occurred_at: new Date(Date.now() - 5000).toISOString(), total: '4.50' })
  const { status, headers, body } = await gateway.post(sale)

  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(body).toEqual({
    id: expect.stringMatching(/^inv_[0-9a-z]+$/),
    status: 'confirmed',
    jir: expect.stringMatching(UUID),
    zki: expect.stringMatching(/^[0-9a-f]{32}$/),
    qr_payload: expect.stringMatching(/^https:\/\/porezna\.gov\.hr\/rn\?jir=[0-9a-f-]{36}&datv=\d{8}_\d{4}&izn=450$/),
    number: '1',
    occurred_at: sale.occurred_at,
    total: '4.50',
    currency: 'EUR',
  })
  expect(gateway.cis.received).toMatchObject([{ jir: body.jir, zki: body.zki, zkiMatches: true, lateDelivery: false }])
})

test.skipIf(skipWithout('openssl', 'date'))(
  'the ZKI is the MD5 of the signature that openssl makes over the text of chapter 12',
  async () => {
    const gateway = await startGateway()
    const seconds = Math.floor(Date.now() / 1000) - 5
    const sold = await gateway.sell({ occurred_at: new Date(seconds * 1000 + 900).toISOString(), total: '-105.50' })

    const env = { ...process.env, TZ: 'Europe/Zagreb' }
    const local = execFileSync('date', ['-d', `@${seconds}`, '+%d.%m.%Y %H:%M:%S'], { env, encoding: 'utf8' }).trim()
    const keyPath = join(gateway.dataDir, 'key.pem')
    await writeFile(keyPath, (await certificateOf(OIBS[0])).keyPem)
    const text = `${OIBS[0]}${local}1POSL1101-105.50`
    const signature = execFileSync('openssl', ['dgst', '-sha256', '-sign', keyPath], { input: text })
    expect(sold.zki).toBe(createHash('md5').update(signature).digest('hex'))
  },
)

test('the message carries the sale, and the reply is found in the trail', async () => {
  const gateway = await startGateway()
  const sold = await gateway.sell({
    vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }],
    special_purpose: 'šećer & <čaj>',
  })
  const shown = await gateway.invoice(sold.id)

  expect(shown).toMatchObject({ ...sold, attempts: 1, late_delivery: false, last_error_class: null, mode: 'test' })
  expect(shown).toMatchObject({ company_id: gateway.companyId, device_id: gateway.deviceId, payment_method: 'G' })
  expect(shown).toMatchObject({
    country_data: { premises_code: 'POSL1', sequence_mark: 'P', register_mark: '101', receipt_number: '1/POSL1/101' },
  })
  expect(shown.messages).toHaveLength(1)
  const [message] = shown.messages
  expect(message).toMatchObject({
    attempt_no: 1,
    http_status: 200,
    error_code: null,
    message_uuid: expect.stringMatching(UUID),
  })
  expect(message?.request_xml).toContain('<tns:SpecNamj>šećer &amp; &lt;čaj&gt;</tns:SpecNamj>')
  expect(message?.request_xml).toContain('<tns:Stopa>25.00</tns:Stopa>')
  expect(message?.response_xml).toContain(sold.jir)
})

test('messages come only when they are asked for, by query or by header', async () => {
  const gateway = await startGateway()
  const sold = await gateway.sell()
  expect((await gateway.v1(`/invoices/${sold.id}`)).body).not.toHaveProperty('messages')

  const body = gateway.sale()
  const headers = { 'idempotency-key': 'with-messages', 'x-include-messages': 'true' }
  const first = await gateway.v1('/invoices', { body, headers })
  expect(first.body.messages).toHaveLength(1)
  const replayed = await gateway.v1('/invoices', { body, headers })
  expect(replayed.body).toEqual(first.body)
  expect(replayed.headers['idempotent-replayed']).toBe('true')
  const without = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': 'with-messages' } })
  expect(without.body).not.toHaveProperty('messages')
})

test('fifty simultaneous sales at one premises get fifty consecutive numbers, ZKIs, JIRs and messages', async () => {
  const gateway = await startGateway()
  const second = await gateway.addDevice({ isu_number: '102' })
  const sold = await Promise.all(Array.from({ length: 50 }, (_, i) => gateway.sell(i % 2 ? { device_id: second } : {})))

  const numbers = sold.map(({ number }) => Number(number)).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
  expect(new Set(sold.map(({ zki }) => zki)).size).toBe(50)
  expect(new Set(sold.map(({ jir }) => jir)).size).toBe(50)
  expect(new Set(gateway.cis.received.map(({ messageId }) => messageId)).size).toBe(50)
  expect(sold.every(({ status }) => status === 'confirmed')).toBe(true)
})

test('the same sale posted twenty times at once with one key is one invoice and one message', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.post(sale, 'one-key')))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19)
  expect(gateway.cis.received).toHaveLength(1)
  expect((await gateway.sell()).number).toBe('2')
})

test('the certificate of a company signs what is sent', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const { certDer } = await certificateOf(OIBS[0])
  expect(gateway.cis.received[0]?.requestXml).toContain(certDer.toString('base64'))
  expect(new X509Certificate(certDer).subject).toContain(OIBS[0])
})

test('a sale without VAT lines takes the VAT out of the total at the configured rate', async () => {
  const gateway = await startGateway()
  const device_id = await gateway.addDevice({ isu_number: '7', device_config: { default_vat_rate: '13.00' } })
  await gateway.sell({ device_id, total: '1.13' })
  expect(gateway.cis.received[0]?.requestXml).toMatch(
    /<tns:Pdv><tns:Porez><tns:Stopa>13.00<\/tns:Stopa><tns:Osnovica>1.00<\/tns:Osnovica><tns:Iznos>0.13<\/tns:Iznos>/,
  )
  await gateway.sell({ device_id, total: '1.13', vat: null })
  expect(gateway.cis.received[1]?.requestXml).not.toContain('<tns:Pdv>')
})
