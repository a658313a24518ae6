import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, onTestFinished } from 'vitest'
import type { Simulator } from '../../src/simulator/index.ts'
import { addCompany, type Gateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { row } from '../support/row.ts'
import {
  ahead,
  companyOf,
  DAY_MS,
  element,
  expectBetween,
  freshOib,
  type List,
  MINUTE_MS,
  messageOf,
  patchCompany,
  postCompany,
  postDevice,
  refusal,
  startGatewayOfBothModes,
  timed,
  UUID,
} from './support-fields.ts'

let gateway: Gateway
let live: Simulator
beforeAll(async () => {
  ;({ gateway, live } = await startGatewayOfBothModes())
})

row('Company | id', 'is a UUID by which devices and changes find the company', async () => {
  const { status, body } = await postCompany(gateway)
  expect(status).toBe(201)
  expect(body.id).toMatch(UUID)
  expect(await companyOf(gateway, body.id)).toMatchObject({ id: body.id, oib: body.oib })
  expect(await postDevice(gateway, { company_id: body.id })).toMatchObject({ body: { company_id: body.id } })
  expect(await patchCompany(gateway, body.id, { name: 'Nova' })).toMatchObject({ body: { id: body.id, oib: body.oib } })
})

row('Company | name', 'has 1 to 200 characters, whatever alphabet they are of', async () => {
  const { body } = await postCompany(gateway)
  for (const name of ['x', 'Čokolada & "šećer" d.o.o.', 'ž'.repeat(200), '😀'.repeat(200)]) {
    expect(await postCompany(gateway, { name })).toMatchObject({ status: 201, body: { name } })
    expect(await patchCompany(gateway, body.id, { name })).toMatchObject({ status: 200, body: { name } })
    expect(await companyOf(gateway, body.id)).toMatchObject({ name })
  }
  for (const name of ['', 'x'.repeat(201), null, 5]) {
    expect(await postCompany(gateway, { name })).toMatchObject(refusal(400, 'invalid_request', 'name'))
    expect(await patchCompany(gateway, body.id, { name })).toMatchObject(refusal(400, 'invalid_request', 'name'))
  }
  expect(await postCompany(gateway, { name: undefined })).toMatchObject(refusal(400, 'invalid_request', 'name'))
})

row('Company | oib', 'is checked by its check digit', async () => {
  const oib = freshOib()
  const wrong = `${oib.slice(0, 10)}${(Number(oib[10]) + 1) % 10}`
  expect(await postCompany(gateway, { oib: wrong })).toMatchObject(refusal(400, 'hr.invalid_oib', 'oib'))
  expect(await postCompany(gateway, { oib: Number(oib) })).toMatchObject(refusal(400, 'invalid_request', 'oib'))
  expect(await postCompany(gateway, { oib: undefined })).toMatchObject(refusal(400, 'invalid_request', 'oib'))
  expect(await postCompany(gateway, { oib })).toMatchObject({ status: 201, body: { oib } })
})

row(
  'Company | oib',
  'is unique across all companies that are registered, those of other tenants too, and never changes',
  async () => {
    const { body } = await postCompany(gateway)
    const again = { name: 'Druga', oib: body.oib }
    expect(await postCompany(gateway, again)).toMatchObject(refusal(409, 'invalid_request', 'oib'))
    expect(await postCompany(gateway, { ...again, mode: 'live' })).toMatchObject(refusal(409, 'invalid_request', 'oib'))
    const tenant = await gateway.admin('/admin/tenants', { body: { name: 'druga' } })
    const headers = { 'x-tenant': String(tenant.body.id) }
    expect(await postCompany(gateway, again, { headers })).toMatchObject(refusal(409, 'invalid_request', 'oib'))
    expect((await postCompany(gateway, { oib: freshOib() }, { headers })).status).toBe(201)
    const changed = await patchCompany(gateway, body.id, { oib: freshOib() })
    expect(changed).toMatchObject(refusal(400, 'invalid_request', 'oib'))
    expect(await companyOf(gateway, body.id)).toMatchObject({ oib: body.oib, name: body.name })
  },
)

row('Company | oib', 'must be the one in the subject of its certificate', async () => {
  const { body } = await postCompany(gateway)
  const answer = await uploadCertificate(gateway, String(body.id), await certificateOf(OIBS[0]))
  expect(answer).toMatchObject(refusal(400, 'hr.certificate_oib_mismatch', 'file'))
  expect(await companyOf(gateway, body.id)).toMatchObject({ certificate_status: 'missing' })
})

row('Company | vat_registered', 'is true by default, and what the tax authority is told', async () => {
  expect(await companyOf(gateway, gateway.companyId)).toMatchObject({ vat_registered: true })
  expect(element(messageOf(gateway, await gateway.sell()), 'USustPdv')).toBe('true')
  const changed = await changeSeller({ vat_registered: false })
  expect(changed).toMatchObject({ status: 200, body: { vat_registered: false } })
  expect(element(messageOf(gateway, await gateway.sell()), 'USustPdv')).toBe('false')
  const sold = await gateway.sell({ vat_registered: true })
  expect(element(messageOf(gateway, sold), 'USustPdv')).toBe('true')
})

row('Company | vat_registered', 'is a boolean and nothing else', async () => {
  for (const vat_registered of ['true', 1, null]) {
    const answer = await postCompany(gateway, { vat_registered })
    expect(answer).toMatchObject(refusal(400, 'invalid_request', 'vat_registered'))
  }
  expect(await postCompany(gateway, { vat_registered: false })).toMatchObject({ body: { vat_registered: false } })
})

row('Company | address', 'is {} by default, comes back as it was sent and is replaced as a whole', async () => {
  const { body } = await postCompany(gateway)
  expect(body.address).toEqual({})
  const address = { street: 'Ilica 1', city: 'Zagreb', postal_code: '10000', country: 'HR' }
  const made = await postCompany(gateway, { address })
  expect(made.body.address).toEqual(address)
  const changed = await patchCompany(gateway, made.body.id, { address: { city: 'Čakovec' } })
  expect(changed.body.address).toEqual({ city: 'Čakovec' })
  expect((await companyOf(gateway, made.body.id)).address).toEqual({ city: 'Čakovec' })
  for (const wrong of ['Ilica 1', null, ['Ilica 1'], 5]) {
    expect(await postCompany(gateway, { address: wrong })).toMatchObject(refusal(400, 'invalid_request', 'address'))
  }
})

row('Company | fiscal_config', 'is {} by default, keeps what was sent and is replaced as a whole', async () => {
  const { body } = await postCompany(gateway)
  expect(body.fiscal_config).toEqual({})
  const fiscal_config = { sequence_mode: 'N', default_vat_rate: '25.00', vat: null, other: { kept: [1, 'dva', true] } }
  const made = await postCompany(gateway, { fiscal_config })
  expect(made.body.fiscal_config).toEqual(fiscal_config)
  await patchCompany(gateway, made.body.id, { fiscal_config: { special_purpose: 'x' } })
  expect((await companyOf(gateway, made.body.id)).fiscal_config).toEqual({ special_purpose: 'x' })
  for (const wrong of ['N', null, []]) {
    const answer = await postCompany(gateway, { fiscal_config: wrong })
    expect(answer).toMatchObject(refusal(400, 'invalid_request', 'fiscal_config'))
  }
})

row('Company | fiscal_config', 'sequence_mode says how attended sales are numbered', async () => {
  const attended = { sale_type: 'attended', operator_oib: OIBS[1] }
  for (const [sequence_mode, numbers] of [
    ['N', ['1', '1', '2']],
    ['P', ['1', '2', '3']],
    ['wrong', ['1', '2', '3']],
  ] as const) {
    await changeSeller({ fiscal_config: { sequence_mode } })
    const device_id = await gateway.addDevice({ premises_code: `NIZ${sequence_mode}` })
    const sold = []
    for (const register_mark of ['1', '2', '1']) {
      sold.push(await gateway.sell({ ...attended, device_id, register_mark }))
    }
    expect(sold.map(({ number }) => number)).toEqual(numbers)
    const marks = sold.map((sale) => element(messageOf(gateway, sale), 'OznSlijed'))
    expect(new Set(marks)).toEqual(new Set([sequence_mode === 'N' ? 'N' : 'P']))
  }
})

row(
  'Company | fiscal_config',
  'default_vat_rate applies to sales without vat, unless the device has its own',
  async () => {
    await changeSeller({ fiscal_config: { default_vat_rate: '25.00' } })
    const device_id = await gateway.addDevice({ isu_number: '3001', device_config: { default_vat_rate: '13.00' } })
    const rateOf = async (sale: object) => {
      const xml = messageOf(gateway, await gateway.sell({ total: '10.00', ...sale }))
      return ['Stopa', 'Osnovica', 'Iznos'].map((name) => element(xml, name))
    }
    expect(await rateOf({})).toEqual(['25.00', '8.00', '2.00'])
    expect(await rateOf({ device_id })).toEqual(['13.00', '8.85', '1.15'])
    expect(await rateOf({ vat: null })).toEqual([undefined, undefined, undefined])
    await changeSeller({ vat_registered: false })
    expect(await rateOf({})).toEqual([undefined, undefined, undefined])
  },
)

row('Company | fiscal_config', 'has the keys of device_config, which comes first', async () => {
  const fiscal_config = { special_purpose: 'company', payment_method: 'K', fees: [{ name: 'Polog', amount: '0.07' }] }
  await changeSeller({ fiscal_config })
  const device_config = { special_purpose: 'device', fees: null }
  const device_id = await gateway.addDevice({ isu_number: '3002', device_config })
  const facts = async (sale: object) => {
    const xml = messageOf(gateway, await gateway.sell({ payment_method: undefined, ...sale }))
    return ['SpecNamj', 'NacinPlac', 'NazivN', 'IznosN'].map((name) => element(xml, name))
  }
  expect(await facts({})).toEqual(['company', 'K', 'Polog', '0.07'])
  expect(await facts({ device_id })).toEqual(['device', 'K', undefined, undefined])
  expect(await facts({ device_id, special_purpose: 'sale' })).toEqual(['sale', 'K', undefined, undefined])
})

row('Company | mode', 'is test by default, or live', async () => {
  expect((await postCompany(gateway)).body.mode).toBe('test')
  for (const mode of ['test', 'live']) {
    expect(await postCompany(gateway, { mode })).toMatchObject({ status: 201, body: { mode } })
  }
  for (const mode of ['demo', 'LIVE', '', null]) {
    expect(await postCompany(gateway, { mode })).toMatchObject(refusal(400, 'invalid_request', 'mode'))
  }
})

row('Company | mode', 'decides which service of the tax authority is reached', async () => {
  const company_id = await addCompany(gateway, OIBS[2], { mode: 'live' })
  const device_id = await gateway.addDevice({ company_id, isu_number: '3003' })
  const authorization = `Bearer ${await gateway.createKey({ mode: 'live' })}`
  const headers = { authorization, 'idempotency-key': 'live' }
  const { body } = await gateway.v1('/invoices', { body: gateway.sale({ device_id }), headers })
  const tested = await gateway.sell()
  expect(live.received.map(({ jir }) => jir)).toEqual([body.jir])
  expect(gateway.cis.received.at(-1)?.jir).toBe(tested.jir)
  expect(gateway.cis.received.map(({ oib }) => oib)).not.toContain(OIBS[2])
})

row('Company | status', 'is active, suspended or archived, and only an active company sells', async () => {
  const { body } = await postCompany(gateway)
  expect(body.status).toBe('active')
  for (const status of ['suspended', 'archived', 'active']) {
    expect(await patchCompany(gateway, body.id, { status })).toMatchObject({ status: 200, body: { status } })
    expect(await companyOf(gateway, body.id)).toMatchObject({ status })
    const { body: list }: List = await gateway.admin(`/v1/companies?limit=200&status=${status}`)
    expect(list.data.map(({ id }) => id)).toContain(body.id)
    await changeSeller({ status })
    const expected = status === 'active' ? { status: 200 } : refusal(400, 'device_inactive', 'device_id')
    expect(await gateway.post()).toMatchObject(expected)
  }
  for (const status of ['inactive', '', null]) {
    expect(await patchCompany(gateway, body.id, { status })).toMatchObject(refusal(400, 'invalid_request', 'status'))
  }
})

row('Company | certificate_status', 'is missing, valid, expiring under 60 days, then expired', async () => {
  const made = await postCompany(gateway, { oib: OIBS[1] })
  const id = made.body.id
  expect(made.body.certificate_status).toBe('missing')
  expect(await companyOf(gateway, id)).toMatchObject({ certificate_status: 'missing' })
  const certificate = await certificateOf(OIBS[1])
  expect((await uploadCertificate(gateway, String(id), certificate)).status).toBe(201)
  const end = endOf(certificate) - Date.now()
  for (const [aheadMs, certificate_status] of [
    [0, 'valid'],
    [end - 60 * DAY_MS - MINUTE_MS, 'valid'],
    [end - 60 * DAY_MS + MINUTE_MS, 'expiring'],
    [end - MINUTE_MS, 'expiring'],
    [end + MINUTE_MS, 'expired'],
  ] as const) {
    await ahead(gateway, aheadMs, async () => {
      expect(await companyOf(gateway, id)).toMatchObject({ certificate_status })
      expect(await patchCompany(gateway, id, {})).toMatchObject({ body: { certificate_status } })
    })
  }
})

row('Company | certificate_expires_at', 'is the end of the certificate in use, null without one', async () => {
  const oib = freshOib()
  const made = await postCompany(gateway, { oib })
  expect(made.body.certificate_expires_at).toBeNull()
  for (const days of [90, 30]) {
    const notAfter = new Date(Math.ceil(Date.now() / 1000) * 1000 + days * DAY_MS)
    const certificate = await pki.issueCompany({ oib, notAfter })
    await uploadCertificate(gateway, String(made.body.id), certificate)
    const company = await companyOf(gateway, made.body.id)
    expectBetween(company.certificate_expires_at, notAfter.getTime(), notAfter.getTime())
    expect(company.certificate_status).toBe(days === 90 ? 'valid' : 'expiring')
  }
})

row('Company | created_at', 'is when the company was registered, whatever changes later', async () => {
  const { result, from, to } = await timed(() => postCompany(gateway))
  expectBetween(result.body.created_at, from, to)
  await ahead(gateway, DAY_MS, () => patchCompany(gateway, result.body.id, { name: 'Nova' }))
  expect(await companyOf(gateway, result.body.id)).toMatchObject({ created_at: result.body.created_at })
})

function endOf({ certDer }: { certDer: Buffer }): number {
  return Date.parse(new X509Certificate(certDer).validTo)
}

/** Changes the company of the gateway until the end of the test. */
function changeSeller(changes: object) {
  onTestFinished(async () => {
    const asItWas = { vat_registered: true, fiscal_config: {}, status: 'active' }
    await patchCompany(gateway, gateway.companyId, asItWas)
  })
  return patchCompany(gateway, gateway.companyId, changes)
}
