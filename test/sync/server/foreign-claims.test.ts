import { beforeAll, expect, test } from 'vitest'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { addGateway, enrolGateway } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

const other = `other-${process.pid}`
const asOther = { headers: { 'x-tenant': other } }

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
  await server.admin('/admin/tenants', { body: { name: other } })
})

const refusal = { status: 409, body: { error: { code: 'premises_owned_by_gateway' } } }
const named = (oib: string, code = 'POSL1') => ({ premises: [{ company_id: companyIdOf(oib), premises_code: code }] })

test('what a gateway has claimed of a company to come is worth nothing once another tenant makes it', async () => {
  const oib = OIBS[2] as string
  const thief = await enrolGateway(server)
  await thief.hello(named(oib))
  const made = await server.admin('/v1/companies', { body: { name: 'Prava d.o.o.', oib }, ...asOther })
  expect(made.status).toBe(201)
  const device = { company_id: companyIdOf(oib), premises_code: 'POSL1', label: 'm1' }
  expect((await server.admin('/v1/devices', { body: device, ...asOther })).status).toBe(201)
  const answer = await thief.hello(named(oib))
  expect(answer.body).toMatchObject({ numbers: [] })
  expect(await claimsOf(oib)).toEqual([])
})

test('a gateway of one tenant does not keep one of another from its premises, whoever came first', async () => {
  const { parents, invoice, companyId } = fleet({ oib: OIBS[1] as string, premisesCode: 'BOTH', label: 'Both' })
  const thief = await enrolGateway(server)
  await thief.hello(named(OIBS[1] as string, 'BOTH'))
  const honest = await addGateway(server, undefined, other)
  expect(await honest.enroll(named(OIBS[1] as string, 'BOTH'))).toMatchObject({ status: 200 })
  await honest.hello()
  await thief.hello(named(OIBS[1] as string, 'BOTH'))
  const told = await honest.push([...parents(), record('invoice', invoice(1))])
  expect(told.body.refused).toEqual([])
  expect((await honest.hello()).body.numbers).toMatchObject([{ company_id: companyId, highest: '1' }])
  expect((await thief.hello(named(OIBS[1] as string, 'BOTH'))).body.numbers).toEqual([])
  expect(await claimsOf(OIBS[1] as string)).toMatchObject([{ gateway_id: honest.id }])
})

test('a gateway holds 10,000 premises at most', async () => {
  const gateway = await addGateway(server)
  await inDatabase(
    server,
    `INSERT INTO premises_claims (company_id, premises_code, gateway_id, claimed_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
      SELECT 'c' || i, 'P', '${gateway.id}', 0 FROM n`,
  )
  const two = [...named(OIBS[0] as string, 'P1').premises, ...named(OIBS[0] as string, 'P2').premises]
  const refused = await gateway.enroll({ premises: two })
  expect(refused).toMatchObject(refusal)
  expect(refused.body.error.message).toContain('10000 premises at most')
  expect((await gateway.enroll({ premises: two.slice(0, 1) })).status).toBe(200)
})

const claimsOf = (oib: string) =>
  inDatabase(server, `SELECT gateway_id FROM premises_claims WHERE company_id = '${companyIdOf(oib)}'`)
