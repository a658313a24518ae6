import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addCompany, type Gateway, startGateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

interface List {
  data: { id: string; occurred_at: string; status: string; label?: string }[]
  has_more: boolean
  next_cursor: string | null
}

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const list = async (path: string, house = gateway) => (await house.admin<List>(`/v1${path}`)).body
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

/** Follows the cursors to the end. */
async function pages(path: string, house = gateway): Promise<string[][]> {
  const found: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: List = await list(`${path}&${cursor && `cursor=${cursor}`}`, house)
    expect(page.has_more).toBe(page.next_cursor !== null)
    found.push(page.data.map(({ id }) => id))
    cursor = page.next_cursor
  }
  return found
}

test('pages hold every invoice once, the latest sale first, also where many were sold in the same moment', async () => {
  const house = await startGateway()
  const same = ago(60)
  const times = [ago(10), same, same, same, same, ago(90), ago(5)]
  const ids = new Map<string, string>()
  for (const occurred_at of times) ids.set((await house.sell({ occurred_at })).id, occurred_at)
  const found = await pages('/invoices?limit=2', house)
  expect(found.map((page) => page.length)).toEqual([2, 2, 2, 1])
  expect(new Set(found.flat())).toEqual(new Set(ids.keys()))
  const order = found.flat().map((id) => Date.parse(ids.get(id) ?? ''))
  expect(order).toEqual(order.toSorted((a, b) => b - a))
})

test('sales that come in between pages move nothing', async () => {
  const house = await startGateway()
  const sold = []
  for (const seconds of [10, 20, 30, 40]) sold.push((await house.sell({ occurred_at: ago(seconds) })).id)
  const first = await list('/invoices?limit=2', house)
  await house.sell({ occurred_at: ago(1) })
  await house.sell({ occurred_at: ago(15) })
  const second = await list(`/invoices?limit=2&cursor=${first.next_cursor}`, house)
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(sold)
  expect(second).toMatchObject({ has_more: false, next_cursor: null })
})

test('companies and devices come in pages, the oldest first', async () => {
  const house = await startGateway()
  for (const oib of [OIBS[1], OIBS[2]]) await house.admin('/v1/companies', { body: { name: 'X', oib } })
  for (const label of ['a', 'b', 'c']) await house.addDevice({ label })
  expect((await pages('/companies?limit=1', house)).length).toBe(3)
  const labels = (await list('/devices', house)).data.map(({ label }) => label)
  expect(labels).toEqual(['machine', 'a', 'b', 'c'])
  expect((await pages('/devices?limit=3', house)).map((page) => page.length)).toEqual([3, 1])
})

test('a cursor belongs to the list that made it', async () => {
  await gateway.addDevice()
  const { next_cursor } = await list('/devices?limit=1')
  for (const path of ['/invoices', '/companies']) {
    const answer = await gateway.admin(`/v1${path}?cursor=${next_cursor}`)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: 'cursor' } } })
  }
})

test.each([
  ['nothing', ''],
  ['words', 'next'],
  ['base64 of something else', Buffer.from('invoices').toString('base64url')],
  ['a place that is none', Buffer.from('invoices -1 x').toString('base64url')],
  ['a place with a line feed', Buffer.from('invoices 1 x\n').toString('base64url')],
  ['a place with an id of 10,000 characters', Buffer.from(`invoices 1 ${'x'.repeat(10_000)}`).toString('base64url')],
  ['a place in SQL', Buffer.from("invoices 1 ');DROP TABLE invoices--").toString('base64url')],
  ['padding that was not sent', `${Buffer.from('invoices 1 xy').toString('base64')}=`],
  ['NUL', '%00'],
])('a cursor of %s is refused', async (_what, cursor) => {
  const answer = await gateway.admin(`/v1/invoices?cursor=${cursor}`)
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: 'cursor' } } })
})

test.each(['0', '201', '-1', '1.5', '1e2', '0x10', ' 5', '', '٥', '50&limit=50'])(
  'limit=%s is refused',
  async (limit) => {
    const answer = await gateway.admin(
      `/v1/invoices?limit=${encodeURIComponent(limit).replace('%26', '&').replace('%3D', '=')}`,
    )
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: 'limit' } } })
  },
)

test.each([
  ['/invoices?status=open', 'status'],
  ['/invoices?device_id=1', 'device_id'],
  ['/invoices?from=2026-01-01', 'from'],
  ['/invoices?from=2026-01-01T00:00:00+01:00', 'from'],
  ['/invoices?to=now', 'to'],
  ['/invoices?statuss=failed', 'statuss'],
  ['/companies?status=deleted', 'status'],
  ['/devices?isu_status=none', 'isu_status'],
  ['/devices?company_id=x', 'company_id'],
  ['/certificates?status=missing', 'status'],
  ['/certificates?limit=5', 'limit'],
])('%s is refused by name', async (path, param) => {
  const answer = await gateway.admin(`/v1${path}`)
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param } } })
})

test('filters of devices combine with AND', async () => {
  const house = await startGateway()
  const other = await addCompany(house, OIBS[1])
  await house.addDevice({ label: 'a', premises_code: 'P1', isu_number: '201' })
  await house.addDevice({ label: 'b', premises_code: 'P1' })
  await house.addDevice({ label: 'c', premises_code: 'P1', company_id: other })
  await house.addDevice({ label: 'd', premises_code: 'p1' })
  const labels = async (query: string) => (await list(`/devices?${query}`, house)).data.map(({ label }) => label)
  expect(await labels('premises_code=P1')).toEqual(['a', 'b', 'c'])
  expect(await labels(`premises_code=P1&company_id=${house.companyId.toUpperCase()}`)).toEqual(['a', 'b'])
  expect(await labels('premises_code=P1&isu_status=assigned')).toEqual(['a'])
  expect(await labels('isu_status=mismatch')).toEqual([])
  expect(await labels('premises_code=%00')).toEqual([])
  expect(await labels('status=archived')).toEqual([])
})

test('a key bound to a device lists its own sales, its own device and its own company only', async () => {
  const house = await startGateway()
  await addCompany(house, OIBS[1])
  await house.sell()
  const device = await house.addDevice({ isu_number: '202' })
  const key = await house.createKey({ device_id: device, scopes: ['invoices:write', 'invoices:read', 'fleet:read'] })
  const headers = { authorization: `Bearer ${key}` }
  const sold = await house.v1('/invoices', {
    body: house.sale({ device_id: device }),
    headers: { ...headers, 'idempotency-key': randomUUID() },
  })
  const ids = async (path: string) =>
    ((await house.v1(path, { headers })).body as never as List).data.map(({ id }) => id)
  expect(await ids('/invoices')).toEqual([sold.body.id])
  expect(await ids(`/invoices?device_id=${house.deviceId}`)).toEqual([])
  expect(await ids('/devices')).toEqual([device])
  expect(await ids('/companies')).toEqual([house.companyId])
})

test('a revoked key is refused from the next request on, and is listed as revoked', async () => {
  const key = await gateway.createKey({ name: 'lost' })
  const headers = { authorization: `Bearer ${key}` }
  expect((await gateway.v1('/invoices', { headers })).status).toBe(200)
  type Keys = { data: { id: string; name: string; revoked_at: string | null }[] }
  const lost = async () => (await gateway.admin<Keys>('/admin/keys')).body.data.find(({ name }) => name === 'lost')
  const before = await lost()
  await gateway.admin(`/admin/keys/${before?.id}/revoke`, { method: 'POST' })
  const answer = await gateway.v1('/invoices', { headers })
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'api_key_revoked' } } })
  const after = await lost()
  expect([before?.revoked_at, typeof after?.revoked_at]).toEqual([null, 'string'])
  expect(JSON.stringify(await gateway.admin('/admin/keys'))).not.toContain(key)
})
