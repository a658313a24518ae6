import { beforeAll, expect, test } from 'vitest'
import { setupChecks } from '../../../src/fiscal/doctor/setup-checks.ts'
import { examine } from '../../support/diagnosis.ts'
import { type Gateway, startEmptyGateway } from '../../support/gateway.ts'
import { broken, brokenInTable, type LookedAt, sharedHealthyGateway, storeOf, verdicts } from '../../support/healthy.ts'
import { tamper } from '../../support/tamper.ts'

let gateway: Gateway
let alone: LookedAt
beforeAll(async () => {
  gateway = await sharedHealthyGateway()
  const checks = setupChecks(await storeOf(gateway))
  alone = { dataDir: gateway.dataDir, look: () => examine(checks) }
})

const patch = (path: string, body: object) => gateway.admin(path, { method: 'PATCH', body })

test('companies: a gateway without an active company is found, and what is missing behind it was not looked at', async () => {
  const found = await brokenInTable(gateway, 'companies', "UPDATE companies SET status = 'suspended'")
  expect(verdicts(found.filter(({ name }) => !name.endsWith('Samoposluga d.o.o.')))).toEqual([
    ...[
      'companies fail',
      'devices skip',
      'premises skip',
      'ISU numbers skip',
      'ISU registration skip',
      'API keys skip',
    ],
  ])
  expect(found.find(({ name }) => name === 'companies')?.fix).toContain('sudo fisk init')
})

test('devices: a gateway without an active device is found', async () => {
  const found = await brokenInTable(alone, 'devices', "UPDATE devices SET status = 'archived'")
  expect(verdicts(found)).toEqual([
    ...['devices fail', 'premises skip', 'ISU numbers skip', 'ISU registration skip', 'API keys skip'],
  ])
  expect(found[0]?.fix).toContain('fisk device add')
})

test('ISU numbers: a gateway of which no device can sell is broken', async () => {
  const device = `/v1/devices/${gateway.deviceId}`
  const found = await broken(
    alone,
    () => patch(device, { isu_number: null }),
    () => patch(device, { isu_number: '101' }),
  )
  expect(verdicts(found)).toEqual(['ISU numbers fail'])
  expect(found[0]).toMatchObject({
    detail: 'no device can sell, all lack theirs: machine',
    fix: expect.stringContaining('fisk isu set LABEL NUMBER'),
  })
})

test('ISU numbers: one device of several without its number is a warning; one that only sells attended needs none', async () => {
  let id = ''
  const add = async () => (id = await gateway.addDevice({ label: 'lobby', premises_code: 'LOBBY' }))
  const remove = () => tamper(gateway.database, `DELETE FROM devices WHERE id = '${id}'`)
  const found = await broken(alone, add, remove)
  expect(verdicts(found)).toEqual(['ISU numbers warn'])
  expect(found[0]?.detail).toBe('cannot sell for want of theirs: lobby')
  await patch(`/v1/devices/${id}`, { device_config: { sale_type: 'attended' } })
  expect(await broken(alone, () => {})).toEqual([])
})

test('ISU numbers: a device that takes the cashier of its company back, as a sale would, needs one', async () => {
  let id = ''
  const company = `/v1/companies/${gateway.companyId}`
  const found = await broken(
    alone,
    async () => {
      id = await gateway.addDevice({ label: 'lobby', premises_code: 'LOBBY', device_config: { sale_type: null } })
      await patch(company, { fiscal_config: { sale_type: 'attended' } })
    },
    async () => {
      await patch(company, { fiscal_config: {} })
      tamper(gateway.database, `DELETE FROM devices WHERE id = '${id}'`)
    },
  )
  expect(verdicts(found)).toEqual(['ISU numbers warn'])
})

test('premises: machines that share a premises code are a warning with both, tills and archived ones are not', async () => {
  let id = ''
  const add = async () => (id = await gateway.addDevice({ label: 'beside', isu_number: '102' }))
  const remove = () => tamper(gateway.database, `DELETE FROM devices WHERE id = '${id}'`)
  const found = await broken(alone, add, remove)
  expect(verdicts(found)).toEqual(['premises warn'])
  expect(found[0]?.detail).toContain('beside, machine have one premises code, POSL1: by law')
  expect(found[0]?.fix).toContain('fisk device add')
  await patch(`/v1/devices/${id}`, { device_config: { sale_type: 'attended' } })
  expect(await broken(alone, () => {})).toEqual([])
  await patch(`/v1/devices/${id}`, { device_config: {}, status: 'archived' })
  expect(await broken(alone, () => {})).toEqual([])
})

test('ISU registration: a device that CIS knows otherwise is found, with both numbers and the portal', async () => {
  const found = await brokenInTable(alone, 'devices', "UPDATE devices SET isu_status = 'mismatch'")
  expect(verdicts(found)).toEqual(['ISU registration fail'])
  expect(found[0]).toMatchObject({
    detail: 'CIS knows other data (codes 182 to 184) of machine (premises POSL1, ISU 101)',
    fix: expect.stringMatching(/ePorezna.*fisk isu set LABEL NUMBER/),
  })
})

test('ISU registration: a device whose sales get no JIR is not called able, and status says what to compare', async () => {
  await brokenInTable(alone, 'devices', "UPDATE devices SET isu_status = 'mismatch'")
  const { body } = await gateway.admin<object>('/admin/status')
  expect(body).toMatchObject({
    can_sell: false,
    devices: { total: 1, able_to_sell: 0, without_isu: 0 },
    problems: [
      {
        subject: 'machine',
        problem: expect.stringContaining('knows other data of its ISU number'),
        fix: expect.stringMatching(/portal.*then fisk isu set machine NUMBER$/),
      },
    ],
  })
})

test('what another tenant has to do is said with its name', async () => {
  const other = await startEmptyGateway()
  await other.admin('/admin/tenants', { body: { name: 'drugi' } })
  const headers = { 'x-tenant': 'drugi' }
  const company = { name: 'Kava', oib: '02994650199' }
  const { body } = await other.admin('/v1/companies', { body: company, headers })
  const device = { company_id: body.id, premises_code: 'P1', label: 'Lobby 1' }
  await other.admin('/v1/devices', { body: device, headers })
  const { problems } = (await other.admin<never>('/admin/status')).body as { problems: { fix: string }[] }
  expect(problems.map(({ fix }) => fix)).toEqual(
    expect.arrayContaining([
      'fisk --tenant drugi cert add --company 02994650199 --file FILE.p12',
      'fisk --tenant drugi isu set "Lobby 1" NUMBER',
    ]),
  )
})

test.each([
  ['revoked', 'revoked_at = 1'],
  ['of the other mode', "mode = 'live'"],
  ['that may not sell', `scopes = '["invoices:read"]'`],
])('API keys: when the only key is one %s, the firmware cannot sell', async (_which, change) => {
  const found = await brokenInTable(alone, 'api_keys', `UPDATE api_keys SET ${change}`)
  expect(verdicts(found)).toEqual(['API keys warn'])
  expect(found[0]).toMatchObject({
    detail: 'no key lets the firmware of these sell: machine',
    fix: 'fisk key create --mode test',
  })
})
