import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, startDashboard, type Visitor } from '../support/dashboard.ts'

const LIST = '/dashboard/devices'
const NOTE = { note: 'Ulaz B, prizemlje.\r\nŠifra vrata 12', contact: 'Domar Ivo, 091 555 11 22' }

const write = (visitor: Visitor, id: string, fields: Record<string, string>) =>
  visitor.submit(`${LIST}/${id}`, fields, `${LIST}/${id}/note`)

test('a note and a contact of a device are shown on its page, found by the search and in the file of the list', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.addDevice({ label: 'Drugi', isu_number: '500' })
  expect(await write(operator, office.deviceId, NOTE)).toMatchObject({ status: 303 })
  const viewer = await office.as('viewer')
  const page = await viewer.get(`${LIST}/${office.deviceId}`)
  expect(page.words).toContain('Kontakt na mjestu Domar Ivo, 091 555 11 22 Bilješka Ulaz B, prizemlje. Šifra vrata 12')
  expect(page.text).not.toContain('/note"')
  for (const sought of ['domar ivo', 'ŠIFRA VRATA']) {
    const found = await viewer.get(`/dashboard/search?q=${encodeURIComponent(sought)}`)
    expect(found.text).toContain(`href="${LIST}/${office.deviceId}"`)
  }
  expect((await viewer.get('/dashboard/search?q=domar')).words).toContain('Domar Ivo, 091 555 11 22')
  const { text } = await viewer.get('/dashboard/export/lists/devices.csv')
  expect(text).toContain('Domar Ivo, 091 555 11 22')
})

test('a changed note is in the audit log from what to what, and a saved one that is the same is not', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await write(operator, office.deviceId, { note: 'Ulaz B', contact: '' })
  await write(operator, office.deviceId, { note: 'Ulaz B', contact: '' })
  await write(operator, office.deviceId, { note: 'Ulaz C', contact: 'Ana' })
  const { words } = await operator.get('/dashboard/audit')
  expect(words).toContain('Promijenjena je bilješka o uređaju „machine”. Bilješka: ništa → Ulaz B')
  expect(words).toContain('Bilješka: Ulaz B → Ulaz C; kontakt: ništa → Ana')
  expect(words.match(/Promijenjena je bilješka/g)).toHaveLength(2)
})

test('a note that is too long is refused beside its field and stays typed; one that another has changed is not overwritten', async () => {
  const office = await startDashboard()
  const [operator, other] = [await office.as('operator'), await office.as('operator')]
  const long = await write(operator, office.deviceId, { note: 'x'.repeat(1001), contact: 'Ana' })
  expect(long.status).toBe(422)
  expect(long.words).toContain('Bilješka može imati najviše 1000 znakova.')
  expect(long.text).toContain('value="Ana"')
  const contact = await write(operator, office.deviceId, { note: '', contact: 'x'.repeat(201) })
  expect(contact.text).toMatch(/id="field-contact-error">Kontakt može imati najviše 200 znakova/)
  const opened = await operator.get(`${LIST}/${office.deviceId}`)
  await write(other, office.deviceId, { note: 'Novi domar', contact: '' })
  const action = `${LIST}/${office.deviceId}/note`
  const late = await operator.post(action, { ...opened.hidden(action), note: 'Stari domar', contact: '' })
  expect(late.status).toBe(422)
  expect((await other.get(`${LIST}/${office.deviceId}`)).words).toContain('Novi domar')
  const viewer = await office.as('viewer')
  expect((await viewer.post(action, { ...opened.hidden(action), note: '', contact: '' })).status).toBe(403)
})

test("a note of a gateway's device stays at the server when its gateway reports, and says on Ne zarađuju whom to send", async () => {
  const { server, gateway } = await startEnrolled()
  const clerk = await dashboardOf(server).as('operator')
  await write(clerk, gateway.deviceId, { note: '', contact: 'Domar Ivo' })
  await gateway.admin(`/v1/devices/${gateway.deviceId}`, {
    method: 'PATCH',
    body: { label: 'Aula', status: 'suspended' },
  })
  await told(gateway)
  await expect
    .poll(async () => (await clerk.get('/dashboard/not-earning')).words, { timeout: 30_000 })
    .toMatch(/Koga poslati .*Aula .*Domar Ivo/)
})
