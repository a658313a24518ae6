import { beforeAll, expect, test } from 'vitest'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import type { PollResponse } from '../../../src/sync/wire/messages.ts'
import type { Answer } from '../../support/call.ts'
import { HEARTBEAT } from '../../support/commands.ts'
import { addCompany, type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { addGateway, enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

interface Row {
  id: string
  name: string
  oib: string
  company_id: string
}

const SQUATTER = `squatter-${process.pid}`
const VICTIM = `victim-${process.pid}`

let server: Gateway
/** Of the squatter: it has told of every company, and sold for the first of them. */
let squatting: Speaker
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
  for (const name of [SQUATTER, VICTIM]) await server.admin('/admin/tenants', { body: { name } })
  squatting = await enrolGateway(server, undefined, SQUATTER)
  for (const [index, oib] of OIBS.slice(1).entries()) {
    const made = fleet({ oib, premisesCode: 'SHOP', label: 'Squat', isuNumber: `${400 + index}` })
    const { body } = await squatting.push([...made.parents(), record('invoice', made.invoice(900))])
    expect(body.refused).toEqual([])
  }
})

const as = (tenant: string) => ({ headers: { 'x-tenant': tenant } })
const list = async (tenant: string, path: string): Promise<Row[]> =>
  (await server.admin<{ data: Row[] }>(path, as(tenant))).body.data
const add = (tenant: string, oib: string): Promise<Answer<Record<string, string>>> =>
  server.admin('/v1/companies', { body: { name: 'Prava d.o.o.', oib }, ...as(tenant) })

test("a tenant makes its company though another tenant's gateway has told of that OIB, also once that is revoked", async () => {
  const oib = String(OIBS[1])
  const made = await add(VICTIM, oib)
  expect(made.status, made.text).toBe(201)
  expect(made.body.id).not.toBe(companyIdOf(oib))
  expect((await add(VICTIM, oib)).body).toMatchObject({ error: { param: 'oib' } })

  expect(await list(VICTIM, '/v1/companies')).toMatchObject([{ name: 'Prava d.o.o.', oib }])
  expect((await list(SQUATTER, '/v1/companies')).map(({ name }) => name)).not.toContain('Prava d.o.o.')
  // Everybody may go on to name a company by the id that follows from its OIB.
  const change = (tenant: string) =>
    server.admin(`/v1/companies/${companyIdOf(oib)}`, { method: 'PATCH', body: { name: 'Prva d.o.o.' }, ...as(tenant) })
  expect((await change(VICTIM)).body).toMatchObject({ id: made.body.id, name: 'Prva d.o.o.' })
  expect((await change(SQUATTER)).body).toMatchObject({ error: { code: 'device_owned_by_gateway' } })
  await server.admin(`/admin/gateways/${squatting.id}/revoke`, { body: {}, ...as(SQUATTER) })
  expect((await change(VICTIM)).status).toBe(200)
})

test('what one tenant has registered another one gets when an operator archives it, and it does not come back', async () => {
  const oib = '70001267048'
  expect((await add(SQUATTER, oib)).status).toBe(201)
  expect((await add(VICTIM, oib)).body).toMatchObject({ error: { param: 'oib' } })
  const set = (status: string) =>
    server.admin(`/v1/companies/${companyIdOf(oib)}`, { method: 'PATCH', body: { status }, ...as(SQUATTER) })
  expect((await set('archived')).status).toBe(200)
  expect((await add(VICTIM, oib)).status).toBe(201)
  expect(await set('active')).toMatchObject({ status: 409, body: { error: { param: 'oib' } } })
})

test('gateways of two tenants tell of one OIB, and no row, number, premises or refusal of one touches the other', async () => {
  const oib = String(OIBS[2])
  const own = fleet({ oib, premisesCode: 'SHOP', label: 'Real', isuNumber: '501' })
  const gateway = await addGateway(server, undefined, VICTIM)
  const premises = [{ company_id: own.companyId, premises_code: 'SHOP' }]
  expect((await gateway.enroll({ premises })).body).toMatchObject({ numbers: [] })
  expect((await gateway.hello({ premises })).body).toMatchObject({ taken: [], numbers: [] })

  const sold = own.invoice(1)
  const { body } = await gateway.push([
    ...own.parents(),
    record('invoice', sold),
    record('message', own.message(sold.id)),
  ])
  expect(body).toMatchObject({ refused: [], conflicts: [] })
  const greeted = await gateway.hello({ premises })
  expect(greeted.body.numbers).toMatchObject([{ company_id: own.companyId, premises_code: 'SHOP', highest: '1' }])
  expect(greeted.body.taken).toEqual([])

  const here = (await list(VICTIM, '/v1/companies')).find((one) => one.oib === oib)?.id
  expect(here).not.toBe(own.companyId)
  for (const id of [here, own.companyId]) {
    expect(await list(VICTIM, `/v1/devices?company_id=${id}`)).toMatchObject([{ id: own.device.id, company_id: here }])
    expect(await list(VICTIM, `/v1/invoices?company_id=${id}`)).toMatchObject([{ id: sold.id, company_id: here }])
    expect(await list(VICTIM, `/v1/certificates?company_id=${id}`)).toMatchObject([{ id: own.certificate.id }])
  }
  for (const path of ['companies', 'devices', 'invoices', 'certificates']) {
    const [victims, squatters] = [await list(VICTIM, `/v1/${path}`), await list(SQUATTER, `/v1/${path}`)]
    const theirs = new Set(squatters.map(({ id }) => id))
    expect(
      victims.filter(({ id }) => theirs.has(id)),
      path,
    ).toEqual([])
  }
  expect((await server.admin(`/v1/invoices/${sold.id}`, as(SQUATTER))).status).toBe(404)
  for (const path of [`companies/${here}`, `devices/${own.device.id}`]) {
    const foreign = { method: 'PATCH', body: { status: 'suspended' }, ...as(SQUATTER) }
    expect((await server.admin(`/v1/${path}`, foreign)).status, path).toBe(404)
  }

  const again = record('company', { ...own.company, name: 'Novo ime d.o.o.' })
  expect((await gateway.push([again, record('invoice', own.invoice(2))])).body.refused).toEqual([])
  expect((await list(VICTIM, '/v1/companies')).find(({ id }) => id === here)?.name).toBe('Novo ime d.o.o.')
  expect((await list(SQUATTER, '/v1/companies')).map(({ name }) => name)).not.toContain('Novo ime d.o.o.')
})

test('what is refused of such a company is named as the gateway named it, and what a gateway is told, too', async () => {
  const oib = String(OIBS[1])
  const gateway = await enrolGateway(server, undefined, VICTIM)
  const own = fleet({ oib, premisesCode: 'KIOSK', label: 'Real 2', isuNumber: '601' })
  await gateway.push(own.parents())
  const [company] = own.parents()
  const rival = await enrolGateway(server, undefined, VICTIM)
  const other = fleet({ oib, premisesCode: 'KIOSK', label: 'Rival', isuNumber: '602' })
  const { body } = await rival.push([
    record('company', { ...other.company, name: 'Drukčija' }),
    ...other.parents().slice(1),
  ])
  expect(body.refused).toMatchObject([{ kind: 'device', id: other.device.id, code: 'premises_owned_by_gateway' }])
  expect(body.conflicts).toMatchObject([{ what: 'company', value: oib }])
  const premises = [{ company_id: own.companyId, premises_code: 'KIOSK' }]
  expect((await rival.hello({ premises })).body.taken).toMatchObject(premises)
  expect(company?.id).toBe(own.companyId)

  const device = { company_id: companyIdOf(oib), premises_code: 'KIOSK2', label: 'New' }
  const sent = await server.admin(`/admin/gateways/${gateway.id}/commands`, {
    ...{ body: { type: 'device.add', body: device }, ...as(VICTIM) },
  })
  expect(sent.status, sent.text).toBe(201)
  const polled = await gateway.ask<PollResponse>('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 })
  const [command] = polled.body.commands
  expect(JSON.parse(Buffer.from(String(command?.payload), 'base64url').toString()).body).toMatchObject(device)
  expect(
    (await gateway.hello({ premises: [{ company_id: own.companyId, premises_code: 'KIOSK2' }] })).body.taken,
  ).toEqual([])
})

test("the tenant that has the company first is left alone by another tenant's gateway", async () => {
  const oib = String(OIBS[0])
  const id =
    (await list('default', '/v1/companies')).find((one) => one.oib === oib)?.id ?? (await addCompany(server, oib))
  expect(id).toBe(companyIdOf(oib))
  const gateway = await enrolGateway(server, undefined, VICTIM)
  const made = fleet({ oib, premisesCode: 'POSL1', label: 'Elsewhere', isuNumber: '701' })
  const { body } = await gateway.push([...made.parents(), record('invoice', made.invoice(10_000))])
  expect(body.refused).toEqual([])
  expect((await list('default', '/v1/devices')).map(({ label }: Row & { label?: string }) => label)).not.toContain(
    'Elsewhere',
  )
  // Nobody else's numbers move this one's.
  expect((await server.sell()).number).not.toBe('10001')
})
