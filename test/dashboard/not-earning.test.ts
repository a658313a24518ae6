import { expect, test } from 'vitest'
import { startDashboard } from '../support/dashboard.ts'

test('machines that earn nothing are one click away, by reason, with the sales that they usually have', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.sell()
  await office.addDevice({ label: 'Bez broja' })
  const put = await office.addDevice({ label: 'Spremljen', isu_number: '900' })
  await office.admin(`/v1/devices/${put}`, { method: 'PATCH', body: { status: 'suspended' } })
  const overview = await operator.get('/dashboard')
  expect(overview.words).toContain('1 od 3 uređaja prodaje 2 ne zarađuju')
  expect(overview.text).toContain('href="/dashboard/not-earning"')
  const page = await operator.get('/dashboard/not-earning')
  expect(page.words).toMatch(
    /bez ispravnog ISU broja: 1 .*Bez broja nema ISU broj .*obustavljen: 1 .*Spremljen obustavljen/,
  )
  expect(page.text).not.toContain('>machine<')
  await office.admin(`/v1/devices/${office.deviceId}`, { method: 'PATCH', body: { status: 'suspended' } })
  office.clock.aheadMs += 40_000
  expect((await operator.get('/dashboard/not-earning')).words).toContain('obustavljen: 2')
})

test('who sees one company sees the idle machines of that company alone', async () => {
  const office = await startDashboard()
  await office.addDevice({ label: 'Bez broja' })
  const viewer = await office.as('viewer')
  expect((await viewer.get('/dashboard/not-earning')).words).toContain('Bez broja')
  const made = await office.admin('/v1/companies', {
    body: { oib: '94577403194', name: 'Druga', vat_registered: true },
  })
  await office.admin(`/admin/users/${viewer.name}/companies`, { body: { companies: [made.body.oib] } })
  expect((await viewer.get('/dashboard/not-earning')).words).not.toContain('Bez broja')
})
