/**
 * What somebody writes who has our document, openapi-typescript and openapi-fetch, and nothing else of ours: the whole
 * chain from a company to a JIR. It says what it got as one line of JSON.
 */
export const CLIENT_PROGRAM = `
import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

const { BASE_URL, API_KEY, OIB, P12, PASSPHRASE, UNSENT } = process.env as Record<string, string>
const client = createClient<paths>({ baseUrl: BASE_URL!, headers: { Authorization: \`Bearer \${API_KEY}\` } })

/** The body of a success, or the code of the refusal as an exception. */
function got<T>(answer: { data?: T; error?: components['schemas']['Error'] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.error.code ?? 'no answer')
  return answer.data
}

const company = got(await client.POST('/v1/companies', { body: { name: 'Automati d.o.o.', oib: OIB! } }))

const certificate = got(
  await client.POST('/v1/certificates', {
    body: { company_id: company.id, file: P12!, passphrase: PASSPHRASE!, label: 'the first one' },
    bodySerializer({ file, ...texts }) {
      const form = new FormData()
      for (const [name, text] of Object.entries(texts)) form.set(name, text)
      form.set('file', new Blob([readFileSync(file)]), 'certificate.p12')
      return form
    },
  }),
)

const device = got(
  await client.POST('/v1/devices', {
    body: { company_id: company.id, premises_code: 'AUT1', label: 'Kavomat', isu_number: '4711' },
  }),
)

const sell = (key: string, total: string) =>
  client.POST('/v1/invoices', {
    params: { header: { 'Idempotency-Key': key }, query: { include_messages: true } },
    body: {
      device_id: device.id,
      occurred_at: new Date(Date.now() - 1000).toISOString(),
      total,
      payment_method: 'G',
      vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }],
    },
  })
const sold = got(await sell(randomUUID(), '2.50'))
const messages: components['schemas']['Message'][] = sold.messages ?? []

const refused = await sell(randomUUID(), '2.5')
const why = refused.error?.error

const list = got(await client.GET('/v1/invoices', { params: { query: { device_id: device.id, limit: 1 } } }))
const [row] = list.data
const shown = got(await client.GET('/v1/invoices/{id}', { params: { path: { id: sold.id } } }))
const receipt = got(
  await client.GET('/v1/invoices/{id}/receipt', {
    params: { path: { id: sold.id }, query: { columns: '32' }, header: { 'Idempotency-Key': randomUUID() } },
    headers: { Accept: 'text/plain' },
    parseAs: 'text',
  }),
)
const retried = got(await client.POST('/v1/invoices/{id}/retry', { params: { path: { id: UNSENT! } } }))

console.log(
  JSON.stringify({
    company: [company.oib, company.mode, company.certificate_status, company.vat_registered],
    certificate: [certificate.subject_oib, certificate.status, certificate.label],
    device: [device.isu_number, device.isu_status, device.company_id === company.id],
    sold: [sold.status, sold.number, sold.total, typeof sold.jir],
    messages: messages.map(({ attempt_no, http_status }) => [attempt_no, http_status]),
    refused: [refused.response.status, why?.type, why?.code, why?.param, why?.upstream],
    list: [list.object, list.data.length, list.has_more, row?.id === sold.id, row?.attempts],
    shown: [shown.jir === sold.jir, shown.zki === sold.zki, shown.country_data.receipt_number],
    receipt: [receipt.replace(/\\s/g, '').includes(sold.zki), receipt.includes('KOPIJA')],
    retried: [retried.id === UNSENT, retried.status, typeof retried.jir, retried.fiscal_error ?? null],
  }),
)
`

/** Each line that says so is a mistake that a compiler must find. */
export const WRONG_PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const client = createClient<paths>({ baseUrl: 'https://localhost' })
const params = { header: { 'Idempotency-Key': 'a' } }
const sale = { device_id: '', occurred_at: '', total: '2.50' }

await client.POST('/v1/invoices', { params, body: sale })
await client.POST('/v1/invoices', { params, body: { device_id: '', occurred_at: '', totall: '2.50' } }) // mistake: no total
await client.POST('/v1/invoices', { params, body: { ...sale, total: 2.5 } }) // mistake: money is text
await client.POST('/v1/invoices', { params, body: { device_id: '', total: '' } }) // mistake: when?
await client.POST('/v1/invoices', { params, body: { ...sale, sale_type: 'vending' } }) // mistake: no such kind
await client.POST('/v1/invoices', { params, body: { ...sale, vat: [{ rate: '5.00' }] } }) // mistake: half a line
await client.POST('/v1/invoices', { body: sale }) // mistake: no idempotency key
await client.POST('/v1/invoice', { params, body: sale }) // mistake: no such path
await client.GET('/v1/invoices', { params: { query: { status: 'paid' } } }) // mistake: no such status
await client.GET('/v1/invoices', { params: { query: { page: 2 } } }) // mistake: no such parameter
await client.GET('/v1/invoices/{id}', {}) // mistake: which one?
await client.GET('/v1/invoices/{id}/receipt', { params: { path: { id: '' }, query: { columns: '33' } } }) // mistake: no such paper
await client.PATCH('/v1/devices/{id}', { params: { path: { id: '' } }, body: { isu_number: 5 } }) // mistake: text
await client.DELETE('/v1/devices/{id}', { params: { path: { id: '' } } }) // mistake: nothing is ever deleted
const { data } = await client.GET('/v1/invoices/{id}', { params: { path: { id: '' } } })
console.log(data?.jirr) // mistake: no such field in the answer
console.log(data?.jir.length) // mistake: it may be null
`
