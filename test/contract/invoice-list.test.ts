import { beforeAll, expect } from 'vitest'
import { addCompany, type Gateway, type InvoiceBody, startGateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { type Ask, clientOf, DAY_MS, inMs, keyless, refused } from './support-endpoints.ts'

let gateway: Gateway
let client: Ask
/** Sales by what is told of them, the oldest first. */
let sales: Record<'first' | 'twin' | 'otherPremises' | 'otherCompany' | 'latest', InvoiceBody>
let otherDevice: string
let otherCompany: string
let otherCompanyDevice: string

/** A midnight in UTC, around which all sales happen. */
const MIDNIGHT_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS
const at = (ms: number) => new Date(MIDNIGHT_MS + ms).toISOString()

beforeAll(async () => {
  gateway = await startSharedGateway()
  client = await clientOf(gateway)
  otherDevice = await gateway.addDevice({ premises_code: 'posl1', isu_number: '201' })
  otherCompany = await addCompany(gateway, OIBS[1])
  const device = { company_id: otherCompany, isu_number: '202' }
  otherCompanyDevice = await gateway.addDevice(device)
  // Not in the order of their moments.
  const latest = await gateway.sell({ occurred_at: at(3000) })
  const first = await gateway.sell({ occurred_at: at(0) })
  const otherPremises = await gateway.sell({ occurred_at: at(1000), device_id: otherDevice })
  const twin = await gateway.sell({ occurred_at: at(0).replace('Z', '+00:00') })
  const foreign = await gateway.sell({ occurred_at: at(2000), device_id: otherCompanyDevice })
  sales = { first, twin, otherPremises, otherCompany: foreign, latest }
})

type Name = keyof typeof sales
const ids = (...names: Name[]) => names.map((name) => sales[name].id)

async function listed(query: Record<string, string>): Promise<string[]> {
  const { status, body, text } = await client(`/invoices?${new URLSearchParams(query)}`)
  expect(status, text).toBe(200)
  return body.data.map(({ id }) => id)
}

const sorted = (list: string[]) => [...list].sort()

row('GET /v1/invoices | company_id, device_id', 'only the sales of that company or device are listed', async () => {
  expect(await listed({ company_id: otherCompany })).toEqual(ids('otherCompany'))
  expect(await listed({ device_id: otherDevice })).toEqual(ids('otherPremises'))
  expect(sorted(await listed({ device_id: gateway.deviceId }))).toEqual(sorted(ids('first', 'twin', 'latest')))
  expect(sorted(await listed({ company_id: gateway.companyId }))).toEqual(
    sorted(ids('first', 'twin', 'otherPremises', 'latest')),
  )
  expect(await listed({ company_id: otherCompany.toUpperCase() })).toEqual(ids('otherCompany'))
})

row('GET /v1/invoices | company_id, device_id', 'filters combine with AND', async () => {
  expect(await listed({ company_id: otherCompany, device_id: otherDevice })).toEqual([])
  expect(await listed({ company_id: gateway.companyId, device_id: otherDevice })).toEqual(ids('otherPremises'))
  const one = { company_id: gateway.companyId, premises_code: 'POSL1', status: 'confirmed', from: at(1), to: at(9000) }
  expect(await listed(one)).toEqual(ids('latest'))
})

row(
  'GET /v1/invoices | company_id, device_id',
  'what is no UUID is refused, an unknown one finds nothing',
  async () => {
    for (const param of ['company_id', 'device_id']) {
      expect(await client(`/invoices?${param}=1`)).toMatchObject(refused(400, 'invalid_request', param))
      expect(await listed({ [param]: '00000000-0000-4000-8000-000000000000' })).toEqual([])
    }
  },
)

row('GET /v1/invoices | premises_code', 'only the sales of premises with exactly this code are listed', async () => {
  expect(await listed({ premises_code: 'posl1' })).toEqual(ids('otherPremises'))
  expect(sorted(await listed({ premises_code: 'POSL1' }))).toEqual(
    sorted(ids('first', 'twin', 'otherCompany', 'latest')),
  )
  expect(await listed({ premises_code: 'POSL' })).toEqual([])
})

row('GET /v1/invoices | status', 'each of the five statuses can be asked for', async () => {
  const own = await startGateway()
  const headers = { authorization: `Bearer ${own.key}` }
  const having = async (status: string) => {
    const { body } = await keyless(own, `/v1/invoices?status=${status}`, { headers })
    for (const invoice of body.data) expect(invoice.status).toBe(status)
    return body.data.map(({ id }) => id)
  }
  own.cis.misbehave('s006', 's006', 's006', 's006', { error: 's001' })
  const old = await own.sell({ occurred_at: inMs(-29.9 * DAY_MS) })
  const retrying = await own.sell()
  const failed = await own.sell()
  expect(await having('retrying')).toEqual([retrying.id, old.id])
  expect(await having('failed')).toEqual([failed.id])
  expect(await having('expired')).toEqual([])

  own.cis.misbehave({ delayMs: 1000 })
  const before = own.cis.received.length
  const selling = own.sell()
  while (own.cis.received.length === before) await new Promise((resolve) => setTimeout(resolve, 5))
  const [pending, confirmed] = [await having('pending'), await having('confirmed')]
  const sold = await selling
  expect([pending, confirmed]).toEqual([[sold.id], []])
  expect([await having('pending'), await having('confirmed')]).toEqual([[], [sold.id]])

  own.clock.aheadMs = DAY_MS
  expect(await having('expired')).toEqual([old.id])
  expect(await having('retrying')).toEqual([retrying.id])
  expect(await having('failed')).toEqual([failed.id])
})

row('GET /v1/invoices | status', 'any other is refused', async () => {
  for (const status of ['done', 'Confirmed', '']) {
    expect(await client(`/invoices?status=${status}`)).toMatchObject(refused(400, 'invalid_request', 'status'))
  }
})

row('GET /v1/invoices | from, to', '`from` is inclusive, `to` exclusive, to the millisecond', async () => {
  expect(sorted(await listed({ from: at(0), to: at(1) }))).toEqual(sorted(ids('first', 'twin')))
  expect(await listed({ from: at(1), to: at(1000) })).toEqual([])
  expect(await listed({ from: at(1000), to: at(1001) })).toEqual(ids('otherPremises'))
  expect(await listed({ from: at(2000) })).toEqual(ids('latest', 'otherCompany'))
  expect(sorted(await listed({ to: at(1000) }))).toEqual(sorted(ids('first', 'twin')))
  expect(await listed({ from: at(3001) })).toEqual([])
  expect(await listed({ from: at(2000), to: at(2000) })).toEqual([])
})

row('GET /v1/invoices | from, to', 'an offset of any kind means the same moment', async () => {
  const later = new Date(MIDNIGHT_MS + 3000 + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  expect(await listed({ from: later })).toEqual(ids('latest'))
  const earlier = new Date(MIDNIGHT_MS + 3000 - 5.5 * 3_600_000).toISOString().replace('Z', '-05:30')
  expect(await listed({ from: earlier, to: at(4000) })).toEqual(ids('latest'))
})

row('GET /v1/invoices | from, to', 'a time without an offset is refused', async () => {
  for (const param of ['from', 'to']) {
    for (const time of ['2026-01-31T10:00:00', '2026-01-31', '1769850000', 'yesterday', '2026-02-30T10:00:00Z']) {
      const answer = await client(`/invoices?${new URLSearchParams({ [param]: time })}`)
      expect(answer, time).toMatchObject(refused(400, 'invalid_request', param))
    }
  }
})

row('GET /v1/invoices | limit', 'the newest sales come first, as many as were asked for', async () => {
  const all = await listed({})
  expect(all.slice(0, 3)).toEqual(ids('latest', 'otherCompany', 'otherPremises'))
  expect(sorted(all.slice(3))).toEqual(sorted(ids('first', 'twin')))
  const { body } = await client('/invoices?limit=2')
  expect(body).toMatchObject({ object: 'list', has_more: true, next_cursor: expect.any(String) })
  expect(body.data.map(({ id }) => id)).toEqual(ids('latest', 'otherCompany'))
  expect((await client('/invoices?limit=5')).body).toMatchObject({ has_more: false, next_cursor: null })
  expect((await client('/invoices?limit=4')).body).toMatchObject({ has_more: true })
})

row('GET /v1/invoices | limit', 'it is 1 to 200, and 50 when it is left out', async () => {
  const { count, own, key } = await fiftyOne()
  const list = (query: string) => keyless(own, `/v1/invoices${query}`, { headers: { authorization: `Bearer ${key}` } })
  expect((await list('')).body.data).toHaveLength(50)
  expect((await list('')).body.has_more).toBe(true)
  expect((await list('?limit=1')).body.data).toHaveLength(1)
  const whole = await list('?limit=200')
  expect([whole.status, whole.body.data.length, whole.body.has_more]).toEqual([200, count, false])
  for (const limit of ['0', '201', '-1', '1.5', 'ten', '', '1e2']) {
    expect(await list(`?limit=${limit}`), limit).toMatchObject(refused(400, 'invalid_request', 'limit'))
  }
})

/** A gateway of its own with one sale more than fit on a page. */
async function fiftyOne(): Promise<{ own: Gateway; key: string; count: number }> {
  const own = await startGateway()
  for (let i = 0; i < 51; i += 17) await Promise.all(Array.from({ length: 17 }, () => own.sell()))
  return { own, key: own.key, count: 51 }
}

row('GET /v1/invoices | cursor', 'page after page shows every sale once, newest first', async () => {
  const whole = await listed({})
  for (const limit of [1, 2, 3]) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) })
      const { body } = await client(`/invoices?${query}`)
      expect(body.data.length).toBeLessThanOrEqual(limit)
      expect(body.has_more).toBe(body.next_cursor !== null)
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.next_cursor
    } while (cursor !== null && seen.length < 20)
    expect(seen).toEqual(whole)
  }
})

row('GET /v1/invoices | cursor', 'it goes with the filters', async () => {
  const filter = { company_id: gateway.companyId, limit: '2' }
  const { body } = await client(`/invoices?${new URLSearchParams(filter)}`)
  expect(body.data.map(({ id }) => id)).toEqual(ids('latest', 'otherPremises'))
  const rest = await listed({ ...filter, cursor: String(body.next_cursor) })
  expect(sorted(rest)).toEqual(sorted(ids('first', 'twin')))
})

row('GET /v1/invoices | cursor', 'a sale that comes in between moves no page', async () => {
  const own = await startGateway()
  const [, , older] = [await own.sell(), await own.sell(), await own.sell({ occurred_at: inMs(-60_000) })]
  const first = await keyless(own, '/v1/invoices?limit=2', { headers: { authorization: `Bearer ${own.key}` } })
  await own.sell()
  const next = `/v1/invoices?limit=2&cursor=${encodeURIComponent(String(first.body.next_cursor))}`
  const second = await keyless(own, next, { headers: { authorization: `Bearer ${own.key}` } })
  expect(second.body.data.map(({ id }) => id)).toEqual([older.id])
  expect(second.body).toMatchObject({ has_more: false, next_cursor: null })
})

row('GET /v1/invoices | cursor', 'one that was made up is refused', async () => {
  const { body } = await client('/invoices?limit=1')
  for (const cursor of ['x', '1', `x${body.next_cursor}`, String(body.next_cursor).slice(2), '%00', '']) {
    const answer = await client(`/invoices?cursor=${cursor}`)
    expect(answer, cursor).toMatchObject(refused(400, 'invalid_request', 'cursor'))
  }
})

row('GET /v1/invoices | company_id, device_id', 'the list ends at the mode and the tenant of the key', async () => {
  const live = await clientOf(gateway, { mode: 'live' })
  expect((await live('/invoices')).body.data).toEqual([])
  await gateway.admin('/admin/tenants', { body: { name: 'susjed' } })
  const made = await gateway.admin('/admin/keys', { body: { mode: 'test' }, headers: { 'x-tenant': 'susjed' } })
  const headers = { authorization: `Bearer ${made.body.key}` }
  expect(made.status).toBe(201)
  for (const query of ['', `?company_id=${gateway.companyId}`, `?device_id=${gateway.deviceId}`]) {
    expect((await keyless(gateway, `/v1/invoices${query}`, { headers })).body).toMatchObject({
      object: 'list',
      data: [],
    })
  }
})
