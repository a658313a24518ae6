import { beforeAll, expect } from 'vitest'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import {
  ahead,
  DAY_MS,
  deviceOf,
  element,
  expectBetween,
  type List,
  MINUTE_MS,
  messageOf,
  patchDevice,
  postCompany,
  postDevice,
  refusal,
  retried,
  sellOffline,
  timed,
  UUID,
} from './support-fields.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

row('Device | id', 'is the UUID that a sale names', async () => {
  const { status, body } = await postDevice(gateway, { isu_number: '4001' })
  expect(status).toBe(201)
  expect(body.id).toMatch(UUID)
  const sold = await gateway.sell({ device_id: body.id })
  expect(await gateway.invoice(sold.id)).toMatchObject({ device_id: body.id })
  expect((await postDevice(gateway)).body.id).not.toBe(body.id)
})

row('Device | company_id', 'is the UUID of the company it was registered for, and never changes', async () => {
  const other = await postCompany(gateway)
  const { body } = await postDevice(gateway)
  expect(body.company_id).toBe(gateway.companyId)
  const moved = await patchDevice(gateway, body.id, { company_id: other.body.id, label: 'moved' })
  expect(moved).toMatchObject(refusal(400, 'invalid_request', 'company_id'))
  expect(await deviceOf(gateway, body.id)).toMatchObject({ company_id: gateway.companyId, label: body.label })
})

row('Device | premises_code', 'is 1 to 20 letters and digits, as the tax authority gets it', async () => {
  for (const [i, premises_code] of ['1', 'A', 'posl1', 'POSL1', 'aZ09'.repeat(5)].entries()) {
    const { status, body } = await postDevice(gateway, { premises_code, isu_number: `41${i}` })
    expect({ status, premises_code: body.premises_code }).toEqual({ status: 201, premises_code })
    const sold = await gateway.sell({ device_id: body.id })
    expect(element(messageOf(gateway, sold), 'OznPosPr')).toBe(premises_code)
  }
  for (const premises_code of [
    '',
    'A'.repeat(21),
    'POSL 1',
    'POSL-1',
    'POSL_1',
    'ČAK1',
    'POSL1\n',
    1,
    null,
    undefined,
  ]) {
    const answer = await postDevice(gateway, { premises_code })
    expect(answer, String(premises_code)).toMatchObject(refusal(400, 'invalid_request', 'premises_code'))
  }
})

row('Device | premises_code', 'never changes', async () => {
  const { body } = await postDevice(gateway)
  const answer = await patchDevice(gateway, body.id, { premises_code: 'POSL2' })
  expect(answer).toMatchObject(refusal(400, 'invalid_request', 'premises_code'))
  expect(await deviceOf(gateway, body.id)).toMatchObject({ premises_code: 'POSL1' })
})

row('Device | premises_address', 'is free text that the tax authority never sees', async () => {
  const premises_address = 'Trg bana Jelačića 1 & 2, "kat" <3>\n10000 Zagreb'
  const { body } = await postDevice(gateway, { premises_address, isu_number: '4002' })
  expect(body.premises_address).toBe(premises_address)
  expect(await deviceOf(gateway, body.id)).toMatchObject({ premises_address })
  const xml = messageOf(gateway, await gateway.sell({ device_id: body.id }))
  expect(element(xml, 'OznPosPr')).toBe('POSL1')
  expect(xml).not.toMatch(/bana|Zagreb<|10000/)
  const changed = await patchDevice(gateway, body.id, { premises_address: 'Ilica 1' })
  expect(changed).toMatchObject({ status: 200, body: { premises_address: 'Ilica 1' } })
  const wrong = await postDevice(gateway, { premises_address: 5 })
  expect(wrong).toMatchObject(refusal(400, 'invalid_request', 'premises_address'))
})

row('Device | label', 'has 1 to 200 characters', async () => {
  const { body } = await postDevice(gateway)
  for (const label of ['x', 'Aparat za čaj, 2. kat', 'ž'.repeat(200), '😀'.repeat(200)]) {
    expect(await postDevice(gateway, { label })).toMatchObject({ status: 201, body: { label } })
  }
  for (const label of ['', 'x'.repeat(201), null, 5]) {
    expect(await postDevice(gateway, { label })).toMatchObject(refusal(400, 'invalid_request', 'label'))
    expect(await patchDevice(gateway, body.id, { label })).toMatchObject(refusal(400, 'invalid_request', 'label'))
  }
  expect(await postDevice(gateway, { label: undefined })).toMatchObject(refusal(400, 'invalid_request', 'label'))
})

row('Device | label', 'is unique within the company, not beyond', async () => {
  const other = await postCompany(gateway)
  const label = 'Kavomat kod lifta'
  expect((await postDevice(gateway, { label })).status).toBe(201)
  expect(await postDevice(gateway, { label })).toMatchObject(refusal(409, 'invalid_request', 'label'))
  const elsewhere = await postDevice(gateway, { label, premises_code: 'POSL2' })
  expect(elsewhere).toMatchObject(refusal(409, 'invalid_request', 'label'))
  expect((await postDevice(gateway, { label, company_id: other.body.id })).status).toBe(201)
  const { body } = await postDevice(gateway)
  expect(await patchDevice(gateway, body.id, { label })).toMatchObject(refusal(409, 'invalid_request', 'label'))
  expect(await patchDevice(gateway, body.id, { label: body.label })).toMatchObject({ status: 200 })
})

row('Device | label', 'is what a CSV import matches by', async () => {
  const { body } = await postDevice(gateway)
  const form = new FormData()
  form.set('company_id', gateway.companyId)
  form.set('file', new Blob([`label,premises_code,isu_number\n${body.label},POSL1,4003\n`]), 'devices.csv')
  const imported = await gateway.admin('/v1/devices/import', { body: form })
  expect(imported).toMatchObject({ status: 200, body: { created: 0, updated: 1 } })
  expect(await deviceOf(gateway, body.id)).toMatchObject({ label: body.label, isu_number: '4003' })
})

row('Device | isu_number', 'is null or digits without leading zeros, as the tax authority gets it', async () => {
  expect((await postDevice(gateway)).body.isu_number).toBeNull()
  expect((await postDevice(gateway, { isu_number: null })).body.isu_number).toBeNull()
  for (const isu_number of ['7', '123456789', '12345678901234567890']) {
    const { body } = await postDevice(gateway, { isu_number })
    expect(await deviceOf(gateway, body.id)).toMatchObject({ isu_number })
    const sold = await gateway.sell({ device_id: body.id })
    expect(element(messageOf(gateway, sold), 'OznNapUr')).toBe(isu_number)
  }
  const { body } = await postDevice(gateway)
  for (const isu_number of ['0123', '0', '', '12a', '-1', '1.0', ' 1', 123456789]) {
    const refused = refusal(400, 'invalid_request', 'isu_number')
    expect(await postDevice(gateway, { isu_number }), String(isu_number)).toMatchObject(refused)
    expect(await patchDevice(gateway, body.id, { isu_number }), String(isu_number)).toMatchObject(refused)
  }
})

row('Device | isu_number', 'belongs to one device', async () => {
  const { body } = await postDevice(gateway)
  const other = await postCompany(gateway)
  const refused = refusal(409, 'invalid_request', 'isu_number')
  expect((await postDevice(gateway, { isu_number: '4004' })).status).toBe(201)
  expect(await postDevice(gateway, { isu_number: '4004' })).toMatchObject(refused)
  expect(await postDevice(gateway, { isu_number: '4004', company_id: other.body.id })).toMatchObject(refused)
  expect(await patchDevice(gateway, body.id, { isu_number: '4004' })).toMatchObject(refused)
})

row('Device | isu_status', 'is pending without a number, assigned with one', async () => {
  const { body } = await postDevice(gateway)
  expect(body.isu_status).toBe('pending')
  expect((await postDevice(gateway, { isu_number: '4005' })).body.isu_status).toBe('assigned')
  for (const [isu_number, isu_status] of [
    ['4006', 'assigned'],
    [null, 'pending'],
    ['4006', 'assigned'],
  ]) {
    const changed = await patchDevice(gateway, body.id, { isu_number })
    expect(changed).toMatchObject({ status: 200, body: { isu_number, isu_status } })
    const expected = isu_number ? { status: 200 } : refusal(400, 'hr.device_missing_isu', 'device_id')
    expect(await gateway.post({ device_id: body.id })).toMatchObject(expected)
    const { body: list }: List = await gateway.admin(`/v1/devices?limit=200&isu_status=${isu_status}`)
    expect(list.data.map(({ id }) => id)).toContain(body.id)
  }
})

row('Device | isu_status', 'is mismatch once the tax authority has rejected the number', async () => {
  const { body } = await postDevice(gateway, { isu_number: '4007' })
  gateway.cis.misbehave({ error: 's013', codes: [183] })
  expect(await gateway.sell({ device_id: body.id })).toMatchObject({ status: 'failed' })
  expect(await deviceOf(gateway, body.id)).toMatchObject({ isu_status: 'mismatch', isu_number: '4007' })
  const { body: list }: List = await gateway.admin('/v1/devices?isu_status=mismatch')
  expect(list.data.map(({ id }) => id)).toEqual([body.id])
})

row('Device | device_config', 'is {} by default, keeps what was sent and is replaced as a whole', async () => {
  expect((await postDevice(gateway)).body.device_config).toEqual({})
  const device_config = { special_purpose: 'kava', vat: null, unknown: { kept: [1, 'dva'] } }
  const { body } = await postDevice(gateway, { device_config })
  expect(body.device_config).toEqual(device_config)
  await patchDevice(gateway, body.id, { device_config: { payment_method: 'K' } })
  expect((await deviceOf(gateway, body.id)).device_config).toEqual({ payment_method: 'K' })
  for (const wrong of ['K', null, []]) {
    const answer = await postDevice(gateway, { device_config: wrong })
    expect(answer).toMatchObject(refusal(400, 'invalid_request', 'device_config'))
  }
})

row('Device | device_config', 'gives a sale what it leaves out', async () => {
  const device_config = { special_purpose: 'kava', payment_method: 'K', default_vat_rate: '5.00' }
  const { body } = await postDevice(gateway, { device_config, isu_number: '4008' })
  const facts = async (sale: object) => {
    const xml = messageOf(gateway, await gateway.sell({ device_id: body.id, ...sale }))
    return ['SpecNamj', 'NacinPlac', 'Stopa'].map((name) => element(xml, name))
  }
  expect(await facts({ payment_method: undefined })).toEqual(['kava', 'K', '5.00'])
  expect(await facts({ payment_method: 'O', special_purpose: null, vat: [] })).toEqual([undefined, 'O', undefined])
})

row('Device | status', 'is active, suspended or archived, and only an active device sells', async () => {
  const { body } = await postDevice(gateway, { isu_number: '4009' })
  expect(body.status).toBe('active')
  for (const status of ['suspended', 'archived', 'active']) {
    expect(await patchDevice(gateway, body.id, { status })).toMatchObject({ status: 200, body: { status } })
    const expected = status === 'active' ? { status: 200 } : refusal(400, 'device_inactive', 'device_id')
    expect(await gateway.post({ device_id: body.id })).toMatchObject(expected)
    const { body: list }: List = await gateway.admin(`/v1/devices?limit=200&status=${status}`)
    expect(list.data.map(({ id }) => id)).toContain(body.id)
  }
  for (const status of ['inactive', '', null]) {
    expect(await patchDevice(gateway, body.id, { status })).toMatchObject(refusal(400, 'invalid_request', 'status'))
  }
})

row('Device | installed_at', 'is when the device was registered', async () => {
  const { result, from, to } = await timed(() => postDevice(gateway))
  expectBetween(result.body.installed_at, from, to)
  await ahead(gateway, DAY_MS, () => patchDevice(gateway, result.body.id, { isu_number: '4010' }))
  expect(await deviceOf(gateway, result.body.id)).toMatchObject({ installed_at: result.body.installed_at })
})

row('Device | last_seen_at', 'is its last POST, successful or not', async () => {
  const { body } = await postDevice(gateway)
  expect(body.last_seen_at).toBeNull()
  const seenAfter = async (aheadMs: number, post: () => Promise<unknown>) => {
    const { from, to } = await timed(() => ahead(gateway, aheadMs, post))
    expectBetween((await deviceOf(gateway, body.id)).last_seen_at, from + aheadMs, to + aheadMs)
  }
  const post = (sale: object) => () => gateway.post({ device_id: body.id, ...sale })
  await seenAfter(0, post({}))
  await patchDevice(gateway, body.id, { isu_number: '4011' })
  await seenAfter(MINUTE_MS, post({ total: '1' }))
  await seenAfter(2 * MINUTE_MS, post({ payment_method: 'T' }))
  await seenAfter(3 * MINUTE_MS, () => gateway.v1('/invoices', { body: gateway.sale({ device_id: body.id }) }))
  await seenAfter(4 * MINUTE_MS, () => sellOffline(gateway, { device_id: body.id }))
  const occurred_at = new Date().toISOString()
  await seenAfter(5 * MINUTE_MS, post({ occurred_at }))
  await gateway.sell()
  const { last_seen_at } = await deviceOf(gateway, body.id)
  expect(Date.parse(String(last_seen_at))).toBeGreaterThan(Date.now() + 4 * MINUTE_MS)
})

row('Device | last_success_at', 'is its last sale that got a JIR', async () => {
  const { body } = await postDevice(gateway, { isu_number: '4012' })
  const lastSuccess = async () => (await deviceOf(gateway, body.id)).last_success_at
  expect(body.last_success_at).toBeNull()
  const waiting = await sellOffline(gateway, { device_id: body.id })
  gateway.cis.misbehave({ error: 's001' })
  await gateway.sell({ device_id: body.id })
  await gateway.post({ device_id: body.id, total: '1' })
  expect(await lastSuccess()).toBeNull()

  const { from, to } = await timed(() => gateway.sell({ device_id: body.id }))
  expectBetween(await lastSuccess(), from, to)
  const retry = await timed(() => ahead(gateway, MINUTE_MS, () => retried(gateway, waiting.id)))
  expectBetween(await lastSuccess(), retry.from + MINUTE_MS, retry.to + MINUTE_MS)
  await gateway.sell()
  expectBetween(await lastSuccess(), retry.from + MINUTE_MS, retry.to + MINUTE_MS)
})

row('Device | created_at', 'is when the device was registered, whatever changes later', async () => {
  const { result, from, to } = await timed(() => postDevice(gateway))
  expectBetween(result.body.created_at, from, to)
  await ahead(gateway, DAY_MS, () => patchDevice(gateway, result.body.id, { premises_address: OIBS[0] }))
  expect(await deviceOf(gateway, result.body.id)).toMatchObject({ created_at: result.body.created_at })
})
