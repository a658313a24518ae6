import { beforeAll, expect } from 'vitest'
import { type Gateway, startEmptyGateway, startSharedGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { type Ask, clientOf, frozen, importForm, keyless, type Options, refused, signIn } from './support-endpoints.ts'

let gateway: Gateway
let client: Ask
beforeAll(async () => {
  gateway = await startSharedGateway()
  client = await clientOf(gateway)
})

const KEYLESS = ['/v1/health', '/v1/health/fiscal', '/v1/countries/HR/schemas']

const WITH_A_KEY: [string, string][] = [
  ['POST', '/v1/invoices'],
  ['GET', '/v1/invoices'],
  ['GET', '/v1/invoices/inv_1'],
  ['POST', '/v1/invoices/inv_1/retry'],
  ['GET', '/v1/companies'],
  ['POST', '/v1/companies'],
  ['PATCH', '/v1/companies/1'],
  ['GET', '/v1/devices'],
  ['POST', '/v1/devices'],
  ['PATCH', '/v1/devices/1'],
  ['POST', '/v1/devices/import'],
  ['GET', '/v1/certificates'],
  ['POST', '/v1/certificates'],
  ['GET', '/v1/countries'],
]

row('Headers | Authorization: Bearer <API_KEY>', 'every endpoint but three refuses who sends none', async () => {
  for (const [method, path] of WITH_A_KEY) {
    const answer = await keyless(gateway, path, { method })
    expect(answer, `${method} ${path}`).toMatchObject(refused(401, 'invalid_api_key', 'Authorization'))
  }
  for (const path of KEYLESS) expect(await keyless(gateway, path), path).toMatchObject({ status: 200 })
})

row('Headers | Authorization: Bearer <API_KEY>', 'every endpoint but three refuses a key that is none', async () => {
  for (const authorization of ['', `Bearer ${gateway.key}x`, gateway.key, `Basic ${gateway.key}`]) {
    for (const [method, path] of WITH_A_KEY) {
      const answer = await keyless(gateway, path, { method, headers: { authorization } })
      expect(answer, `${method} ${path}`).toMatchObject(refused(401, 'invalid_api_key', 'Authorization'))
    }
  }
  const headers = { authorization: 'Bearer nonsense' }
  for (const path of KEYLESS) expect(await keyless(gateway, path, { headers }), path).toMatchObject({ status: 200 })
  const accepted = await keyless(gateway, '/v1/invoices', { headers: { authorization: `Bearer ${gateway.key}` } })
  expect(accepted.status).toBe(200)
})

row('Headers | Authorization: Bearer <API_KEY>', 'somebody who signed in to the dashboard needs none', async () => {
  const session = await signIn(gateway, 'ana@example.hr')
  expect((await keyless(gateway, '/v1/invoices', { headers: session })).status).toBe(200)
  const ended = await keyless(gateway, '/dashboard/session', { method: 'DELETE', headers: session })
  expect(ended.status).toBe(204)
  expect((await keyless(gateway, '/v1/invoices', { headers: session })).status).toBe(401)
})

row('Headers | Idempotency-Key', 'a sale without one is refused', async () => {
  const before = gateway.cis.received.length
  const answer = await client('/invoices', { body: gateway.sale() })
  expect(answer).toMatchObject(refused(400, 'missing_idempotency_key', 'Idempotency-Key'))
  expect(gateway.cis.received).toHaveLength(before)
})

row('Headers | Idempotency-Key', 'every other POST does without, and honours one in the same way', async () => {
  gateway.cis.misbehave({ error: 's001' })
  const failed = await gateway.sell()
  const { p12, passphrase } = await certificateOf(OIBS[0])
  const upload = (label: string) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ company_id: gateway.companyId, passphrase, label }))
      form.set(name, value)
    form.set('file', new Blob([new Uint8Array(p12)]), 'certificate.p12')
    return frozen(form)
  }
  const devices = importForm(gateway.companyId, 'label,premises_code\nsvaki put,POSL1\n')
  const posts: [path: string, status: number, request: Options, other: Options][] = [
    ['/companies', 201, { body: { name: 'Nova', oib: OIBS[2] } }, { body: { oib: OIBS[2], name: 'Nova' } }],
    [
      '/devices',
      201,
      { body: { company_id: gateway.companyId, premises_code: 'POSL1', label: 'jednom' } },
      { body: { company_id: gateway.companyId, premises_code: 'POSL1', label: 'dvaput' } },
    ],
    [
      '/devices/import',
      200,
      await frozen(devices),
      await frozen(importForm(gateway.companyId, 'label,premises_code\n')),
    ],
    ['/certificates', 201, await upload('prvi'), await upload('drugi')],
    [`/invoices/${failed.id}/retry`, 200, { method: 'POST' }, { body: {} }],
  ]
  for (const [i, [path, status, request, other]] of posts.entries()) {
    const ask = ({ headers, ...rest }: Options) =>
      client(path, { ...rest, headers: { ...headers, 'idempotency-key': `post-${i}` } })
    const first = await ask(request)
    expect(first.status, `${path}: ${first.text}`).toBe(status)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    const second = await ask(request)
    expect(second.headers['idempotent-replayed'], path).toBe('true')
    expect([second.status, second.text]).toEqual([status, first.text])
    expect(await ask(other), path).toMatchObject(refused(409, 'idempotency_key_reused', 'Idempotency-Key'))
  }
  const { data: rows } = (await client('/devices?premises_code=POSL1')).body
  expect(rows.map(({ label }) => label).sort()).toEqual(['jednom', 'machine', 'svaki put'])
  expect((await client('/certificates')).body.data).toHaveLength(2)
  expect((await gateway.invoice(failed.id)).attempts).toBe(2)
  for (const oib of [OIBS[1], '69435151530']) {
    expect((await client('/companies', { body: { name: 'Bez ključa', oib } })).status).toBe(201)
  }
})

row(
  'Headers | Content-Type',
  'a body is JSON, on the two uploads multipart, and anything else is refused',
  async () => {
    const sale = JSON.stringify(gateway.sale())
    const post = (type: string, path = '/invoices', body: unknown = sale) =>
      client(path, { body, headers: { 'content-type': type, 'idempotency-key': `type ${type}` } })
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
      expect((await post(type)).status, type).toBe(200)
    }
    const wrong = refused(400, 'invalid_request', 'Content-Type')
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'text/json',
      'nonsense',
    ]) {
      expect(await post(type), type).toMatchObject(wrong)
      expect(await post(type, '/companies', '{}'), type).toMatchObject(wrong)
      expect(await post(type, '/devices/import', 'label'), type).toMatchObject(wrong)
    }
    for (const path of ['/devices/import', '/certificates']) {
      expect(await client(path, { body: { company_id: gateway.companyId } }), path).toMatchObject(wrong)
    }
    const form = importForm(gateway.companyId, 'label,premises_code\n')
    expect((await client('/devices/import', { body: form })).status).toBe(200)
  },
)

row('Headers | Content-Type', 'multipart is refused where JSON is wanted', async () => {
  const body = importForm(gateway.companyId, 'label,premises_code\n')
  for (const path of ['/invoices', '/companies', '/devices']) {
    const answer = await client(path, { body, headers: { 'idempotency-key': 'form' } })
    expect(answer, path).toMatchObject(refused(400, 'invalid_request', 'Content-Type'))
  }
})

row('Headers | Content-Type', 'every answer is JSON in UTF-8', async () => {
  const form = importForm(gateway.companyId, 'label,premises_code\n')
  const answers = [
    await gateway.post(),
    await gateway.post({ total: 1 }),
    await client('/invoices'),
    await client('/companies'),
    await client('/devices/import', { body: form }),
    await client('/countries'),
    await client('/nothing'),
    await keyless(gateway, '/v1/health'),
    await keyless(gateway, '/v1/invoices', { headers: { authorization: '' } }),
  ]
  const types = answers.map(({ headers }) => headers['content-type'])
  expect(new Set(types)).toEqual(new Set(['application/json; charset=utf-8']))
})

row('Headers | X-Request-Id', 'the id that was sent comes back, on refusals too', async () => {
  const headers = { 'x-request-id': 'kavomat-7/2026.01' }
  const answers = [
    await client('/invoices', { headers }),
    await client('/nothing', { headers }),
    await client('/invoices', { body: '{', headers: { ...headers, 'idempotency-key': 'broken' } }),
    await keyless(gateway, '/v1/health', { headers }),
    await keyless(gateway, '/v1/invoices', { headers: { ...headers, authorization: '' } }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([200, 404, 400, 200, 401])
  for (const answer of answers) expect(answer.headers['x-request-id']).toBe('kavomat-7/2026.01')
})

row('Headers | X-Request-Id', 'who sends none gets a new one each time', async () => {
  const answers = [await client('/invoices'), await client('/nothing'), await keyless(gateway, '/v1/health')]
  const ids = answers.map(({ headers }) => headers['x-request-id'])
  for (const id of ids) expect(id).toMatch(/^\S{8,}$/)
  expect(new Set(ids).size).toBe(3)
})

row('Headers | X-Include-Messages', 'on a sale and on a retry it does what the parameter does', async () => {
  const body = gateway.sale()
  const wanted = { 'x-include-messages': 'true' }
  gateway.cis.misbehave({ error: 's001' })
  const sold = await client('/invoices', { body, headers: { ...wanted, 'idempotency-key': 'with' } })
  expect(sold.body.messages).toMatchObject([{ attempt_no: 1, error_code: 'upstream_rejected' }])
  const query = await client('/invoices?include_messages=true', { body, headers: { 'idempotency-key': 'with' } })
  expect([query.text, query.headers['idempotent-replayed']]).toEqual([sold.text, 'true'])
  const neither = await client('/invoices', { body, headers: { 'idempotency-key': 'with' } })
  expect(neither.body).toMatchObject({ id: sold.body.id })
  expect(neither.body).not.toHaveProperty('messages')

  const retried = await client(`/invoices/${sold.body.id}/retry`, { method: 'POST', headers: wanted })
  expect(retried.body.messages).toMatchObject([{ attempt_no: 1 }, { attempt_no: 2, error_code: null }])
  // The header belongs to POSTs; a GET is asked by its query.
  expect((await client(`/invoices/${sold.body.id}`, { headers: wanted })).body).not.toHaveProperty('messages')
  const asked = await client(`/invoices/${sold.body.id}?include_messages=true`)
  expect(asked.body.messages).toHaveLength(2)
})

row('Headers | X-Include-Messages', 'it is never a field of the body', async () => {
  const answer = await gateway.post({ include_messages: true })
  expect(answer).toMatchObject(refused(400, 'invalid_request', 'include_messages'))
})

row(
  'Headers | RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'every response says what is left of the budget it counts against',
  async () => {
    const reset = (value: unknown) => expect(Number(value) >= 0 && Number(value) <= 60, String(value)).toBe(true)
    const mine = await clientOf(gateway)
    const answers = [
      await mine('/invoices'),
      await mine('/invoices/inv_nothing'),
      await mine('/invoices', { body: gateway.sale() }),
      await mine('/invoices', { body: gateway.sale(), headers: { 'idempotency-key': 'counted' } }),
      await mine('/countries'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 200, 200])
    const remaining = answers.map(({ headers }) => headers['ratelimit-remaining'])
    expect(remaining).toEqual(['19999', '19998', '19997', '19996', '19995'])
    for (const { headers } of answers) {
      expect(headers['ratelimit-limit']).toBe('20000')
      expect(headers['ratelimit-reset']).toMatch(/^\d+$/)
      reset(headers['ratelimit-reset'])
    }
    const others = [
      await keyless(gateway, '/v1/health'),
      await keyless(gateway, '/v1/health/fiscal'),
      await keyless(gateway, '/v1/countries/HR/schemas'),
      await keyless(gateway, '/v1/invoices', { headers: { authorization: '' } }),
      await keyless(gateway, '/v1/nothing'),
      await keyless(gateway, '/v1/%'),
    ]
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 401, 404, 400])
    for (const { headers } of others) {
      expect(headers['ratelimit-limit']).toBe('20000')
      expect(Number(headers['ratelimit-remaining'])).toBeLessThan(20_000)
      reset(headers['ratelimit-reset'])
    }
  },
)

row('Headers | Retry-After', 'a 429 says in how many seconds to come back, and a 200 does not', async () => {
  const limited = await clientOf(await startEmptyGateway({ RATE_LIMIT_PER_MINUTE: '2' }))
  const answers = [await limited('/invoices'), await limited('/invoices'), await limited('/invoices')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  const [first, second, third] = answers.map(({ headers }) => headers['retry-after'])
  expect([first, second]).toEqual([undefined, undefined])
  expect(third).toMatch(/^\d+$/)
  expect(Number(third)).toBeGreaterThanOrEqual(1)
  expect(Number(third)).toBeLessThanOrEqual(60)
  expect(answers[2]?.headers['ratelimit-remaining']).toBe('0')
})

row('Headers | Idempotent-Replayed', 'it is true on what comes from the store, and absent otherwise', async () => {
  const sale = gateway.sale()
  const first = await gateway.post(sale, 'replayed')
  const second = await gateway.post(sale, 'replayed')
  const refusedOne = await gateway.post({ ...sale, total: '9.00' }, 'replayed')
  expect([first.status, second.status, refusedOne.status]).toEqual([200, 200, 409])
  expect(first.headers).not.toHaveProperty('idempotent-replayed')
  expect(second.headers['idempotent-replayed']).toBe('true')
  expect(refusedOne.headers).not.toHaveProperty('idempotent-replayed')
  expect((await client('/invoices')).headers).not.toHaveProperty('idempotent-replayed')
})
