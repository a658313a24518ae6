import { beforeAll, expect, test } from 'vitest'
import { startDashboard } from '../support/dashboard.ts'
import { storeConfig } from '../support/database.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const line = (rate: string) => ({ rate, base: '1.00', amount: '0.07' })
const named = (name: string, rate: string) => ({ name, ...line(rate) })
const refused = (code: string, param: string) => ({ status: 400, body: { error: { code, param } } })

/** A value that no sale can have, the code of the rule, and where it is wrong. */
const WRONG: [Record<string, unknown>, string, string][] = [
  [{ vat: [line('25.00'), line('7.00')] }, 'hr.invalid_vat_rate', 'vat[1].rate'],
  [{ vat: [{ ...line('25.00'), base: 1 }] }, 'invalid_request', 'vat'],
  [{ vat: [null] }, 'invalid_request', 'vat'],
  [{ vat: Array(101).fill(line('25.00')) }, 'invalid_request', 'vat'],
  [{ consumption_tax: [line('5.00')] }, 'hr.invalid_pnp_rate', 'consumption_tax[0].rate'],
  [{ consumption_tax: [line('-1.00')] }, 'hr.invalid_pnp_rate', 'consumption_tax[0].rate'],
  [{ other_taxes: [named('Porez', '1000.00')] }, 'invalid_request', 'other_taxes[0].rate'],
  [{ other_taxes: [named('', '1.00')] }, 'invalid_request', 'other_taxes'],
  [{ fees: [{ name: 'a\u0000b', amount: '0.10' }] }, 'invalid_request', 'fees[0].name'],
  [{ payment_method: 'C' }, 'hr.invalid_payment_method', 'payment_method'],
  [{ payment_method: 'g' }, 'hr.invalid_payment_method', 'payment_method'],
  [{ special_purpose: 'a\u0001' }, 'invalid_request', 'special_purpose'],
  [{ operator_oib: '12345678901' }, 'hr.invalid_oib', 'operator_oib'],
  [{ recipient_oib: '1' }, 'hr.invalid_oib', 'recipient_oib'],
  [{ register_mark: '007' }, 'invalid_request', 'register_mark'],
  [{ sale_type: 'Attended' }, 'invalid_request', 'sale_type'],
  [{ default_vat_rate: '7.00' }, 'hr.invalid_vat_rate', 'default_vat_rate'],
  [{ default_vat_rate: '25' }, 'invalid_request', 'default_vat_rate'],
  [{ default_vat_rate: 25 }, 'invalid_request', 'default_vat_rate'],
  [{ default_vat_rate: '25,00' }, 'invalid_request', 'default_vat_rate'],
  [{ receipt: { paper: 'wide' } }, 'invalid_request', 'receipt.paper'],
  [{ receipt: 'Hvala' }, 'invalid_request', 'receipt'],
]

test.each(WRONG)('a device with %j is refused, whether it is made or changed', async (device_config, code, path) => {
  const id = await gateway.addDevice()
  const param = `device_config.${path}`
  const change = { method: 'PATCH', body: { device_config } }
  expect(await gateway.admin(`/v1/devices/${id}`, change)).toMatchObject(refused(code, param))
  const device = { company_id: gateway.companyId, premises_code: 'POSL1', label: `new ${path}`, device_config }
  expect(await gateway.admin('/v1/devices', { body: device })).toMatchObject(refused(code, param))
})

test.each(WRONG)('a company with %j is refused, whether it is made or changed', async (fiscal_config, code, path) => {
  const param = `fiscal_config.${path}`
  const change = { method: 'PATCH', body: { fiscal_config } }
  expect(await gateway.admin(`/v1/companies/${gateway.companyId}`, change)).toMatchObject(refused(code, param))
  const company = { name: 'Nova', oib: OIBS[2], fiscal_config }
  expect(await gateway.admin('/v1/companies', { body: company })).toMatchObject(refused(code, param))
})

test('what only a company is configured with is refused there, and is any other key of a device', async () => {
  const wrong = { sequence_mode: 'n', activity: '' }
  const company = `/v1/companies/${gateway.companyId}`
  for (const [key, value] of Object.entries(wrong))
    expect(await gateway.admin(company, { method: 'PATCH', body: { fiscal_config: { [key]: value } } })).toMatchObject(
      refused('invalid_request', `fiscal_config.${key}`),
    )
  expect(
    (await gateway.admin('/v1/devices', { body: { ...deviceOf('of company'), device_config: wrong } })).status,
  ).toBe(201)
})

test('a row of a file with such a value is refused with its path, in a dry run, too, and the others are taken', async () => {
  const cell = (config: object) => `"${JSON.stringify(config).replaceAll('"', '""')}"`
  const rows = [`wrong,FILE1,${cell({ vat: [line('7.00')] })}`, `right,FILE2,${cell({ vat: [line('5.00')] })}`]
  for (const dry_run of ['true', 'false']) {
    const body = new FormData()
    body.set('file', new Blob([`label,premises_code,device_config\n${rows.join('\n')}\n`]), 'devices.csv')
    body.set('company_id', gateway.companyId)
    body.set('dry_run', dry_run)
    expect((await gateway.admin('/v1/devices/import', { body })).body).toMatchObject({
      ...{ created: 1, failed: 1 },
      errors: [{ row: 2, code: 'hr.invalid_vat_rate', param: 'device_config.vat[0].rate' }],
    })
  }
})

test('a value that is stored already stays when another one changes, and may not be set again after it was corrected', async () => {
  const deviceId = await gateway.addDevice()
  const path = `/v1/devices/${deviceId}`
  const stored = { default_vat_rate: '25', receipt: { paper: 'wide' } }
  await storeConfig(gateway, { deviceId }, stored)
  const set = (device_config: object) => gateway.admin(path, { method: 'PATCH', body: { device_config } })
  const with_ = { ...stored, payment_method: 'K' }
  expect(await set(with_)).toMatchObject({ status: 200, body: { device_config: with_ } })
  expect((await set({ default_vat_rate: '25.00' })).status).toBe(200)
  expect(await set(stored)).toMatchObject(refused('invalid_request', 'device_config.default_vat_rate'))
})

test('a sale that a configuration has refused says where it is configured, and one that sends its own is taken', async () => {
  const deviceId = await gateway.addDevice({ isu_number: '8801' })
  const refusedBy = async (config: object, code: string, param: string, where = 'device_config') => {
    await storeConfig(gateway, { deviceId }, config)
    const message = expect.stringContaining(where)
    const error = { code, param, message }
    expect(await gateway.post({ device_id: deviceId, payment_method: undefined })).toMatchObject({
      status: 400,
      body: { error },
    })
  }
  const K = { payment_method: 'K' }
  await refusedBy({ ...K, vat: [line('7.00')] }, 'hr.invalid_vat_rate', 'device_config.vat[0].rate')
  await refusedBy({ ...K, special_purpose: '\u0001' }, 'invalid_request', 'device_config.special_purpose')
  await refusedBy({ payment_method: 'T' }, 'hr.invalid_payment_method', 'device_config.payment_method')
  await refusedBy({ payment_method: null }, 'invalid_request', 'payment_method')
  await refusedBy(
    { ...K, sale_type: 'attended' },
    'invalid_request',
    'register_mark',
    'sale_type is set in device_config',
  )
  await storeConfig(gateway, { deviceId }, { vat: [line('7.00')] })
  expect((await gateway.sell({ device_id: deviceId, vat: [line('5.00')] })).status).toBe('confirmed')
  expect((await gateway.post({ device_id: deviceId, vat: [line('8.00')] })).body.error.param).toBe('vat[0].rate')
})

test.each([
  ['Default_VAT_rate', 'default_vat_rate'],
  ['defaultVatRate', 'default_vat_rate'],
  ['payment-method', 'payment_method'],
  ['paymnet_method', 'payment_method'],
  ['fee', 'fees'],
])(
  'status names the key %s, which is nearly one that sales read, and the machine goes on selling',
  async (key, meant) => {
    const change = (fiscal_config: object) =>
      gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body: { fiscal_config } })
    expect((await change({ [key]: '25.00', note: 1 })).status).toBe(200)
    const { body } = await gateway.admin<{ can_sell: boolean; problems: object[] }>('/admin/status')
    expect(body).toMatchObject({
      can_sell: true,
      problems: expect.arrayContaining([
        expect.objectContaining({
          subject: `Samoposluga d.o.o., ${key}`,
          problem: `no sale reads this setting: is ${meant} meant?`,
          fix: expect.stringMatching(`^fisk company set \\d{11} --unset ${key} --config ${meant}=VALUE$`),
        }),
      ]),
    })
    expect((await change({})).status).toBe(200)
  },
)

test('the page of settings names what is stored and ignored, and refuses what no sale can have', async () => {
  const office = await startDashboard()
  const admin = await office.as('admin')
  await storeConfig(office, office, { default_vat_rate: '25', defaultVatRate: '25.00' })
  const path = `/dashboard/companies/${office.companyId}/settings`
  const page = await admin.get(path)
  expect(page.words).toContain('defaultVatRate')
  expect(page.text).toContain('&quot;25&quot;')
  const wrong = await admin.submit(path, { 'set-vat': '7; 1,00; 0,07' })
  expect(wrong.status).toBe(422)
})

const deviceOf = (label: string) => ({ company_id: gateway.companyId, premises_code: 'POSL1', label })
