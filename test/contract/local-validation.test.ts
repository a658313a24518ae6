import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inDatabase, storeConfig } from '../support/database.ts'
import { addCompany, type Gateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { certificatesOf, certify, DAY_MS, expectRefused, PEOPLE, refusal, revoke, TILL } from './support-sale.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})
beforeEach(() => {
  // A clock that stands still, on a whole second as the authority reads it, for limits to the millisecond.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 })
})
afterEach(() => {
  vi.useRealTimers()
  gateway.clock.aheadMs = 0
})

const at = (ms: number) => ({ occurred_at: new Date(Date.now() + ms).toISOString() })
const refused = (sales: object[], code: string, param: string) => expectRefused(gateway, sales, code, param)
const line = (rate: string) => ({ rate, base: '2.00', amount: '0.50' })

async function accepted(sales: object[]): Promise<void> {
  for (const sale of sales)
    expect(await gateway.sell(sale), JSON.stringify(sale)).toMatchObject({ status: 'confirmed' })
}

row('Local validation | occurred_at not older than 30 days', 'to the millisecond', async () => {
  // By the authority's own clock, which goes on, it is a moment too late by then.
  expect(await gateway.post(at(-30 * DAY_MS))).toMatchObject({ status: 200 })
  await refused([at(-30 * DAY_MS - 1), at(-400 * DAY_MS)], 'hr.sale_older_than_30_days', 'occurred_at')
})

row('Local validation | occurred_at not older than 30 days', 'whatever offset it is written with', async () => {
  const text = (moment: number) => `${new Date(moment + 14 * 3_600_000).toISOString().slice(0, 19)}+14:00`
  const limit = Date.now() - 30 * DAY_MS
  expect(await gateway.post({ occurred_at: text(limit) })).toMatchObject({ status: 200 })
  await refused([{ occurred_at: text(limit - 1000) }], 'hr.sale_older_than_30_days', 'occurred_at')
})

row('Local validation | occurred_at not in the future', 'now is not the future, the next second is', async () => {
  await accepted([at(0)])
  await refused([at(1000), at(60_000), at(400 * DAY_MS)], 'hr.date_in_future', 'occurred_at')
})

row('Local validation | VAT rate is 0.00, 5.00, 13.00 or 25.00', 'and nothing else', async () => {
  await accepted(['0.00', '5.00', '13.00', '25.00'].map((rate) => ({ vat: [line(rate)] })))
  const wrong = ['0.01', '4.99', '5.01', '12.00', '24.99', '25.01', '-5.00'].map((rate) => ({ vat: [line(rate)] }))
  await refused(wrong, 'hr.invalid_vat_rate', 'vat[0].rate')
  await refused([{ vat: [line('25.00'), line('23.00')] }], 'hr.invalid_vat_rate', 'vat[1].rate')
})

row('Local validation | VAT rate is 0.00, 5.00, 13.00 or 25.00', 'also when it was configured', async () => {
  const lines = { vat: [line('23.00')] }
  const rate = { default_vat_rate: '23.00' }
  for (const [isu_number, device_config, param] of [
    ['701', lines, 'device_config.vat[0].rate'],
    ['702', rate, 'device_config.default_vat_rate'],
  ] as const) {
    const deviceId = await gateway.addDevice({ isu_number })
    const refused = { status: 400, body: { error: { code: 'hr.invalid_vat_rate', param } } }
    const change = { method: 'PATCH', body: { device_config } }
    expect(await gateway.admin(`/v1/devices/${deviceId}`, change)).toMatchObject(refused)
    await storeConfig(gateway, { deviceId }, device_config)
    expect(await gateway.post({ device_id: deviceId })).toMatchObject(refused)
  }
})

row('Local validation | Consumption tax rate between 0.00 and 3.00', 'both ends are allowed', async () => {
  await accepted(['0.00', '0.01', '2.99', '3.00'].map((rate) => ({ consumption_tax: [line(rate)] })))
  const wrong = ['-0.01', '3.01', '10.00'].map((rate) => ({ consumption_tax: [line(rate)] }))
  await refused(wrong, 'hr.invalid_pnp_rate', 'consumption_tax[0].rate')
})

row('Local validation | payment_method is G, K or O (T only on attended)', 'and nothing else', async () => {
  const methods = ['G', 'K', 'O'].map((payment_method) => ({ payment_method }))
  await accepted([...methods, ...methods.map((method) => ({ ...TILL, ...method })), { ...TILL, payment_method: 'T' }])
  const wrong = ['T', 'C', 'g', 'X', ''].map((payment_method) => ({ payment_method }))
  const atTill = ['C', 't', ''].map((payment_method) => ({ ...TILL, payment_method }))
  const transfer = { ...TILL, payment_method: 'T', recipient_oib: PEOPLE[1] }
  await refused([...wrong, ...atTill, transfer], 'hr.invalid_payment_method', 'payment_method')
})

row('Local validation | Cash and card totals within plus or minus 10,000.00 EUR', 'at both ends', async () => {
  for (const payment_method of ['G', 'K']) {
    await accepted(['10000.00', '-10000.00'].map((total) => ({ total, payment_method })))
    const wrong = ['10000.01', '-10000.01', '99999999.00'].map((total) => ({ total, payment_method }))
    await refused([...wrong, ...wrong.map((sale) => ({ ...TILL, ...sale }))], 'hr.amount_out_of_range', 'total')
  }
})

row('Local validation | Cash and card totals within plus or minus 10,000.00 EUR', 'others may be higher', async () => {
  await accepted([
    { total: '10000.01', payment_method: 'O' },
    { total: '-25000.00', payment_method: 'O' },
    { ...TILL, total: '10000.01', payment_method: 'T' },
  ])
})

row('Local validation | Company OIB passes its checksum', 'no company gets in without', async () => {
  for (const oib of ['02994650198', '0299465019', '029946501999', '0299465019X', '']) {
    const made = await gateway.admin('/v1/companies', { body: { name: 'Samoposluga', oib } })
    expect(made, oib).toMatchObject(refusal('hr.invalid_oib', 'oib'))
  }
})

row('Local validation | Company OIB passes its checksum', 'nor does one sell that got in otherwise', async () => {
  const { device_id, companyId } = await newCompany(PEOPLE[1])
  await change('UPDATE companies SET oib = ? WHERE id = ?', '00000000002', companyId)
  await refused([{ device_id }], 'hr.invalid_oib', 'device_id')
})

row('Local validation | Receipt number digits, no leading zeros, not 0', 'and at most 20 of them', async () => {
  const device_id = await gateway.addDevice({ isu_number: '704', premises_code: 'NUMBERS' })
  await accepted(['1', '10', '9'.repeat(20)].map((number) => ({ device_id, number })))
  const wrong = ['0', '00', '01', '0010', '-1', '+1', '1.0', '1 ', 'A', '١', '', '9'.repeat(21)]
  await refused(
    wrong.map((number) => ({ device_id, number })),
    'hr.invalid_receipt_number',
    'number',
  )
})

row('Local validation | Device has an ISU number', 'without one only an attended sale is possible', async () => {
  const device_id = await gateway.addDevice()
  await refused([{ device_id }], 'hr.device_missing_isu', 'device_id')
  await accepted([{ device_id, ...TILL }])
})

row('Local validation | Company has a valid certificate', 'one without any does not sell', async () => {
  const { device_id, companyId } = await newCompany(OIBS[1])
  await refused([{ device_id }], 'company_missing_certificate', 'device_id')
  await certify(gateway, companyId, OIBS[1])
  await accepted([{ device_id }])
  await revoke(gateway, String((await certificatesOf(gateway, companyId))[0]?.id))
  await refused([{ device_id }], 'company_missing_certificate', 'device_id')
})

row('Local validation | Company has a valid certificate', 'one whose certificate has ended does not sell', async () => {
  const notAfter = Date.parse(String((await certificatesOf(gateway, gateway.companyId))[0]?.not_after))
  gateway.clock.aheadMs = notAfter - Date.now()
  expect(await gateway.post()).toMatchObject({ status: 200 })
  gateway.clock.aheadMs += 1
  await refused([{}], 'certificate_expired', 'device_id')
})

row('Local validation | Certificate subject OIB equals company OIB', 'no other one is taken', async () => {
  const { device_id, companyId } = await newCompany(OIBS[2])
  const uploaded = await uploadCertificate(gateway, companyId, await certificateOf(OIBS[0]))
  expect(uploaded).toMatchObject(refusal('hr.certificate_oib_mismatch', 'file'))
  await refused([{ device_id }], 'company_missing_certificate', 'device_id')
})

row(
  'Local validation | Certificate subject OIB equals company OIB',
  'nor signs one that got in otherwise',
  async () => {
    const companyId = await addCompany(gateway, PEOPLE[2])
    const device_id = await gateway.addDevice({ company_id: companyId, isu_number: '708' })
    await change('UPDATE certificates SET subject_oib = ? WHERE company_id = ?', OIBS[0], companyId)
    await refused([{ device_id }], 'hr.certificate_oib_mismatch', 'device_id')
  },
)

test('the rules are applied in the order of the table: the first broken one is named', async () => {
  const { device_id, companyId } = await newCompany(PEOPLE[0])
  await change('UPDATE companies SET oib = ? WHERE id = ?', '69435151531', companyId)
  const sale: Record<string, unknown> = {
    device_id,
    ...at(-31 * DAY_MS),
    vat: [line('24.00')],
    consumption_tax: [line('4.00')],
    payment_method: 'T',
    total: '10000.01',
    number: '0',
  }
  const mended: [string, () => unknown][] = [
    ['hr.sale_older_than_30_days', () => Object.assign(sale, at(60_000))],
    ['hr.date_in_future', () => Object.assign(sale, at(0))],
    ['hr.invalid_vat_rate', () => Object.assign(sale, { vat: [line('25.00')] })],
    ['hr.invalid_pnp_rate', () => Object.assign(sale, { consumption_tax: [line('3.00')] })],
    ['hr.invalid_payment_method', () => Object.assign(sale, { payment_method: 'G' })],
    ['hr.amount_out_of_range', () => Object.assign(sale, { total: '10000.00' })],
    ['hr.invalid_oib', () => change('UPDATE companies SET oib = ? WHERE id = ?', PEOPLE[0], companyId)],
    ['hr.invalid_receipt_number', () => Object.assign(sale, { number: '1' })],
    ['hr.device_missing_isu', () => giveIsuNumber(device_id)],
    ['company_missing_certificate', () => certify(gateway, companyId, PEOPLE[0])],
  ]
  await change('UPDATE devices SET isu_number = NULL, isu_status = ? WHERE id = ?', 'pending', device_id)
  for (const [code, mend] of mended) {
    expect(await gateway.post(sale)).toMatchObject({ status: 400, body: { error: { code } } })
    await mend()
  }
  await accepted([sale])
})

/** A company without a certificate, and a device of it. */
async function newCompany(oib: string): Promise<{ companyId: string; device_id: string }> {
  const { body } = await gateway.admin('/v1/companies', { body: { name: `Company ${oib}`, oib } })
  const companyId = String(body.id)
  return { companyId, device_id: await gateway.addDevice({ company_id: companyId, isu_number: `7${oib}` }) }
}

function giveIsuNumber(deviceId: string) {
  return gateway.admin(`/v1/devices/${deviceId}`, { method: 'PATCH', body: { isu_number: '709' } })
}

/** For what no request can bring about: another program's work, or a version's that had other rules. */
async function change(sql: string, ...values: string[]): Promise<void> {
  const literals = values.map((value) => `'${value}'`)
  const changed = await inDatabase(gateway, `${sql.replace(/\?/g, () => literals.shift() ?? '?')} RETURNING id`)
  if (changed.length !== 1) throw new Error(`changed ${changed.length} rows: ${sql}`)
}
