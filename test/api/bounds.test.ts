import fastify from 'fastify'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { handleErrors } from '../../src/api/errors.ts'
import { type Count, createRateLimiters, createUploadLimit } from '../../src/api/rate-limits.ts'
import { API_BOUNDS } from '../../src/contract/v1/bounds.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { clientNetwork } from '../../src/daemon/http/connection-limit.ts'
import { bytesOf } from '../../src/domain/json-limits.ts'
import { formatMoney } from '../../src/domain/money.ts'
import { pageOf } from '../../src/fiscal/list-page.ts'
import { type Ask, clientOf, DAY_MS, importForm, inMs } from '../contract/support-endpoints.ts'
import { type Bring, TAKEN, testBounds } from '../support/bounds.ts'
import type { Answer } from '../support/call.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { rowCounts } from '../support/row-counts.ts'

let gateway: Gateway
let client: Ask
let deviceId: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  // The first proven answer asks for a pass over the alerts, which takes a lease.
  await gateway.sell()
  await gateway.watch()
  client = await clientOf(gateway)
  deviceId = await gateway.addDevice({ premises_code: 'BOUNDS', isu_number: '7' })
})

type Refusal = { error?: { code: string; param: string | null } }

/** What becomes of a request that is right but for its size. */
function said({ status, body }: Answer<Refusal>): string {
  return status < 300 ? TAKEN : `${status} ${body.error?.code}`
}

/** What becomes of one that is refused for something else, as soon as it has been read so far. */
function saidBut(params: string[], answer: Answer<Refusal>): string {
  const isForThat = answer.status !== 413 && params.includes(answer.body.error?.param ?? '')
  return isForThat ? TAKEN : said(answer)
}

const x = (count: number) => 'x'.repeat(count)
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const ITEM = { name: 'x', quantity: '1', unit_price: '2.50', amount: '2.50' }
const sale = async (changes: object) => said(await gateway.post(changes))
const attended = { sale_type: 'attended', register_mark: '1', operator_oib: OIBS[1] }
const change = async (body: object | string) => said(await client(`/devices/${deviceId}`, { method: 'PATCH', body }))
const importCsv = async (csv: string) =>
  said(await client('/devices/import', { body: importForm(gateway.companyId, csv, { dry_run: 'true' }) }))

function upload(parts: Record<string, string>, bytes = 1) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ company_id: gateway.companyId, ...parts })) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(bytes)]), 'a.p12')
  return client('/certificates', { body: form })
}

/** Counts so many requests, and says what became of the last one. */
async function counted(count: number, which: 'address' | 'principal' | 'sign-in' | 'upload'): Promise<string> {
  const app = fastify()
  onTestFinished(() => app.close())
  const { rateLimits } = readConfig({})
  const countUpload = createUploadLimit(rateLimits)
  const limiters = createRateLimiters(rateLimits, clientNetwork, countUpload)
  const check: Count = which === 'address' || which === 'sign-in' ? limiters.address : limiters.principal
  const budget = which === 'upload' || which === 'sign-in' ? which : undefined
  handleErrors(app, () => '')
  app.decorateRequest('principal')
  app.get('/', { config: { ...(budget && { budget }) } }, async (request, reply) => {
    Object.assign(request, { principal: { id: 'somebody' } })
    for (let i = 0; i < count; i++) check(request, reply)
    return {}
  })
  const answer = await app.inject('/')
  return answer.statusCode === 200 ? TAKEN : `${answer.statusCode} ${answer.json().error.code}`
}

let sequences = 0
/** A device at premises of its own. */
const counting = () => gateway.addDevice({ premises_code: `REACH${++sequences}`, isu_number: `70${sequences}` })

/** Whether counting goes on from a number that is supplied. */
async function followed(device_id: string, number: number): Promise<string> {
  expect((await gateway.sell({ device_id, number: String(number) })).number).toBe(String(number))
  const next = await gateway.sell({ device_id })
  return next.number === String(number + 1) ? TAKEN : 'taken, and counting stays where it is'
}

const paper = (header: string[]) => change({ device_config: { receipt: { header } } })
const tax = { rate: '3.00', base: '1.00', amount: '0.03' }

const cases: Record<keyof typeof API_BOUNDS, Bring> = {
  json: (bytes) => change('{"label":"bounds"}'.padEnd(bytes)),
  depth: (levels) => change(`{"device_config":${nested(levels - 1)}}`),
  config: (bytes) => change({ device_config: { note: x(bytes - '{"note":""}'.length) } }),
  idempotencyKey: async (length) => said(await gateway.post({}, x(length))),
  async requestId(length) {
    const { headers } = await client('/countries', { headers: { 'x-request-id': x(length) } })
    return headers['x-request-id'] === x(length) ? TAKEN : 'the request gets an id of the daemon'
  },
  pathText: async (length) => saidBut(['id'], await client(`/invoices/${x(length)}`)),
  async pageBytes(bytes) {
    const rows = [...Array(3)].map((_, i) => ({ at: i, id: String(i), note: '' }))
    const [first, second] = rows.slice(1)
    if (!first || !second) throw new Error('no rows')
    first.note = x(bytes - rows.reduce((sum, row) => sum + bytesOf(row), 0))
    const page = await pageOf(
      { limit: 200 },
      async ({ after }) => (after ? [] : rows),
      (row) => row,
    )
    return page.next === null ? TAKEN : 'the page ends before'
  },
  pageLimit: async (rows) => said(await client(`/devices?limit=${rows}`)),

  uploadText: async (bytes) => saidBut(['file'], await upload({ passphrase: x(bytes) })),
  async uploadTexts(count) {
    const texts = Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`text${i}`, '']))
    return saidBut(['text0', 'passphrase'], await upload(texts))
  },
  async uploadFiles(count) {
    const form = importForm(gateway.companyId, 'label,premises_code\n', { dry_run: 'true' })
    for (let i = 1; i < count; i++) form.append('file', new Blob(['']), 'b.csv')
    return said(await client('/devices/import', { body: form }))
  },
  certificateFile: async (bytes) => saidBut(['file'], await upload({ passphrase: 'x' }, bytes)),
  async logoFile(bytes) {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), 'logo.png')
    const path = `/companies/${gateway.companyId}/logo`
    return saidBut(['file'], await client(path, { method: 'PUT', body: form }))
  },
  certificateLabel: async (length) => saidBut(['file'], await upload({ passphrase: 'x', label: x(length) })),
  importFile: (bytes) => importCsv(`${'label,premises_code,note\nm,P1,'.padEnd(bytes - 1, 'x')}\n`),
  importRows: (rows) =>
    importCsv(`label,premises_code\n${Array.from({ length: rows }, (_, i) => `m${i},P1\n`).join('')}`),
  importLines: (lines) => importCsv(`label,premises_code\n${'\n'.repeat(lines - 2)}m,P1\n`),

  companyName: async (length) =>
    said(await client(`/companies/${gateway.companyId}`, { method: 'PATCH', body: { name: x(length) } })),
  addressPart: async (length) =>
    said(
      await client(`/companies/${gateway.companyId}`, { method: 'PATCH', body: { address: { street: x(length) } } }),
    ),
  deviceLabel: (length) => change({ label: x(length) }),
  premisesAddress: (length) => change({ premises_address: x(length) }),
  async premisesCode(length) {
    const body = { company_id: gateway.companyId, label: `premises ${length}`, premises_code: x(length) }
    return said(await client('/devices', { body }))
  },
  registerMark: (digits) => change({ isu_number: '1'.repeat(digits) }),
  paperLines: (lines) => paper(Array.from({ length: lines }, () => 'x')),
  paperLine: (length) => paper([x(length)]),

  // At premises of its own: counting may go on from it.
  receiptNumber: (digits) => sale({ device_id: deviceId, number: '9'.repeat(digits) }),
  async reach(numbers) {
    const device_id = await counting()
    await gateway.sell({ device_id, number: '7' })
    return followed(device_id, 7 + numbers)
  },
  reachOfEmpty: async (number) => followed(await counting(), number),
  money: (digits) => sale({ total: `${'9'.repeat(digits)}.00`, payment_method: 'O' }),
  async cash(cents) {
    const inCash = await sale({ total: formatMoney(BigInt(cents)) })
    expect(await sale({ total: formatMoney(BigInt(-cents)), payment_method: 'K' })).toBe(inCash)
    return inCash
  },
  consumptionTax: (rate) => sale({ consumption_tax: [{ ...tax, rate: formatMoney(BigInt(rate)) }] }),
  otherTax: (rate) => sale({ other_taxes: [{ ...tax, name: 'x', rate: formatMoney(BigInt(rate)) }] }),
  // Some seconds are left for the way.
  saleAge: (days) => sale({ occurred_at: inMs(-days * DAY_MS + 5000) }),
  items: (count) =>
    sale({ items: Array.from({ length: count }, (_, n) => ({ ...ITEM, amount: n === 0 ? ITEM.amount : '0.00' })) }),
  itemName: (length) => sale({ items: [{ ...ITEM, name: x(length) }] }),
  quantity: (digits) => sale({ items: [{ ...ITEM, quantity: '9'.repeat(digits) }] }),
  async taxLines(count) {
    const lines = <T>(line: T) => Array.from({ length: count }, () => line)
    const answers = await Promise.all([
      sale({ vat: lines({ ...tax, rate: '25.00' }) }),
      sale({ consumption_tax: lines(tax) }),
      sale({ other_taxes: lines({ ...tax, name: 'x' }) }),
      sale({ fees: lines({ name: 'x', amount: '0.00' }) }),
    ])
    expect(new Set(answers).size).toBe(1)
    return answers[0] ?? ''
  },
  async taxName(length) {
    const ofTax = await sale({ other_taxes: [{ ...tax, name: x(length) }] })
    expect(await sale({ fees: [{ name: x(length), amount: '0.10' }] })).toBe(ofTax)
    return ofTax
  },
  specialPurpose: (length) => sale({ special_purpose: x(length) }),
  paragonNumber: (length) => sale({ ...attended, paragon_number: x(length) }),

  requests: (count) => counted(count, 'principal'),
  requestsOfAddress: (count) => counted(count, 'address'),
  uploads: (count) => counted(count, 'upload'),
  signIns: (count) => counted(count, 'sign-in'),
}

testBounds(API_BOUNDS, cases, () => rowCounts(gateway))
