import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dateAt, isoDate, monthsFrom } from '../../src/domain/calendar-date.ts'
import { SILENT_AFTER_MS } from '../../src/fiscal/gateways/gateways.ts'
import { KIOSK, startCommanded } from '../support/commanded.ts'
import { dashboardOf, startDashboard } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'

const LIST = '/dashboard/devices'
const rowOf = (text: string, label: string) =>
  text.split('<tr role="row">').find((row) => row.includes(`>${label}</a>`)) ?? ''

test('the list says of each machine whether it can sell and why not, the worst first', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.addDevice({ label: 'Bez broja' })
  await office
    .addDevice({ label: 'Obustavljen', isu_number: '500' })
    .then((id) => office.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { status: 'suspended' } }))
  await office.sell()
  const page = await operator.get(LIST)
  expect(rowOf(page.text, 'Bez broja')).toMatch(/dot bad[\s\S]*nema ISU broj/)
  expect(rowOf(page.text, 'Obustavljen')).toMatch(/dot off[\s\S]*obustavljen/)
  expect(rowOf(page.text, 'machine')).toMatch(/<span class="dot">/)
  expect(rowOf(page.text, 'machine')).toContain('upravo sada')
  expect(page.text.indexOf('>Bez broja</a>')).toBeLessThan(page.text.indexOf('>machine</a>'))
  expect(page.words).toContain('3 uređaja')
})

test('an entered ISU number is a fact of its own and no sign of health', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  const id = await office.addDevice({ label: 'Obustavljen', isu_number: '500' })
  await office.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { status: 'suspended' } })
  expect(rowOf((await operator.get(`${LIST}?q=500`)).text, 'Obustavljen')).toContain('dot off')
})

test('filter and order are in the address, text is found in any case, and archived machines come when asked for', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  const id = await office.addDevice({ label: 'Čokomat Šibenik', premises_code: 'SIB1', isu_number: '900' })
  await office
    .addDevice({ label: 'Stari', isu_number: '901' })
    .then((old) => office.admin(`/v1/devices/${old}`, { method: 'PATCH', body: { status: 'archived' } }))
  const found = async (query: string) => {
    const { text } = await operator.get(`${LIST}?${query}`)
    return [...text.matchAll(/<th scope="row"[\s\S]*?<a[^>]*>([^<]*)/g)].map(([, label]) => label)
  }
  expect(await found('q=čokomat%20š')).toEqual(['Čokomat Šibenik'])
  expect(await found('q=900')).toEqual(['Čokomat Šibenik'])
  expect(await found('premises=SIB1')).toEqual(['Čokomat Šibenik'])
  expect(await found('state=sells&sort=name')).toEqual(['Čokomat Šibenik', 'machine'])
  expect(await found('state=sells&sort=-name')).toEqual(['machine', 'Čokomat Šibenik'])
  expect(await found('status=archived')).toEqual(['Stari'])
  expect(await found('status=all&sort=name')).toEqual(['Čokomat Šibenik', 'machine', 'Stari'])
  expect(await found('sort=gibberish&page=77&state=maybe')).toHaveLength(2)
  const page = await operator.get(`${LIST}?sort=name`)
  expect(page.text).toMatch(/aria-sort="ascending"><a href="[^"]*sort=-name/)
  await operator.submit(`${LIST}/${id}`, { status: 'archived' }, `${LIST}/${id}/status`)
  expect(await found('q=900')).toEqual([])
})

test('a machine that has sold nothing for unusually long is marked in the list and on its page, and its alert leads there', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.sell()
  const id = randomUUID()
  const detail = JSON.stringify({ company: 'Samoposluga', device: 'machine', count: 1, devices: [office.deviceId] })
  await inDatabase(
    office,
    `INSERT INTO alerts (id, tenant_id, gateway_id, kind, subject, detail, raised_at)
      VALUES ('${id}', 'default', 'another', 'machine_silent', 'silent', '${detail}', ${Date.now() + 1000})`,
  )
  const { text } = await operator.get(`/dashboard/alerts/${id}`)
  expect(text).toContain(`href="${LIST}?state=stopped"`)
  expect(text).toContain(`href="${LIST}/${office.deviceId}"`)
  expect(rowOf((await operator.get(`${LIST}?state=stopped`)).text, 'machine')).toMatch(/dot bad[\s\S]*t-bad">stao/)
  expect((await operator.get(`${LIST}/${office.deviceId}`)).words).toContain('(upravo sada) neuobičajeno dugo')
})

test('a machine of a silent gateway is not known to sell, in the list and on its page', async () => {
  const { server, kiosk } = await startCommanded()
  const office = dashboardOf(server)
  const admin = await office.as('admin')
  await kiosk.sell()
  await expect.poll(async () => (await admin.get(`${LIST}?state=sells`)).words).toContain('1 uređaj')
  await kiosk.stop()
  server.clock.aheadMs += SILENT_AFTER_MS + 60_000
  const page = await admin.get(LIST)
  expect(rowOf(page.text, 'machine')).toMatch(/dot unknown[\s\S]*nije poznato[\s\S]*>\?</)
  expect((await admin.get('/dashboard/export/lists/devices.csv')).text).toContain('pristupnik se ne javlja od')
  const detail = await admin.get(`${LIST}/${kiosk.deviceId}`)
  expect(detail.words).toMatch(/nije poznato .*pristupnik se ne javlja od/)
  expect(detail.words).toContain('Provjerite ima li ondje struje')
  expect((await admin.get(`${LIST}?gateway=${KIOSK}&state=unknown`)).words).toContain('Uređaji 1 ')
  expect((await admin.get(`${LIST}?gateway=-`)).words).toContain('Nema uređaja')
})

test('what waits for its JIR is counted by machine, and its page says so too', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.cis.goDown()
  await office.sell()
  await office.sell()
  const page = await operator.get(LIST)
  expect(rowOf(page.text, 'machine')).toContain('bez JIR-a: 2')
  expect((await operator.get(`${LIST}/${office.deviceId}`)).words).toContain('Bez JIR-a 2')
})

test('a long list has pages, and a page beyond the last one is the last one', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  for (let i = 0; i < 60; i++) await office.addDevice({ label: `Uređaj ${i}` })
  const first = await operator.get(`${LIST}?sort=name`)
  expect(first.words).toContain('61 uređaj')
  expect(first.words).toContain('Stranica 1 od 2')
  expect(first.text).toContain('sort=name&amp;page=2')
  const last = await operator.get(`${LIST}?sort=name&page=9`)
  expect(last.words).toContain('Stranica 2 od 2')
  expect(last.words).toContain('Uređaj 59')
})

test('the set-up is folded away once it is done', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  const path = `${LIST}/${office.deviceId}`
  expect((await operator.get(path)).text).toContain('aria-labelledby="set-up"')
  await office.sell()
  const done = await operator.get(path)
  expect(done.text).not.toContain('aria-labelledby="set-up"')
  expect(done.words).toContain('Postavljanje uređaja i ISU broj (dovršeno)')
})

test('what each machine sold today and in the month stands in the list, which is in the order of its headings', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.addDevice({ label: 'Tihi', isu_number: '700' })
  await office.sell({ total: '2.50' })
  await office.sell({ total: '1.25' })
  const page = await operator.get(`${LIST}?sort=-revenue_today&q=`)
  expect(page.text.indexOf('>machine</a>')).toBeLessThan(page.text.indexOf('>Tihi</a>'))
  const sold = rowOf(page.text, 'machine')
  expect(sold.match(/3,75/g)).toHaveLength(2)
  expect(sold).toContain('class="spark"')
})

test('last month is ordered by revenue, and the page of a machine draws its days and months', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.addDevice({ label: 'A prvi', isu_number: '700' })
  await office.sell({ total: '2.50' })
  const month = (ahead: number) => {
    return isoDate(monthsFrom(dateAt(Date.now() + office.clock.aheadMs), ahead)).slice(0, 7)
  }
  const page = await operator.get(`${LIST}?sort=-revenue_month&month=${month(0)}`)
  expect(page.text.indexOf('>machine</a>')).toBeLessThan(page.text.indexOf('>A prvi</a>'))
  const before = await operator.get(`${LIST}?sort=-revenue_month&month=${month(-1)}`)
  expect(rowOf(before.text, 'machine').match(/2,50/g)).toHaveLength(1)
  const detail = await operator.get(`${LIST}/${office.deviceId}`)
  expect(detail.text.match(/<svg class="chart"/g)).toHaveLength(4)
  expect(detail.words).toContain('Ukupno 2,50 €.')
})

test('the page of a machine has its latest invoices, and leads to all of them', async () => {
  const office = await startDashboard()
  const viewer = await office.as('viewer')
  const page = `${LIST}/${office.deviceId}`
  expect((await viewer.get(page)).words).toMatch(/Posljednji računi .*još nema/)
  for (let i = 1; i <= 9; i++) await office.sell({ total: `${i}.00` })
  const { text } = await viewer.get(page)
  const [, table = ''] = /<h2>Posljednji računi<\/h2>([\s\S]*?)<\/table>/.exec(text) ?? []
  expect([...table.matchAll(/(\d),00\s€/g)].map(([, total]) => total)).toEqual([...'98765432'])
  expect(text).toContain(`href="/dashboard/invoices?device=${office.deviceId}&mode=test"`)
})
