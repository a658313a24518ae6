import { beforeAll, expect, test } from 'vitest'
import { diagnose } from '../../support/diagnosis.ts'
import { type Gateway, startGateway, startSharedGateway, uploadCertificate } from '../../support/gateway.ts'
import { certificateOf, OIBS } from '../../support/pki.ts'
import { enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

let server: Gateway
let kiosk: Fleet
let gateway: Speaker
let soldThere: string
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
  kiosk = fleet({ oib: OIBS[1] })
  gateway = await enrolGateway(server, 'kiosk')
  const open = kiosk.invoice(7, { status: 'retrying', jir: null, confirmedAt: null })
  soldThere = open.id
  await gateway.push([...kiosk.parents(), record('invoice', open)])
})

const refusal = (code: string) => ({ status: 409, body: { error: { code } } })

test('a server does not sell for the device of a gateway', async () => {
  expect(await server.post({ device_id: kiosk.device.id })).toMatchObject(refusal('device_owned_by_gateway'))
})

test('a server neither sends nor prints again what a gateway has issued', async () => {
  expect(await server.v1(`/invoices/${soldThere}/retry`, { method: 'POST' })).toMatchObject(
    refusal('invoice_owned_by_gateway'),
  )
  const copy = await server.admin(`/admin/invoices/${soldThere}/copies`, { method: 'POST' })
  expect(copy).toMatchObject(refusal('invoice_owned_by_gateway'))
  await server.sweep()
  expect(await server.invoice(soldThere)).toMatchObject({ status: 'retrying', attempts: 1, messages: [] })
})

test('a server changes neither device nor company of a gateway, and adds nothing to it', async () => {
  const patch = (path: string, body: object) => server.admin(path, { method: 'PATCH', body })
  const owned = refusal('device_owned_by_gateway')
  expect(await patch(`/v1/devices/${kiosk.device.id}`, { label: 'mine' })).toMatchObject(owned)
  expect(await patch(`/v1/companies/${kiosk.companyId}`, { name: 'mine' })).toMatchObject(owned)
  const device = { company_id: kiosk.companyId, premises_code: 'NEW', label: 'New' }
  expect(await server.admin('/v1/devices', { body: device })).toMatchObject(owned)
  expect(await uploadCertificate(server, kiosk.companyId, await certificateOf(OIBS[1]))).toMatchObject(owned)
  expect(await server.admin(`/admin/certificates/${kiosk.certificate.id}/revoke`, { method: 'POST' })).toMatchObject(
    owned,
  )
})

test('the certificate that a gateway signs with is shown with its company', async () => {
  const { body } = await server.admin<{ data: { id: string; certificate: object }[] }>('/v1/companies')
  const shown = body.data.find(({ id }) => id === kiosk.companyId)
  expect(JSON.stringify(shown)).toContain('"valid"')
})

test('what gateways have told of is no concern of the doctor, the queue or the sweep', async () => {
  const { body } = await server.admin<{ devices: object; queue: object; problems: object[] }>('/admin/status')
  expect(body).toMatchObject({ queue: { retrying: 0 }, devices: { total: 1 } })
  const text = JSON.stringify((await diagnose(server)).filter(({ status }) => status === 'fail'))
  expect(text).not.toMatch(/KIOSK1|Kava|Lobby/)
})

test('a company that a gateway told of can be taken over, and then the gateway is only compared with', async () => {
  const own = await startGateway({ FISKD_ROLE: 'server' })
  const teller = await enrolGateway(own)
  const { parents, company, companyId } = fleet({ oib: OIBS[1] })
  await teller.push(parents())
  const taken = await own.admin('/v1/companies', { body: { name: 'Naša d.o.o.', oib: OIBS[1] } })
  expect(taken.status).toBe(201)
  const told = await teller.push([record('company', { ...company, name: 'Njihova d.o.o.' })])
  expect(told.body.conflicts).toMatchObject([{ what: 'company' }])
  expect((await own.admin('/v1/companies')).text).toContain('Naša d.o.o.')
  const here = { company_id: companyId, premises_code: 'KIOSK1', label: 'Here' }
  const refused = await own.admin<{ error: { message: string } }>('/v1/devices', { body: here })
  expect(refused).toMatchObject(refusal('premises_owned_by_gateway'))
  expect(refused.body.error.message).toContain(teller.name)
  expect((await own.admin('/v1/devices', { body: { ...here, premises_code: 'FREE' } })).status).toBe(201)
})

test('premises that are given free go on above the numbers of the gateway, and the journal is sound', async () => {
  const own = await startGateway({ FISKD_ROLE: 'server' })
  const teller = await enrolGateway(own)
  const { parents, invoice } = fleet({ oib: OIBS[0], premisesCode: 'MOVED', label: 'Moved' })
  await teller.push([...parents(), record('invoice', invoice(41, { year: new Date().getFullYear() }))])
  const device = { company_id: own.companyId, premises_code: 'MOVED', label: 'Here', isu_number: '909' }
  expect((await own.admin('/v1/devices', { body: device })).status).toBe(409)
  await own.admin(`/admin/gateways/${teller.name}/revoke`, { body: { release: true } })
  const deviceId = await own.addDevice(device)
  expect((await own.sell({ device_id: deviceId })).number).toBe('42')
  const journal = (await diagnose(own)).filter(({ name }) => /journal|number/i.test(name))
  expect(journal.filter(({ status }) => status === 'fail')).toEqual([])
  expect(journal.length).toBeGreaterThan(0)
})
