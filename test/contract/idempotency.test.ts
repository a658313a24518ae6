import { afterEach, beforeAll, expect } from 'vitest'
import { inDatabase } from '../support/database.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { row } from '../support/row.ts'
import { keyless, refused } from './support-endpoints.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})
afterEach(() => {
  gateway.clock.aheadMs = 0
  gateway.cis.received.length = 0
})

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Posts exactly these bytes. */
function post(bytes: string, key: string, headers: Record<string, string> = {}) {
  return gateway.v1('/invoices', { body: bytes, headers: { 'idempotency-key': key, ...headers } })
}

/** The number that the next sale will get. */
async function nextNumber(): Promise<number> {
  const { number } = await gateway.sell()
  gateway.cis.received.length = 0
  return Number(number) + 1
}

row('Idempotency | New key', 'each new key is a sale of its own, even with the same bytes', async () => {
  const next = await nextNumber()
  const numbers = [`${next}`, `${next + 1}`, `${next + 2}`]
  const bytes = JSON.stringify(gateway.sale())
  const answers = [await post(bytes, 'a'), await post(bytes, 'b'), await post(bytes, 'A')]
  expect(answers.map(({ body }) => body.number)).toEqual(numbers)
  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('idempotent-replayed')
  }
  expect(gateway.cis.received.map(({ number }) => number)).toEqual(numbers)
})

row('Idempotency | New key', 'the response is stored for 24 hours, also over a restart', async () => {
  const bytes = JSON.stringify(gateway.sale())
  const first = await post(bytes, 'stored')
  await gateway.pass(24 * HOUR_MS - MINUTE_MS)
  await gateway.sweep()
  await gateway.restart()
  const replay = await post(bytes, 'stored')
  expect([replay.status, replay.text]).toEqual([200, first.text])
  expect(replay.headers['idempotent-replayed']).toBe('true')
  expect(gateway.cis.received).toHaveLength(1)
})

row('Idempotency | New key', 'stored are status and body, without XML, certificate or key', async () => {
  const first = await post(JSON.stringify(gateway.sale()), 'kept', { 'x-include-messages': 'true' })
  expect(first.body.messages[0]?.request_xml).toContain('X509Certificate')
  const rows = await inDatabase(gateway, "SELECT * FROM idempotency_keys WHERE key = 'kept'")
  expect(rows).toMatchObject([{ key: 'kept' }])
  expect(Number(rows[0]?.response_status)).toBe(200)
  const { messages: _, ...sale } = first.body
  expect(JSON.parse(String(rows[0]?.response_body))).toEqual(sale)
  expect(JSON.stringify(rows)).not.toMatch(/<|X509|PRIVATE|fisk_test_/)
})

row(
  'Idempotency | Same key, byte-identical body, within 24 h',
  'the first response comes again byte by byte, and nothing is sent',
  async () => {
    const next = await nextNumber()
    const bytes = ` ${JSON.stringify(gateway.sale(), null, 2)}\n`
    const first = await post(bytes, 'same')
    for (let i = 0; i < 3; i++) {
      const replay = await post(bytes, 'same')
      expect([replay.status, replay.text]).toEqual([200, first.text])
      expect(replay.headers['idempotent-replayed']).toBe('true')
    }
    expect(gateway.cis.received).toHaveLength(1)
    expect((await gateway.sell()).number).toBe(`${next + 1}`)
  },
)

row(
  'Idempotency | Same key, byte-identical body, within 24 h',
  'it is the first response even when the invoice has moved on, and the messages are those of now',
  async () => {
    gateway.cis.misbehave('s006', 's006')
    const bytes = JSON.stringify(gateway.sale())
    const first = await post(bytes, 'moved')
    expect(first.body.status).toBe('retrying')
    await gateway.sweep()
    expect((await gateway.invoice(first.body.id)).status).toBe('confirmed')

    expect((await post(bytes, 'moved')).text).toBe(first.text)
    const withMessages = await post(bytes, 'moved', { 'x-include-messages': 'true' })
    expect(withMessages.body).toMatchObject({ ...first.body, messages: [{}, {}, { attempt_no: 3, error_code: null }] })
    expect(withMessages.body.messages).toHaveLength(3)
  },
)

row(
  'Idempotency | Same key, byte-identical body, within 24 h',
  'a request that comes while the first is under way gets its response',
  async () => {
    gateway.cis.misbehave({ delayMs: 200 })
    const bytes = JSON.stringify(gateway.sale())
    const answers = await Promise.all([post(bytes, 'twins'), post(bytes, 'twins'), post(bytes, 'twins')])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(2)
    expect(gateway.cis.received).toHaveLength(1)
  },
)

row(
  'Idempotency | Same key, different body, within 24 h',
  'one byte of difference is a conflict, and nothing is processed',
  async () => {
    const next = await nextNumber()
    const sale = gateway.sale()
    const bytes = JSON.stringify(sale)
    await post(bytes, 'reused')
    await gateway.pass(24 * HOUR_MS - MINUTE_MS)
    const others = [
      JSON.stringify({ ...sale, total: '2.51' }),
      JSON.stringify(Object.fromEntries(Object.entries(sale).reverse())),
      `${bytes} `,
      bytes.replace('2.50', '2.5\\u0030'),
      JSON.stringify({ ...sale, currency: 'EUR' }),
    ]
    for (const other of others) {
      const answer = await post(other, 'reused')
      expect(answer, other).toMatchObject(refused(409, 'idempotency_key_reused', 'Idempotency-Key'))
    }
    expect(gateway.cis.received).toHaveLength(1)
    expect((await post(bytes, 'reused')).headers['idempotent-replayed']).toBe('true')
    expect((await gateway.sell()).number).toBe(`${next + 1}`)
  },
)

row(
  'Idempotency | Same key, different body, within 24 h',
  'the same key of another API key is another key',
  async () => {
    const first = await post(JSON.stringify(gateway.sale()), 'scoped')
    const other = await gateway.createKey()
    const answer = await keyless(gateway, '/v1/invoices', {
      body: gateway.sale({ total: '7.00' }),
      headers: { authorization: `Bearer ${other}`, 'idempotency-key': 'scoped' },
    })
    expect(answer).toMatchObject({ status: 200, body: { number: `${Number(first.body.number) + 1}`, total: '7.00' } })
    expect(answer.headers).not.toHaveProperty('idempotent-replayed')
  },
)

row('Idempotency | Same key after more than 24 h', 'it is treated as new, whatever the body', async () => {
  const next = await nextNumber()
  const bytes = JSON.stringify(gateway.sale())
  await post(bytes, 'old')
  await post(bytes, 'old too')
  await gateway.pass(24 * HOUR_MS + MINUTE_MS)
  const same = await post(bytes, 'old')
  expect(same).toMatchObject({ status: 200, body: { number: `${next + 2}`, status: 'confirmed' } })
  expect(same.headers).not.toHaveProperty('idempotent-replayed')
  const different = await post(JSON.stringify(gateway.sale({ total: '8.00' })), 'old too')
  expect(different).toMatchObject({ status: 200, body: { number: `${next + 3}`, total: '8.00' } })
  expect(gateway.cis.received).toHaveLength(4)
  expect((await post(bytes, 'old')).text).toBe(same.text)
})

row('Idempotency | No key on POST /v1/invoices', 'it is refused before anything is signed or stored', async () => {
  const next = await nextNumber()
  const missing = refused(400, 'missing_idempotency_key', 'Idempotency-Key')
  expect(await gateway.v1('/invoices', { body: gateway.sale() })).toMatchObject(missing)
  expect(await gateway.v1('/invoices', { body: gateway.sale(), headers: { 'idempotency-key': '' } })).toMatchObject(
    missing,
  )
  expect(gateway.cis.received).toEqual([])
  expect((await gateway.sell()).number).toBe(`${next}`)
})
