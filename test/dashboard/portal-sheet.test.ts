import { beforeAll, expect, test } from 'vitest'
import { type Office, startDashboard, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'

const TASKS = '/dashboard/devices/isu'
const FILE = '/dashboard/jobs/isu'
const SHEET = '/dashboard/export/lists/isu.csv'

let office: Office
let operator: Visitor
beforeAll(async () => {
  office = await startSharedDashboard()
  operator = await office.as('operator')
  const fiscal_config = { activity: '47.99 Ostala trgovina na malo' }
  await office.admin(`/v1/companies/${office.companyId}`, { method: 'PATCH', body: { fiscal_config } })
  await office.addDevice({ label: 'Zadnji', premises_code: 'Z1' })
  await office.addDevice({ label: 'Prvi', premises_code: 'A1', premises_address: 'Trg 1, Split, kod ulaza' })
})

test('the page of ISU tasks has what the portal asks, by premises, and names what is not known', async () => {
  const { words, text } = await operator.get(TASKS)
  expect(words).toContain('samoposlužni uređaj')
  expect(words).toMatch(/Datum otvaranja: od \d+\. \d+\. \d{4}\. do \d+\. \d+\. \d{4}\./)
  expect(words).toContain('47.99 Ostala trgovina na malo')
  expect(words).toContain('Ovdje nije poznato: radno vrijeme')
  expect(words).toContain('Ovdje nije poznato: točno mjesto, radno vrijeme')
  expect(text.indexOf('Prvi')).toBeLessThan(text.indexOf('Zadnji'))
  expect(text).toContain(`href="${SHEET}">Preuzmi uređaje bez ISU broja za popunjavanje`)
})

test('of premises that are registered already nothing is asked anew', async () => {
  await inDatabase(office, `UPDATE devices SET isu_status = 'mismatch' WHERE label = 'machine'`)
  const { words } = await operator.get(TASKS)
  const [wrong = '', pending = ''] = words.split('Čekaju ISU broj')
  expect(wrong).toContain('Treba ispraviti')
  expect(wrong).not.toMatch(/Datum otvaranja|Ovdje nije poznato/)
  expect(pending).toMatch(/Datum otvaranja/)
  expect(words).not.toContain('zasebno po poslovnim prostorima')
  await inDatabase(office, `UPDATE devices SET isu_status = 'assigned' WHERE label = 'machine'`)
})

test('with more than a page of them it says that each page is sorted for itself', async () => {
  const many = await startDashboard()
  for (let i = 0; i < 201; i++) await many.addDevice({ label: `M${i}`, premises_code: `M${i}` })
  const visitor = await many.as('operator')
  expect((await visitor.get(TASKS)).words).toContain('zasebno po poslovnim prostorima')
})

test('a device whose number is to be corrected is registered already: its opening and what is unknown are not asked', async () => {
  const id = await office.addDevice({ label: 'Krivi', premises_code: 'K1', isu_number: '900020' })
  office.cis.misbehave({ error: 's013', message: 'Greške: 183' })
  await office.post({ device_id: id })
  const { words } = await operator.get(TASKS)
  const wrong = words.slice(words.indexOf('Treba ispraviti'), words.indexOf('Čekaju ISU broj'))
  expect(wrong).toContain('Krivi')
  expect(wrong).not.toMatch(/Datum otvaranja|Ovdje nije poznato/)
})

test('its sheet comes back filled in, and the import of ISU numbers takes it as it is', async () => {
  const sheet = await operator.get(SHEET)
  const [head = '', first = '', second = ''] = sheet.text.replace('\ufeff', '').split('\r\n')
  expect(head).toMatch(/^label;company_oib;premises_code;.*;lacks;isu_number$/)
  expect(first).toMatch(
    /^Prvi;\d{11};A1;samoposlužni uređaj;Trg 1, Split, kod ulaza;.*;47\.99 Ostala trgovina na malo;;working_hours;$/,
  )
  expect(second).toMatch(/^Zadnji;\d{11};Z1;.*;"?note, working_hours"?;$/)
  const filled = new Blob([`\ufeff${[head, `${first}900001`, second].join('\r\n')}`], { type: 'text/csv' })
  const page = await operator.submit(FILE, { file: filled }, `${FILE}/preview`)
  expect(page.words).toContain('900001')
  expect(page.words).toContain('Prvi')
  const { body } = await office.admin<{ data: object[] }>('/admin/audit')
  expect(body.data).toContainEqual(
    expect.objectContaining({
      action: 'file.downloaded',
      detail: { file: expect.stringMatching(/^eporezna-.*\.csv$/) },
    }),
  )
})

test('the sheet is for operators', async () => {
  expect((await (await office.as('viewer')).get(SHEET)).status).toBe(403)
})

test('machines that share a premises code are warned of on their pages and before an import', async () => {
  const id = await office.addDevice({ label: 'Hodnik 1', premises_code: 'HALL', isu_number: '900010' })
  expect((await operator.get(`/dashboard/devices/${id}`)).words).not.toContain('istu oznaku')
  await office.addDevice({ label: 'Hodnik 2', premises_code: 'HALL', isu_number: '900011' })
  const shared = 'imaju istu oznaku poslovnog prostora, HALL: po zakonu'
  expect((await operator.get(`/dashboard/devices/${id}`)).words).toContain(`Hodnik 1, Hodnik 2 ${shared}`)

  const file = new Blob(['label,premises_code\nHodnik 3,HALL\nSam,SAM1\n'], { type: 'text/csv' })
  const fields = { company: office.companyId, file }
  const preview = await operator.submit('/dashboard/devices/import', fields, '/dashboard/devices/import/preview')
  expect(preview.words).toContain(`Hodnik 1, Hodnik 2, Hodnik 3 ${shared}`)
  expect(preview.words).not.toContain('SAM1: po zakonu')
})
