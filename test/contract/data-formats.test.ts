import { randomUUID } from 'node:crypto'
import { beforeAll, expect } from 'vitest'
import { type Gateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import {
  companyOf,
  deviceOf,
  element,
  freshOib,
  type List,
  messageOf,
  oibOf,
  postCompany,
  postDevice,
  type Resource,
  refusal,
  TIMESTAMP,
  UUID,
  zagreb,
} from './support-fields.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

row(
  'Data formats that apply everywhere | Money',
  'an amount with exactly two decimals goes to the tax authority and comes back as it was sent',
  async () => {
    for (const total of ['4.50', '0.00', '-105.50', '0.05', '9999.99', '-0.01']) {
      const sold = await gateway.sell({ total })
      expect(sold.total).toBe(total)
      expect((await gateway.invoice(sold.id)).total).toBe(total)
      expect(element(messageOf(gateway, sold), 'IznosUkupno')).toBe(total)
    }
  },
)

row('Data formats that apply everywhere | Money', 'any other text is refused, not padded', async () => {
  const wrong = [
    '4.5',
    '4',
    '4.',
    '.50',
    '4,50',
    '4.500',
    '+4.50',
    '04.50',
    '1,000.00',
    '1e2',
    '-0.00',
    '',
    ' 4.50',
    '--',
  ]
  for (const total of wrong) {
    expect(await gateway.post({ total }), total).toMatchObject(refusal(400, 'invalid_request', 'total'))
  }
})

row('Data formats that apply everywhere | Money', 'a JSON number is never accepted', async () => {
  for (const total of ['4.50', '4', '450', '0.00']) {
    const body = JSON.stringify(gateway.sale()).replace('"2.50"', total)
    const answer = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': `number ${total}` } })
    expect(answer, total).toMatchObject(refusal(400, 'invalid_request', 'total'))
  }
})

row(
  'Data formats that apply everywhere | Money',
  'it has the same form wherever an amount or a rate stands',
  async () => {
    const line = { rate: '25.00', base: '2.00', amount: '0.50' }
    const places: [param: string, sale: (money: unknown) => object][] = [
      ['vat[0].rate', (rate) => ({ vat: [{ ...line, rate }] })],
      ['vat[0].base', (base) => ({ vat: [{ ...line, base }] })],
      ['vat[0].amount', (amount) => ({ vat: [{ ...line, amount }] })],
      ['consumption_tax[0].rate', (rate) => ({ consumption_tax: [{ ...line, rate }] })],
      ['consumption_tax[0].base', (base) => ({ consumption_tax: [{ ...line, rate: '3.00', base }] })],
      ['consumption_tax[0].amount', (amount) => ({ consumption_tax: [{ ...line, rate: '3.00', amount }] })],
      ['other_taxes[0].rate', (rate) => ({ other_taxes: [{ ...line, name: 'X', rate }] })],
      ['other_taxes[0].base', (base) => ({ other_taxes: [{ ...line, name: 'X', base }] })],
      ['other_taxes[0].amount', (amount) => ({ other_taxes: [{ ...line, name: 'X', amount }] })],
      ['fees[0].amount', (amount) => ({ fees: [{ name: 'X', amount }] })],
      ['vat_exempt_amount', (amount) => ({ vat_exempt_amount: amount })],
      ['margin_amount', (amount) => ({ margin_amount: amount })],
      ['non_taxable_amount', (amount) => ({ non_taxable_amount: amount })],
    ]
    for (const [param, sale] of places) {
      for (const money of ['0.5', 0.5]) {
        const answer = await gateway.post(sale(money))
        expect(answer, `${param} ${typeof money}`).toMatchObject(refusal(400, 'invalid_request', param))
      }
      const fits = param.endsWith('.rate') ? '0.00' : '0.50'
      expect((await gateway.post(sale(fits))).status, param).toBe(200)
    }
  },
)

row('Data formats that apply everywhere | Time', 'one moment is the same sale time by any offset', async () => {
  const at = Math.floor(Date.now() / 1000) * 1000 - 60_000
  const local = (hours: number) => new Date(at + hours * 3_600_000).toISOString().slice(0, 19)
  const { day, month, year, time } = zagreb(at)
  const texts = [`${local(0)}Z`, `${local(0)}+00:00`, `${local(2)}+02:00`, `${local(-5.5)}-05:30`, `${local(0)}.250Z`]
  for (const occurred_at of texts) {
    const sold = await gateway.sell({ occurred_at })
    expect(element(messageOf(gateway, sold), 'DatVrijeme')).toBe(`${day}.${month}.${year}T${time}`)
    expect(sold.occurred_at).toBe(occurred_at)
  }
})

row(
  'Data formats that apply everywhere | Time',
  'a time without an explicit offset, or in another form, is refused',
  async () => {
    const second = new Date(Date.now() - 60_000).toISOString().slice(0, 19)
    const wrong = [
      second,
      `${second.replace('T', ' ')}Z`,
      `${second} +01:00`,
      `${second} Europe/Zagreb`,
      second.slice(0, 10),
      `${second.slice(0, 16)}Z`,
      `${second.slice(0, 4)}-02-30T10:00:00Z`,
      new Date(Date.now() - 60_000).toUTCString(),
      '',
      Date.now() - 60_000,
    ]
    for (const occurred_at of wrong) {
      const answer = await gateway.post({ occurred_at })
      expect(answer, String(occurred_at)).toMatchObject(refusal(400, 'invalid_request', 'occurred_at'))
    }
    for (const param of ['from', 'to']) {
      const answer = await gateway.v1(`/invoices?${param}=${second}`)
      expect(answer, param).toMatchObject(refusal(400, 'invalid_request', param))
      expect((await gateway.v1(`/invoices?${param}=${second}%2B01:00`)).status).toBe(200)
    }
  },
)

row('Data formats that apply everywhere | Time', 'every time in a response has its offset', async () => {
  const invoice = await gateway.invoice((await gateway.sell()).id)
  const [certificate = {}] = (await list('/certificates')).body.data
  const health = (await gateway.v1('/health')).body as unknown as Resource
  const fiscal = (await gateway.v1('/health/fiscal')).body as unknown as Resource
  const times = {
    invoice: pick(invoice, 'occurred_at', 'deadline_at', 'confirmed_at', 'created_at'),
    message: pick(invoice.messages[0] ?? {}, 'created_at'),
    company: pick(await companyOf(gateway, gateway.companyId), 'certificate_expires_at', 'created_at'),
    device: pick(
      await deviceOf(gateway, gateway.deviceId),
      'installed_at',
      'last_seen_at',
      'last_success_at',
      'created_at',
    ),
    certificate: pick(certificate, 'not_before', 'not_after', 'uploaded_at'),
    health: pick(health, 'checked_at'),
    fiscal: pick(fiscal, 'checked_at'),
  }
  for (const [resource, members] of Object.entries(times)) {
    for (const [name, time] of Object.entries(members)) expect(time, `${resource}.${name}`).toMatch(TIMESTAMP)
  }
})

row(
  'Data formats that apply everywhere | Identifiers of invoices',
  'an invoice is found by its own inv_ id',
  async () => {
    const [first, second] = [await gateway.sell(), await gateway.sell()]
    for (const { id, number } of [first, second]) {
      expect(id).toMatch(/^inv_[0-9A-Za-z_-]+$/)
      expect(await gateway.v1(`/invoices/${id}`)).toMatchObject({ status: 200, body: { id, number } })
    }
    expect(first.id).not.toBe(second.id)
    for (const id of ['inv_', 'inv_unknown', first.id.slice(4), randomUUID()]) {
      expect(await gateway.v1(`/invoices/${id}`), id).toMatchObject(refusal(404, 'invalid_request', 'id'))
    }
  },
)

row(
  'Data formats that apply everywhere | Identifiers of companies, devices, certificates',
  'each is a UUID, in whatever case it is sent',
  async () => {
    const company = await postCompany(gateway, { oib: OIBS[1] })
    const company_id = String(company.body.id).toUpperCase()
    const certificate = await uploadCertificate(gateway, company_id, await certificateOf(OIBS[1]))
    const device = await postDevice(gateway, { company_id, isu_number: '31' })
    for (const { status, body } of [company, certificate, device]) {
      expect(status).toBe(201)
      expect(body.id).toMatch(UUID)
    }
    expect(device.body.company_id).toBe(company.body.id)
    const sold = await gateway.sell({ device_id: String(device.body.id).toUpperCase() })
    expect(await gateway.invoice(sold.id)).toMatchObject({ device_id: device.body.id, company_id: company.body.id })
  },
)

row(
  'Data formats that apply everywhere | Identifiers of companies, devices, certificates',
  'what is no UUID is malformed, and an unknown UUID is not found',
  async () => {
    for (const id of ['1', 'POSL1', randomUUID().slice(1), `{${randomUUID()}}`, '']) {
      expect(await gateway.post({ device_id: id }), id).toMatchObject(refusal(400, 'invalid_request', 'device_id'))
      const device = await postDevice(gateway, { company_id: id })
      expect(device, id).toMatchObject(refusal(400, 'invalid_request', 'company_id'))
      const upload = await uploadCertificate(gateway, id, await certificateOf(OIBS[0]))
      expect(upload, id).toMatchObject(refusal(400, 'invalid_request', 'company_id'))
    }
    const id = randomUUID()
    expect(await gateway.post({ device_id: id })).toMatchObject(refusal(404, 'invalid_request', 'device_id'))
    expect(await postDevice(gateway, { company_id: id })).toMatchObject(refusal(404, 'invalid_request', 'company_id'))
    const upload = await uploadCertificate(gateway, id, await certificateOf(OIBS[0]))
    expect(upload).toMatchObject(refusal(404, 'invalid_request', 'company_id'))
  },
)

row('Data formats that apply everywhere | OIB', '11 digits with the right check digit are one', async () => {
  // The last one's check digit is 0, which the sum gives as 10.
  for (const oib of ['81793146560', '87311810356', '69435151530']) {
    expect(oibOf(oib.slice(0, 10))).toBe(oib)
    expect(await postCompany(gateway, { oib }), oib).toMatchObject({ status: 201, body: { oib } })
  }
})

row(
  'Data formats that apply everywhere | OIB',
  'one wrong digit, or one too few or too many, makes it none',
  async () => {
    const oib = freshOib()
    const otherDigits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((more) => `${oib.slice(0, 10)}${(Number(oib[10]) + more) % 10}`)
    const swapped = `${oib[1]}${oib[0]}${oib.slice(2)}`
    expect(oib[0]).not.toBe(oib[1])
    for (const wrong of [
      ...otherDigits,
      swapped,
      oib.slice(1),
      `${oib}0`,
      `HR${oib}`,
      `${oib.slice(0, 10)}A`,
      ` ${oib}`,
      '',
    ]) {
      expect(await postCompany(gateway, { oib: wrong }), wrong).toMatchObject(refusal(400, 'hr.invalid_oib', 'oib'))
      const attended = { sale_type: 'attended', register_mark: '1', operator_oib: OIBS[0] }
      for (const field of ['operator_oib', 'recipient_oib']) {
        const answer = await gateway.post({ ...attended, [field]: wrong })
        expect(answer, `${field} ${wrong}`).toMatchObject(refusal(400, 'hr.invalid_oib', field))
      }
    }
    expect((await postCompany(gateway, { oib })).status).toBe(201)
  },
)

row('Data formats that apply everywhere | Pagination', 'a page has 50 rows unless limit says 1 to 200', async () => {
  const company_id = await companyWithDevices(203)
  const path = `/devices?company_id=${company_id}`
  for (const [query, rows] of [
    ['', 50],
    ['&limit=1', 1],
    ['&limit=200', 200],
  ] as const) {
    const { status, body } = await list(`${path}${query}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', has_more: true, next_cursor: expect.any(String) })
    expect(body.data, query).toHaveLength(rows)
  }
  for (const paged of ['/invoices', '/companies', '/devices']) {
    for (const limit of ['0', '201', '-1', '1.5', 'all', '']) {
      const answer = await list(`${paged}?limit=${limit}`)
      expect(answer, `${paged} ${limit}`).toMatchObject(refusal(400, 'invalid_request', 'limit'))
    }
  }
})

row('Data formats that apply everywhere | Pagination', 'following next_cursor shows every row once', async () => {
  const company_id = await companyWithDevices(12)
  for (const [limit, pages] of [
    [5, [5, 5, 2]],
    [4, [4, 4, 4]],
  ] as const) {
    const read = await walk(`/devices?company_id=${company_id}&limit=${limit}`)
    expect(read.map(({ length }) => length)).toEqual(pages)
    expect(new Set(read.flat().map(({ label }) => label)).size).toBe(12)
  }
  for (const path of ['/invoices', '/companies']) {
    for (let more = 3; more > 0; more--) await (path === '/invoices' ? gateway.sell() : postCompany(gateway))
    const whole = (await list(`${path}?limit=200`)).body.data.map(({ id }) => id)
    const read = await walk(`${path}?limit=2`)
    expect(read.flat().map(({ id }) => id)).toEqual(whole)
  }
})

row(
  'Data formats that apply everywhere | Pagination',
  'a cursor that was made up, or is of another list, is refused',
  async () => {
    await companyWithDevices(2)
    const { next_cursor } = (await list('/devices?limit=1')).body
    for (const cursor of ['1', 'next', `${next_cursor}A`, '%00', '']) {
      expect(await list(`/devices?cursor=${cursor}`), cursor).toMatchObject(refusal(400, 'invalid_request', 'cursor'))
    }
    for (const path of ['/invoices', '/companies']) {
      expect(await list(`${path}?cursor=${next_cursor}`)).toMatchObject(refusal(400, 'invalid_request', 'cursor'))
    }
  },
)

row(
  'Data formats that apply everywhere | Pagination',
  'an empty list and the certificates have the envelope too',
  async () => {
    const empty = await list(`/devices?company_id=${randomUUID()}`)
    expect(empty).toMatchObject({ status: 200, body: { object: 'list', data: [], has_more: false, next_cursor: null } })
    const company_id = gateway.companyId
    const { body } = await list(`/certificates?company_id=${company_id}`)
    expect(body).toMatchObject({ object: 'list', data: [{ company_id }], has_more: false, next_cursor: null })
  },
)

function list(path: string): Promise<List> {
  return gateway.admin(`/v1${path}`)
}

/** The pages of a list, each found by the cursor of the one before. */
async function walk(path: string): Promise<Resource[][]> {
  const pages: Resource[][] = []
  for (let cursor: string | null = ''; cursor !== null && pages.length < 50; ) {
    const { body }: List = await list(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`)
    pages.push(body.data)
    expect(body.has_more).toBe(body.next_cursor !== null)
    cursor = body.next_cursor
  }
  return pages
}

async function companyWithDevices(count: number): Promise<string> {
  const company = await postCompany(gateway)
  const rows = Array.from({ length: count }, (_, i) => `Kavomat ${i},POSL1`)
  const form = new FormData()
  form.set('company_id', String(company.body.id))
  form.set('file', new Blob([['label,premises_code', ...rows].join('\n')]), 'devices.csv')
  const imported = await gateway.admin('/v1/devices/import', { body: form })
  expect(imported).toMatchObject({ status: 200, body: { created: count, failed: 0 } })
  return String(company.body.id)
}

function pick(resource: object, ...names: string[]): Resource {
  return Object.fromEntries(names.map((name) => [name, (resource as Resource)[name]]))
}
