import fastify from 'fastify'
import { afterEach, beforeAll, expect, onTestFinished } from 'vitest'
import { handleErrors } from '../../src/api/errors.ts'
import { createRateLimiters, createUploadLimit } from '../../src/api/rate-limits.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { clientNetwork } from '../../src/daemon/http/connection-limit.ts'
import {
  addCompany,
  type Gateway,
  startEmptyGateway,
  startGateway,
  startSharedGateway,
  uploadCertificate,
} from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { type Ask, clientOf, DAY_MS, importForm, inMs, keyless, refused, signIn } from './support-endpoints.ts'

let gateway: Gateway
let client: Ask
beforeAll(async () => {
  gateway = await startSharedGateway()
  client = await clientOf(gateway)
})
afterEach(() => {
  gateway.clock.aheadMs = 0
})

const MINUTE_MS = 60_000
const limited = refused(429, 'rate_limited', null)

/** The message that the authority got last. */
function lastXml(): string {
  return gateway.cis.received.at(-1)?.requestXml ?? ''
}

/** Posts a sale and shows its status and, if it was refused, code and param. */
async function posted(sale: object, idempotencyKey?: string) {
  const { status, body } = await gateway.post(sale, idempotencyKey)
  return status === 200 ? [status] : [status, body.error.code, body.error.param]
}

row(
  'Limits | Requests per principal (API key or dashboard user), any authenticated endpoint, including POST /v1/invoices',
  'a key has one budget for everything it asks for, and others have theirs',
  async () => {
    const own = await startGateway({ RATE_LIMIT_PER_MINUTE: '4' })
    const asked = [
      await own.v1('/invoices'),
      await own.post(),
      await own.v1('/countries'),
      await own.post({ total: 1 }),
    ]
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 400])
    expect(asked.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['3', '2', '1', '0'])
    for (const { headers } of asked) expect(headers['ratelimit-limit']).toBe('4')
    expect(await own.post()).toMatchObject(limited)
    expect(await own.v1('/invoices')).toMatchObject(limited)
    expect(own.cis.received).toHaveLength(1)

    const other = await clientOf(own)
    expect((await other('/invoices')).status).toBe(200)
    expect((await keyless(own, '/v1/health')).status).toBe(200)
    const refusedOne = await own.v1('/invoices', { headers: { authorization: 'Bearer nonsense' } })
    expect(refusedOne.status).toBe(401)
  },
)

row(
  'Limits | Requests per principal (API key or dashboard user), any authenticated endpoint, including POST /v1/invoices',
  'a dashboard user has one budget over all sessions, beside the keys',
  async () => {
    const own = await startEmptyGateway({ RATE_LIMIT_PER_MINUTE: '2' })
    const [ana, ivo] = [await signIn(own, 'ana@example.hr'), await signIn(own, 'ivo@example.hr')]
    const again = await keyless(own, '/dashboard/session', {
      body: { name: 'ana@example.hr', password: 'dovoljno duga lozinka' },
    })
    const second = { cookie: String(again.headers['set-cookie']?.[0]).replace(/;.*/, '') }
    const ask = (headers: Record<string, string>) => keyless(own, '/v1/invoices', { headers })
    expect([await ask(ana), await ask(second)]).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await ask(ana)).toMatchObject(limited)
    expect(await ask(second)).toMatchObject(limited)
    expect((await ask(ivo)).status).toBe(200)
    expect((await (await clientOf(own))('/invoices')).status).toBe(200)
  },
)

row(
  'Limits | Requests per principal (API key or dashboard user), any authenticated endpoint, including POST /v1/invoices',
  'it is 20,000 per minute unless configured, and RATE_LIMIT_ENABLED=false lifts it',
  async () => {
    expect(readConfig({}).rateLimits).toMatchObject({ enabled: true, perMinute: 20_000 })
    const { headers } = await client('/invoices')
    expect(headers['ratelimit-limit']).toBe('20000')
    expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60)
    const limits = { RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_IP_PER_MINUTE: '1' }
    const unlimited = await clientOf(await startEmptyGateway({ ...limits, RATE_LIMIT_ENABLED: 'false' }))
    for (let i = 0; i < 3; i++) expect((await unlimited('/invoices')).status).toBe(200)
  },
)

row(
  'Limits | Requests per IP address, before authentication',
  'whoever asks from an address, with or without a key, has its budget',
  async () => {
    const own = await startEmptyGateway({ RATE_LIMIT_IP_PER_MINUTE: '5' })
    const mine = await clientOf(own)
    const asked = [
      await keyless(own, '/v1/health'),
      await keyless(own, '/v1/invoices'),
      await mine('/invoices'),
      await mine('/nothing'),
      await mine('/%'),
    ]
    expect(asked.map(({ status }) => status)).toEqual([200, 401, 200, 404, 400])
    const answers = [
      await mine('/invoices'),
      await mine('/invoices', { body: {} }),
      await keyless(own, '/v1/health'),
      await keyless(own, '/v1/invoices', { headers: { 'x-forwarded-for': '192.0.2.7' } }),
      await keyless(own, '/v1/%'),
    ]
    for (const answer of answers) expect(answer).toMatchObject(limited)
    expect(answers[0]?.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' })
  },
)

row(
  'Limits | Requests per IP address, before authentication',
  'it is 20,000 per minute unless configured',
  async () => {
    expect(readConfig({}).rateLimits.perAddressPerMinute).toBe(20_000)
    const { headers } = await keyless(gateway, '/v1/health')
    expect(headers['ratelimit-limit']).toBe('20000')
    expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60)
  },
)

row(
  'Limits | Sign-in per IP',
  'it is 30 per 15 minutes, right or wrong, also when nothing else is limited',
  async () => {
    const own = await startEmptyGateway({ RATE_LIMIT_ENABLED: 'false' })
    const knock = () => keyless(own, '/dashboard/session', { body: {} })
    const answers = await Promise.all(Array.from({ length: 30 }, knock))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    for (const { headers } of answers) {
      expect(headers['ratelimit-limit']).toBe('30')
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(800)
      expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(900)
    }
    const refusedOne = await knock()
    expect(refusedOne).toMatchObject(limited)
    expect(Number(refusedOne.headers['retry-after'])).toBeGreaterThan(800)
    expect(Number(refusedOne.headers['retry-after'])).toBeLessThanOrEqual(900)
    for (let i = 0; i < 3; i++) expect((await keyless(own, '/v1/health')).status).toBe(200)
  },
)

row(
  'Limits | Sign-in per IP',
  'RATE_LIMIT_AUTH_PER_15MIN sets it, and the right password does not lift it',
  async () => {
    const own = await startEmptyGateway({ RATE_LIMIT_AUTH_PER_15MIN: '2' })
    const user = { name: 'ana@example.hr', password: 'dovoljno duga lozinka' }
    await own.admin('/admin/users', { body: user })
    const knock = (password: string) => keyless(own, '/dashboard/session', { body: { ...user, password } })
    expect((await knock('pogrešna lozinka')).status).toBe(401)
    expect((await knock(user.password)).status).toBe(201)
    expect(await knock(user.password)).toMatchObject(limited)
  },
)

row(
  'Limits | Certificate upload and bulk device import',
  'they are 60 per minute, apart from the large budget',
  async () => {
    const own = await startEmptyGateway({ RATE_LIMIT_PER_MINUTE: '3' })
    const mine = await clientOf(own)
    const upload = (path: string) => mine(path, { body: {} })
    const answers = [
      ...(await Promise.all(Array.from({ length: 40 }, () => upload('/devices/import')))),
      ...(await Promise.all(Array.from({ length: 20 }, () => upload('/certificates')))),
    ]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    expect(new Set(answers.map(({ headers }) => headers['ratelimit-limit']))).toEqual(new Set(['60']))
    for (const { headers } of answers) expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60)
    expect(await upload('/devices/import')).toMatchObject(limited)
    expect(await upload('/certificates')).toMatchObject(limited)

    const others = [await mine('/devices'), await mine('/certificates'), await mine('/invoices')]
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await mine('/devices')).toMatchObject(limited)
    expect((await (await clientOf(own))('/devices/import', { body: {} })).status).toBe(400)
  },
)

row(
  'Limits | IPv6 addresses are counted per /56 prefix; IPv4 whole',
  'who has a /56 has one budget, and an IPv4 address one of its own',
  async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    const limits = { enabled: true, perMinute: 9, perAddressPerMinute: 1, signInsPer15Minutes: 9 }
    handleErrors(app, () => 'https://docs.example')
    const limiters = createRateLimiters(limits, clientNetwork, createUploadLimit(limits))
    app.addHook('onRequest', async (request, reply) => limiters.address(request, reply))
    app.get('/', async () => ({}))
    const from = async (remoteAddress: string) => (await app.inject({ url: '/', remoteAddress })).statusCode

    expect(await from('2001:db8:0:ab00::1')).toBe(200)
    for (const neighbour of ['2001:db8:0:ab00::1', '2001:db8:0:ab00::2', '2001:db8:0:abff:ffff:ffff:ffff:ffff']) {
      expect(await from(neighbour), neighbour).toBe(429)
    }
    for (const stranger of ['2001:db8:0:aa00::1', '2001:db8:0:ac00::1', '2001:db8:1:ab00::1']) {
      expect(await from(stranger), stranger).toBe(200)
    }
    expect(await from('192.0.2.1')).toBe(200)
    expect(await from('192.0.2.1')).toBe(429)
    expect(await from('192.0.2.2')).toBe(200)
    // The same address, as a listener for both families shows it.
    expect(await from('::ffff:192.0.2.2')).toBe(429)
    expect(await from('::ffff:192.0.2.3')).toBe(200)
  },
)

row('Limits | Certificate file', '256 KB are read, a byte more is too large', async () => {
  const upload = (bytes: number) =>
    uploadCertificate(gateway, gateway.companyId, { p12: Buffer.alloc(bytes), passphrase: 'x' })
  // Read and found to be no container.
  expect(await upload(262_144)).toMatchObject(refused(400, 'invalid_request', 'file'))
  expect(await upload(262_145)).toMatchObject(refused(413, 'file_too_large', 'file'))
})

row('Limits | Device import file', 'it may have 1 MB and 5000 data rows, and neither more', async () => {
  const post = (csv: string) =>
    client('/devices/import', { body: importForm(gateway.companyId, csv, { dry_run: 'true' }) })
  const sized = (bytes: number) => `${'label,premises_code,note\nm,P1,'.padEnd(bytes - 1, 'x')}\n`
  expect(await post(sized(1_048_576))).toMatchObject({ status: 200, body: { processed: 1, failed: 0 } })
  expect(await post(sized(1_048_577))).toMatchObject(refused(413, 'file_too_large', 'file'))
  const rows = (count: number) =>
    `label,premises_code\n${Array.from({ length: count }, (_, i) => `m${i},P1\n`).join('')}`
  expect(await post(rows(5000))).toMatchObject({ status: 200, body: { processed: 5000, created: 5000 } })
  expect(await post(rows(5001))).toMatchObject(refused(400, 'invalid_request', 'file'))
})

row('Limits | List limit', 'it is 1 to 200 and 50 by default, on every list that has pages', async () => {
  const csv = Array.from({ length: 201 }, (_, i) => `m${i},LIST\n`).join('')
  await client('/devices/import', { body: importForm(gateway.companyId, `label,premises_code\n${csv}`) })
  const devices = async (query: string) => (await client(`/devices?premises_code=LIST${query}`)).body
  expect((await devices('')).data).toHaveLength(50)
  expect((await devices('&limit=1')).data).toHaveLength(1)
  const page = await devices('&limit=200')
  expect([page.data.length, page.has_more]).toEqual([200, true])
  const last = await devices(`&limit=200&cursor=${encodeURIComponent(String(page.next_cursor))}`)
  expect([last.data.length, last.has_more, last.next_cursor]).toEqual([1, false, null])
  expect(new Set([...page.data, ...last.data].map(({ id }) => id)).size).toBe(201)
  for (const list of ['/invoices', '/companies', '/devices']) {
    for (const limit of ['0', '201', 'all', '-1', '']) {
      const answer = await client(`${list}?limit=${limit}`)
      expect(answer, `${list} ${limit}`).toMatchObject(refused(400, 'invalid_request', 'limit'))
    }
    expect(await client(`${list}?cursor=constructed`)).toMatchObject(refused(400, 'invalid_request', 'cursor'))
    for (const limit of ['1', '200']) expect((await client(`${list}?limit=${limit}`)).status).toBe(200)
  }
})

row('Limits | Idempotency record lifetime', '24 hours count from the first use, not from the latest', async () => {
  const sale = gateway.sale()
  const first = await gateway.post(sale, 'lifetime')
  for (const aheadMs of [12 * 60 * MINUTE_MS, 24 * 60 * MINUTE_MS - MINUTE_MS]) {
    gateway.clock.aheadMs = aheadMs
    expect((await gateway.post(sale, 'lifetime')).text).toBe(first.text)
  }
  gateway.clock.aheadMs = 24 * 60 * MINUTE_MS + MINUTE_MS
  const renewed = await gateway.post(sale, 'lifetime')
  expect(renewed.status).toBe(200)
  expect(renewed.body.id).not.toBe(first.body.id)
})

row('Limits | Idempotency record lifetime', 'a key has up to 255 characters', async () => {
  expect(await posted({}, 'k'.repeat(255))).toEqual([200])
  expect(await posted({}, 'k'.repeat(256))).toEqual([400, 'invalid_request', 'Idempotency-Key'])
  const headers = (length: number) => ({ headers: { 'idempotency-key': 'd'.repeat(length) } })
  const device = (label: string) => ({ body: { company_id: gateway.companyId, premises_code: 'KEYS', label } })
  const long = await client('/devices', { ...device('long key'), ...headers(256) })
  expect(long).toMatchObject(refused(400, 'invalid_request', 'Idempotency-Key'))
  expect((await client('/devices', { ...device('long key'), ...headers(255) })).status).toBe(201)
})

row('Limits | Sale age', 'a sale of 30 days is taken, and its deadline is 30 days after it', async () => {
  const occurred_at = inMs(-30 * DAY_MS + 5000)
  const sold = await gateway.sell({ occurred_at })
  const { body } = await client(`/invoices/${sold.id}`)
  expect(Date.parse(String(body.deadline_at))).toBe(Date.parse(occurred_at) + 30 * DAY_MS)
  const older = await posted({ occurred_at: inMs(-30 * DAY_MS - 1000) })
  expect(older).toEqual([400, 'hr.sale_older_than_30_days', 'occurred_at'])
})

row('Limits | Future dating', 'now is taken, three seconds later is not, in any offset', async () => {
  expect(await posted({ occurred_at: inMs(0) })).toEqual([200])
  const inFuture = [400, 'hr.date_in_future', 'occurred_at']
  expect(await posted({ occurred_at: inMs(3000) })).toEqual(inFuture)
  const shifted = (offset: string, hours: number) => inMs(3000 + hours * 60 * MINUTE_MS).replace('Z', offset)
  expect(await posted({ occurred_at: shifted('-08:00', -8) })).toEqual(inFuture)
  const past = inMs(-1000 + 14 * 60 * MINUTE_MS).replace('Z', '+14:00')
  expect(await posted({ occurred_at: past })).toEqual([200])
})

row('Limits | Cash and card totals', '10,000.00 EUR either way is taken, a cent more only of others', async () => {
  const outOfRange = [400, 'hr.amount_out_of_range', 'total']
  for (const payment_method of ['G', 'K']) {
    for (const total of ['10000.00', '-10000.00']) expect(await posted({ total, payment_method })).toEqual([200])
    for (const total of ['10000.01', '-10000.01']) expect(await posted({ total, payment_method })).toEqual(outOfRange)
  }
  expect(await posted({ total: '10000.01', payment_method: 'O' })).toEqual([200])
  expect(lastXml()).toContain('<tns:IznosUkupno>10000.01</tns:IznosUkupno>')
})

row('Limits | Premises code', 'it has 1 to 20 letters and digits of ASCII', async () => {
  const post = (premises_code: string, label: string) =>
    client('/devices', { body: { company_id: gateway.companyId, premises_code, label } })
  for (const code of ['0', 'aZ9', 'P'.repeat(20)]) expect((await post(code, `premises ${code}`)).status).toBe(201)
  for (const code of ['', 'P'.repeat(21), 'POS-1', 'POS 1', 'ŠIBENIK', 'POS_1', 'P1\n']) {
    expect(await post(code, 'x'), code).toMatchObject(refused(400, 'invalid_request', 'premises_code'))
  }
})

row('Limits | special_purpose', '1000 characters go to the tax authority, one more is refused', async () => {
  const text = 'č'.repeat(1000)
  expect(await posted({ special_purpose: text })).toEqual([200])
  expect(lastXml()).toContain(`<tns:SpecNamj>${text}</tns:SpecNamj>`)
  expect(await posted({ special_purpose: `${text}x` })).toEqual([400, 'invalid_request', 'special_purpose'])
})

row('Limits | Names (name of a fee or named tax)', '100 characters are taken, one more is refused', async () => {
  const name = 'ž'.repeat(100)
  const tax = { rate: '3.00', base: '1.00', amount: '0.03' }
  expect(await posted({ fees: [{ name, amount: '0.10' }], other_taxes: [{ name, ...tax }] })).toEqual([200])
  expect(lastXml()).toContain(`<tns:NazivN>${name}</tns:NazivN>`)
  expect(lastXml()).toContain(`<tns:Naziv>${name}</tns:Naziv>`)
  const fees = [{ name: `${name}x`, amount: '0.10' }]
  expect(await posted({ fees })).toEqual([400, 'invalid_request', 'fees[0].name'])
  const other_taxes = [{ name: `${name}x`, ...tax }]
  expect(await posted({ other_taxes })).toEqual([400, 'invalid_request', 'other_taxes[0].name'])
})

row('Limits | paragon_number', '100 characters are taken, one more is refused', async () => {
  const attended = { sale_type: 'attended', register_mark: '1', operator_oib: OIBS[1] }
  const paragon_number = 'P'.repeat(100)
  expect(await posted({ ...attended, paragon_number })).toEqual([200])
  expect(lastXml()).toContain(`<tns:ParagonBrRac>${paragon_number}</tns:ParagonBrRac>`)
  const longer = await posted({ ...attended, paragon_number: `${paragon_number}P` })
  expect(longer).toEqual([400, 'invalid_request', 'paragon_number'])
})

row('Limits | Company name, device label', '1 to 200 characters are taken', async () => {
  const [one, most] = ['Š', 'Š'.repeat(200)]
  const company = (name: string, oib: string = OIBS[2]) => client('/companies', { body: { name, oib } })
  for (const name of ['', `${most}x`]) {
    expect(await company(name)).toMatchObject(refused(400, 'invalid_request', 'name'))
  }
  expect(await company(most)).toMatchObject({ status: 201, body: { name: most } })
  expect(await company(one, '69435151530')).toMatchObject({ status: 201, body: { name: one } })

  const device = (label: string) =>
    client('/devices', { body: { company_id: gateway.companyId, premises_code: 'POSL1', label } })
  for (const label of ['', `${most}x`]) {
    expect(await device(label)).toMatchObject(refused(400, 'invalid_request', 'label'))
  }
  for (const label of [one, most]) expect(await device(label)).toMatchObject({ status: 201, body: { label } })
  const id = await gateway.addDevice()
  const change = (label: string) => client(`/devices/${id}`, { method: 'PATCH', body: { label } })
  expect(await change(`${most}x`)).toMatchObject(refused(400, 'invalid_request', 'label'))
})

row('Limits | Tax authority exchange', 'two attempts of 4 seconds each, and then the sale is answered', async () => {
  const own = await startGateway()
  own.cis.misbehave('timeout', 'timeout')
  const started = performance.now()
  const sold = await own.sell()
  const tookMs = performance.now() - started
  expect(sold).toMatchObject({ status: 'retrying', jir: null, fiscal_error: { code: 'upstream_unavailable' } })
  expect(tookMs).toBeGreaterThan(7900)
  expect(tookMs).toBeLessThan(60_000)
  const { messages } = await own.invoice(sold.id)
  expect(messages).toMatchObject([
    { attempt_no: 1, http_status: null, response_xml: null },
    { attempt_no: 2, http_status: null, response_xml: null },
  ])
  for (const { duration_ms } of messages as unknown as { duration_ms: number }[]) {
    expect(duration_ms).toBeGreaterThan(3900)
    expect(duration_ms).toBeLessThan(30_000)
  }
})

row('Limits | Retry sweep', 'it comes every five minutes and sends what is retrying', async () => {
  expect(readConfig({}).sweepIntervalMs).toBe(300_000)
  gateway.cis.misbehave('s006', 's006')
  const sold = await gateway.sell()
  expect(sold.status).toBe('retrying')
  await gateway.sweep()
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'confirmed', attempts: 3, late_delivery: true })
})

row('Limits | Fiscal health cache', 'an answer is known for about 15 seconds', async () => {
  const own = await startEmptyGateway()
  const checkedAt = async () => (await keyless(own, '/v1/health/fiscal')).body.checked_at
  const [first, shared] = await Promise.all([checkedAt(), checkedAt()])
  expect(shared).toBe(first)
  own.clock.aheadMs = 12_000
  expect(await checkedAt()).toBe(first)
  own.clock.aheadMs = 18_000
  expect(Date.parse(await checkedAt()) - Date.parse(first)).toBeGreaterThanOrEqual(18_000)
})

row('Limits | Allowed VAT rates', '0.00, 5.00, 13.00 and 25.00 are taken and sent, nothing between', async () => {
  for (const rate of ['0.00', '5.00', '13.00', '25.00']) {
    expect(await posted({ vat: [{ rate, base: '2.00', amount: '0.50' }] }), rate).toEqual([200])
    expect(lastXml()).toContain(`<tns:Stopa>${rate}</tns:Stopa>`)
  }
  for (const rate of ['0.01', '4.99', '5.01', '10.00', '12.99', '13.01', '24.99', '25.01', '-5.00', '100.00']) {
    const answer = await posted({ vat: [{ rate, base: '2.00', amount: '0.50' }] })
    expect(answer, rate).toEqual([400, 'hr.invalid_vat_rate', 'vat[0].rate'])
  }
})

row('Limits | Consumption tax rate', '0.00 to 3.00 are taken, nothing outside', async () => {
  const line = (rate: string) => ({ consumption_tax: [{ rate, base: '2.00', amount: '0.06' }] })
  for (const rate of ['0.00', '0.01', '1.50', '3.00']) {
    expect(await posted(line(rate)), rate).toEqual([200])
    expect(lastXml()).toContain(`<tns:Stopa>${rate}</tns:Stopa>`)
  }
  for (const rate of ['-0.01', '3.01', '25.00']) {
    expect(await posted(line(rate)), rate).toEqual([400, 'hr.invalid_pnp_rate', 'consumption_tax[0].rate'])
  }
})

row(
  'Limits | Certificate expiring threshold',
  'under 60 days it is expiring, with 60 or more it is valid',
  async () => {
    const companyId = await addCompany(gateway, OIBS[1])
    const shown = async () => {
      const { body } = await client(`/certificates?company_id=${companyId}`)
      const company = (await client('/companies')).body.data.find(({ id }) => id === companyId)
      return {
        status: body.data[0]?.status,
        days: body.data[0]?.days_until_expiry,
        company: company?.certificate_status,
      }
    }
    const { body } = await client(`/certificates?company_id=${companyId}`)
    const untilThreshold = Date.parse(String(body.data[0]?.not_after)) - 60 * DAY_MS - Date.now()
    gateway.clock.aheadMs = untilThreshold - MINUTE_MS
    expect(await shown()).toEqual({ status: 'valid', days: 60, company: 'valid' })
    gateway.clock.aheadMs = untilThreshold + MINUTE_MS
    expect(await shown()).toEqual({ status: 'expiring', days: 59, company: 'expiring' })
    const expiring = await client(`/certificates?company_id=${companyId}&status=expiring`)
    expect(expiring.body.data).toHaveLength(1)
  },
)

row('Limits | Currency', 'EUR is the default and the only one', async () => {
  const [named, unnamed] = [await gateway.sell({ currency: 'EUR' }), await gateway.sell()]
  expect([named, unnamed]).toMatchObject([{ currency: 'EUR' }, { currency: 'EUR' }])
  for (const currency of ['HRK', 'USD', 'eur', 'EURO', '', 978]) {
    expect(await posted({ currency }), String(currency)).toEqual([400, 'invalid_request', 'currency'])
  }
})
