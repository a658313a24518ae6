import { beforeAll, expect, test } from 'vitest'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { addGateway, enrolGateway } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

const [OWN, OTHER] = [OIBS[1], OIBS[2]]

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

const keepTo = (id: string, companies: string[] | null) =>
  server.admin<{ companies: string[] | null }>(`/admin/gateways/${id}`, { method: 'PATCH', body: { companies } })
const at = (oib: string, code: string) => ({ company_id: companyIdOf(oib), premises_code: code })
const premisesOf = async (id: string) =>
  (await server.admin<{ premises: object[] }>(`/admin/gateways/${id}`)).body.premises

test('a gateway that is kept to its company cannot take the premises of another one before its owner comes', async () => {
  const thief = await addGateway(server)
  expect((await keepTo(thief.id, [OWN])).body.companies).toEqual([OWN])
  expect((await thief.enroll({ premises: [at(OTHER, 'P1')] })).body.error).toMatchObject({
    code: 'premises_owned_by_gateway',
  })
  expect((await thief.enroll({ premises: [at(OWN, 'P0')] })).status).toBe(200)
  expect((await thief.hello({ premises: [at(OTHER, 'P1')] })).body.taken).toMatchObject([at(OTHER, 'P1')])
  const stolen = fleet({ oib: OTHER, premisesCode: 'P1', label: 'Stolen', isuNumber: '801' })
  const { refused } = (await thief.push([...stolen.parents(), record('invoice', stolen.invoice(900))])).body
  expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('owned_by_other'))
  expect(await premisesOf(thief.id)).toEqual([at(OWN, 'P0')])

  const owner = await enrolGateway(server)
  const made = fleet({ oib: OTHER, premisesCode: 'P1', label: 'Real', isuNumber: '802' })
  expect((await owner.push([...made.parents(), record('invoice', made.invoice(1))])).body.refused).toEqual([])
})

test('one that holds them already loses them, keeps its own, and numbers go on above what it gave out', async () => {
  const thief = await enrolGateway(server)
  const own = fleet({ oib: OWN, premisesCode: 'P2', label: 'Own', isuNumber: '811' })
  const stolen = fleet({ oib: OTHER, premisesCode: 'P2', label: 'Taken', isuNumber: '812' })
  await thief.push([...own.parents(), ...stolen.parents(), record('invoice', stolen.invoice(7))])
  const owner = await enrolGateway(server)
  const made = fleet({ oib: OTHER, premisesCode: 'P2', label: 'Owner', isuNumber: '813' })
  expect((await owner.push(made.parents())).body.refused).toMatchObject([{ code: 'premises_owned_by_gateway' }])

  await keepTo(thief.id, [OWN])
  expect(await premisesOf(thief.id)).toEqual([at(OWN, 'P2')])
  const greeted = await owner.hello({ premises: [at(OTHER, 'P2')] })
  expect(greeted.body).toMatchObject({ taken: [], numbers: [{ premises_code: 'P2', highest: '7' }] })
  expect((await owner.push(made.parents())).body.refused).toEqual([])
  expect((await thief.push([record('invoice', stolen.invoice(8))])).body.refused).toMatchObject([
    { code: 'owned_by_other' },
  ])
  expect((await thief.push([record('invoice', own.invoice(1))])).body.refused).toEqual([])
  const audited = await server.admin<{ data: { action: string }[] }>('/admin/audit')
  expect(audited.body.data.map(({ action }) => action)).toContain('gateway.companies_set')

  const sent = await server.admin(`/admin/gateways/${thief.id}/commands`, {
    body: { type: 'device.add', body: { ...at(OTHER, 'P3'), label: 'New' } },
  })
  expect(sent.status).toBe(409)
  expect((await keepTo(thief.id, ['123'])).body).toMatchObject({ error: { code: 'hr.invalid_oib' } })
  expect((await keepTo(thief.id, null)).body.companies).toBeNull()
})
