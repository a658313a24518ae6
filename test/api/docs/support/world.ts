import fc from 'fast-check'
import { oibCheckDigit } from '../../../../src/domain/oib.ts'
import type { Gateway } from '../../../support/gateway.ts'
import { ringLogo } from '../../../support/logos.ts'
import { certificateOf, OIBS } from '../../../support/pki.ts'
import { type Guess, type Hints, instants, recently } from './schema-values.ts'

/** Who asks: somebody who may do everything, or somebody who may not. */
export interface Caller {
  who: 'master' | 'bound' | 'narrow' | 'live' | 'revoked' | 'stranger' | 'nobody'
  authorization: string | undefined
}

/** What is there before random requests come, so that some of them succeed. */
export interface World {
  /** Uploads have a budget of 60 a minute for each of them. */
  masters: Caller[]
  others: Caller[]
  /** Guesses that make a request succeed, by operation, in one or several ways; a parameter stands under its name. */
  guesses: Record<string, Guess[]>
}

const EVERYTHING = ['invoices:write', 'invoices:read', 'fleet:read', 'fleet:write', 'certificates:write']
const UNSENT_INVOICES = 30

export async function createWorld(gateway: Gateway): Promise<World> {
  const keyOf = async (who: Caller['who'], key: object): Promise<Caller> => ({
    who,
    authorization: `Bearer ${await gateway.createKey({ scopes: EVERYTHING, ...key })}`,
  })
  const revoked = await gateway.admin('/admin/keys', { body: { mode: 'test', scopes: EVERYTHING } })
  await gateway.admin(`/admin/keys/${revoked.body.id}/revoke`, { method: 'POST' })
  const [spare, victim] = await Promise.all([OIBS[1], OIBS[2]].map((oib) => addCompany(gateway, oib)))
  const sellers = await devices(gateway, gateway.companyId, 'SALE')
  const victims = await devices(gateway, spare, 'VICTIM')
  const linked = { fiscal_config: { receipt_link: 'on' } }
  await gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body: linked })
  const sold = await Promise.all(sellers.map((device_id) => gateway.sell({ device_id })))
  await gateway.cis.goDown()
  const unsent: string[] = []
  for (let i = 0; i < UNSENT_INVOICES; i++) unsent.push((await gateway.sell({ device_id: sellers[i % 4] })).id)
  await gateway.cis.comeBack()

  const master = await keyOf('master', {})
  const cursorOf = async (list: string) => {
    const headers = { authorization: String(master.authorization) }
    const page = await gateway.v1(`/${list}?limit=1`, { headers })
    return fc.constant((page.body as unknown as { next_cursor: string }).next_cursor)
  }
  const { p12, passphrase } = await certificateOf(OIBS[0])
  const company = fc.constant(gateway.companyId)
  await gateway.admin(`/v1/companies/${gateway.companyId}/logo`, { method: 'PUT', body: logoForm() })
  const company_id = fc.constantFrom(gateway.companyId, spare, gateway.companyId.toUpperCase())
  const device_id = fc.constantFrom(...sellers)
  const moment = instants(Date.now() - 40 * 86_400_000, Date.now() + 86_400_000)
  const digits = fc.bigInt({ min: 1n, max: 10n ** 15n }).map(String)
  const label = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 200 })
  const sale = { ...saleHints, device_id }
  const invoice = fc.constantFrom(...unsent, ...sold.map(({ id }) => id))
  return {
    masters: [master, await keyOf('master', {}), await keyOf('master', {})],
    others: [
      await keyOf('bound', { device_id: sellers[0], scopes: ['invoices:write', 'invoices:read', 'fleet:read'] }),
      await keyOf('narrow', { scopes: ['sync'] }),
      await keyOf('live', { mode: 'live' }),
      { who: 'revoked', authorization: `Bearer ${revoked.body.key}` },
      { who: 'stranger', authorization: `Bearer fisk_test_${'A'.repeat(43)}` },
      { who: 'stranger', authorization: 'Basic YTpi' },
      { who: 'nobody', authorization: undefined },
    ],
    guesses: {
      fiscalizeSale: [
        { hints: { ...sale, ...unattended }, demanded: ['payment_method'] },
        { hints: { ...sale, ...attended }, demanded: ['payment_method', 'sale_type', 'register_mark', 'operator_oib'] },
      ],
      getInvoice: [{ hints: { id: invoice } }],
      getReceipt: [{ hints: { id: invoice } }],
      getReceiptLink: [{ hints: { id: invoice } }],
      retryInvoice: [{ hints: { id: fc.constantFrom(...unsent) } }],
      listInvoices: [
        { hints: { company_id, device_id, from: moment, to: moment, cursor: await cursorOf('invoices') } },
      ],
      createCompany: [{ hints: { oib: oibs, name: label, mode: fc.constant('test') } }],
      updateCompany: [{ hints: { id: fc.constant(victim), name: label, mode: fc.constant('test') } }],
      listCompanies: [{ hints: { cursor: await cursorOf('companies') } }],
      createDevice: [{ hints: { company_id, label, isu_number: digits, premises_address: label } }],
      updateDevice: [
        { hints: { id: fc.constantFrom(...victims), label, isu_number: digits, premises_address: label } },
      ],
      listDevices: [{ hints: { company_id, cursor: await cursorOf('devices') } }],
      importDevices: [{ hints: { company_id: fc.constant(spare), file: csvs.map((text) => Buffer.from(text)) } }],
      getLogo: [{ hints: { id: company } }],
      setLogo: [{ hints: { id: company, file: fc.constant(ringLogo(64, 32)), width_mm: fc.constantFrom('5', '72') } }],
      removeLogo: [{ hints: { id: fc.constant(String(victim)) } }],
      uploadCertificate: [
        {
          hints: {
            company_id: fc.constant(gateway.companyId),
            file: fc.constant(p12),
            passphrase: fc.constant(passphrase),
            label,
          },
        },
      ],
      listCertificates: [{ hints: { company_id } }],
      getCountrySchemas: [{ hints: { code: fc.constant('HR') } }],
    },
  }
}

function logoForm(): FormData {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(ringLogo(64, 32))]), 'logo.png')
  return form
}

async function addCompany(gateway: Gateway, oib: string): Promise<string> {
  return String((await gateway.admin('/v1/companies', { body: { name: 'Druga', oib } })).body.id)
}

let isuNumber = 800_000_000_000_000_000n

function devices(gateway: Gateway, company_id: string | undefined, premises: string): Promise<string[]> {
  const made = [1, 2, 3, 4].map((i) =>
    gateway.addDevice({ company_id, premises_code: `${premises}${i}`, isu_number: String(++isuNumber) }),
  )
  return Promise.all(made)
}

const oibs = fc.stringMatching(/^[0-9]{10}$/).map((firstTen) => `${firstTen}${oibCheckDigit(firstTen)}`)

const saleHints: Hints = {
  occurred_at: recently,
  total: fc.integer({ min: -100_000, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)),
  // Far below the 20 digits after which a premises has none left.
  number: fc.integer({ min: 1, max: 1_000_000_000 }).map(String),
  'vat.rate': fc.constantFrom('0.00', '5.00', '13.00', '25.00'),
  'consumption_tax.rate': fc.constantFrom('0.00', '2.50', '3.00'),
  'other_taxes.rate': fc.constantFrom('0.00', '7.00', '999.99'),
  payment_method: fc.constantFrom('G', 'K', 'O'),
}

const none = fc.constant(null)

/** `null` says that there is none, which an unattended sale may say of what only a till has. */
const unattended: Hints = {
  sale_type: fc.constant('unattended'),
  sequence_mark: none,
  register_mark: none,
  operator_oib: none,
  recipient_oib: none,
  paragon_number: none,
}

const attended: Hints = {
  sale_type: fc.constant('attended'),
  sequence_mark: fc.constant('P'),
  register_mark: fc.integer({ min: 1, max: 9999 }).map(String),
  operator_oib: oibs,
  recipient_oib: fc.oneof(oibs, none),
}

const cell = fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => `"${text.replaceAll('"', '""')}"`)

/** Tables of devices, most rows of which can be used. */
const csvs = fc
  .array(fc.tuple(cell, fc.constantFrom('POSL1', 'POSL2', 'not a code'), fc.constantFrom('', '5', '0'), cell), {
    maxLength: 5,
  })
  .map((rows) => ['label,premises_code,isu_number,anything', ...rows.map((cells) => cells.join(','))].join('\n'))
