import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard } from '../support/dashboard.ts'

let office: Office
beforeAll(async () => {
  office = await startSharedDashboard()
})

const PAGE = '/dashboard/settings'

test('an administrator gives the pages a name, which also stands at the sign-in', async () => {
  const admin = await office.as('admin')
  expect(await admin.submit(PAGE, { name: ' Kava  <na> klik' })).toMatchObject({ status: 303 })
  expect((await admin.get('/dashboard/devices')).text).toContain('Kava &lt;na&gt; klik')
  expect((await office.browser().get('/dashboard/sign-in')).words).toContain('Kava <na> klik')
  expect((await admin.get('/dashboard/audit')).words).toContain('Kava <na> klik')

  await admin.submit(PAGE, { name: '' })
  expect((await admin.get(PAGE)).words).toMatch(/^.*fiskd/)
})

test('others than administrators do not see the form', async () => {
  expect((await (await office.as('operator')).get(PAGE)).status).toBe(403)
})
