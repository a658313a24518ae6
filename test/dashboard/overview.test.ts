import { expect, test } from 'vitest'
import { texts } from '../../src/dashboard/overview/texts.ts'
import { dashboardOf, type Office, startDashboard, type Visitor } from '../support/dashboard.ts'
import { startEmptyGateway } from '../support/gateway.ts'

const DAY = 86_400_000

/** Beyond what is remembered. */
const later = (office: Office, ms = 11_000) => {
  office.clock.aheadMs += ms
}

async function linksOf(visitor: Visitor, text: string): Promise<string[]> {
  const { text: html } = await visitor.get('/dashboard')
  const item =
    html
      .split(/id="todo-title"|class="todo"/)[1]
      ?.split('<li')
      .find((one) => one.includes(text)) ?? ''
  const links = item.split('</li>')[0]?.matchAll(/href="([^"]+)"/g) ?? []
  return [...links].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

test('a shop that is set up hears first that everything sells, and sees its revenue as a chart and as a table', async () => {
  const office = await startDashboard()
  await office.sell()
  await office.v1('/health/fiscal')
  const viewer = await office.as('viewer')
  const page = await viewer.get('/dashboard')
  expect(page.words).toMatch(/Svi uređaji prodaju: 1 .*Sve je u redu: trenutačno ne treba učiniti ništa\./)
  expect(page.text.match(/<svg class="chart"/g)).toHaveLength(2)
  expect(page.words).toMatch(/Promet danas 2,50.€ .*Računi danas 1 /)
  expect(page.words).toMatch(/Promet ovog mjeseca 2,50.€ /)
  for (const [range, chart] of Object.entries(texts.hr.revenue.chart)) {
    expect((await viewer.get(`/dashboard?range=${range}`)).text).toContain(`<p class="vh">${chart}. `)
  }
  expect(page.text).not.toMatch(/ (style|on[a-z]+)="/)
})

test('a server without anything waits for its first gateway, and leads to where one is added', async () => {
  const office = dashboardOf(await startEmptyGateway({ FISKD_ROLE: 'server' }))
  const admin = await office.as('admin')
  const page = await admin.get('/dashboard')
  expect(page.words).toContain('Još nije povezan nijedan pristupnik')
  expect(page.words).not.toContain('Nema nijedne aktivne tvrtke.')
  expect(await linksOf(admin, 'Još nije povezan nijedan pristupnik')).toContain('/dashboard/gateways/new')
})

test('a daemon without anything says what to begin with', async () => {
  const office = dashboardOf(await startEmptyGateway())
  const page = await (await office.as('viewer')).get('/dashboard')
  expect(page.words).toContain('Još ništa nije postavljeno za prodaju.')
  expect(page.words).toContain('Nema nijedne aktivne tvrtke. Dodajte tvrtku koja prodaje.')
})

test('what cannot sell is told in the words of the reader, with the place to mend it', async () => {
  const office = await startDashboard()
  const id = await office.addDevice({ label: '<b>Kavomat</b>', premises_code: 'KAVA1' })
  const viewer = await office.as('viewer')
  const page = await viewer.get('/dashboard')
  expect(page.words).toContain('1 od 2 uređaja prodaje 1 ne zarađuje')
  expect(page.words).toContain('Uređaj <b>Kavomat</b> nema ISU broj. Prijavite ga u ePoreznoj')
  expect(page.text).not.toContain('<b>Kavomat')
  expect(await linksOf(viewer, 'Kavomat')).toEqual([`/dashboard/devices/${id}`])
  const english = await (await office.as('viewer', { language: 'en' })).get('/dashboard')
  expect(english.words).toContain('1 of 2 devices is selling 1 is not earning')
  expect(english.words).toContain('The device <b>Kavomat</b> has no ISU number. Register it in ePorezna')
})

test('each figure of the overview leads to exactly as many rows', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  for (const [i, status] of ['suspended', 'active', 'active', 'active'].entries()) {
    const id = await office.addDevice({
      label: `U${i}`,
      premises_code: `P${i}`,
      ...(i < 2 && { isu_number: `90${i}` }),
    })
    await office.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { status } })
  }
  await office.cis.goDown()
  for (let i = 0; i < 3; i++) await office.sell()
  const { text } = await operator.get('/dashboard')
  const figures = [
    ...text.matchAll(/href="([^"]+)" id="verdict-\d"><span[^>]*>(\d+|za \d+)/g),
    ...text.matchAll(/href="([^"]+)" id="legend-\d"><span[^>]*><\/span><span><b>(\d+)/g),
    ...text.matchAll(/href="([^"]+)" id="town-[^"]*">[^<]*<b>(\d+)/g),
    ...text.matchAll(/id="figure-\w+" href="([^"]+)">(\d+)/g),
  ]
    .map(([, href, n]) => [href, n])
    .map(([href = '', n = '']) => ({ href: href.replaceAll('&amp;', '&'), n: Number(n.replace('za ', '')) }))
  expect(figures.map(({ n }) => n)).toEqual([3, 2, 2, 1, 5, 3])
  for (const { href, n } of figures) {
    const list = await operator.get(href)
    expect(list.text.match(/<th scope="row"/g), href).toHaveLength(n)
  }
})

test('while the tax authority is away sales go on, and what waits for too long is something to do', async () => {
  const office = await startDashboard()
  await office.cis.goDown()
  await office.sell()
  await office.v1('/health/fiscal')
  const viewer = await office.as('viewer')
  const now = await viewer.get('/dashboard')
  expect(now.words).toContain('Porezna uprava trenutačno ne odgovara. Prodaja se nastavlja')
  expect(now.words).toMatch(/Bez JIR-a 1 1 na čekanju/)
  expect(now.words).toContain('Sve je u redu: trenutačno ne treba učiniti ništa.')

  later(office, 22 * DAY)
  const weeksLater = await office.as('viewer')
  const page = await weeksLater.get('/dashboard')
  expect(page.words).toMatch(/Računi bez JIR-a 21 dan ili dulje .* 1 /)
  const [link = ''] = await linksOf(weeksLater, 'bez JIR-a 21')
  expect(link).toBe('/dashboard/invoices?mode=test&age=day_21&order=oldest')
  // It opens exactly these, whatever else waits.
  await office.sell()
  const list = await weeksLater.get(link)
  expect(list.words).toContain('Računi, najstariji prvi')
  expect(list.words).toContain('1 račun, ukupno 2,50 €')
  expect(list.text.match(/<th scope="row"/g)).toHaveLength(1)
})

test('the figures are remembered for ten seconds, and update by themselves without the rest of the page', async () => {
  const office = await startDashboard()
  const viewer = await office.as('viewer')
  await office.sell()
  expect((await viewer.get('/dashboard')).words).toMatch(/Promet danas 2,50.€ .*Računi danas 1 /)
  await office.sell()
  const part = () => viewer.get('/dashboard/overview/now', { 'hx-request': 'true' })
  expect((await part()).words).toMatch(/Promet danas 2,50.€ .*Računi danas 1 /)
  later(office)
  const fresh = await part()
  expect(fresh.words).toMatch(/Promet danas 5,00.€ .*Računi danas 2 /)
  expect(fresh.text).not.toContain('<html')
  expect(fresh.text).toContain('hx-get="/dashboard/overview/now?range=days"')
  expect(fresh.text).toContain('id="verdict" hx-swap-oob="true"')
})

test('a tenant sees nothing of another one', async () => {
  const office = await startDashboard()
  await office.sell()
  await office.addDevice({ label: 'Bez broja' })
  const made = await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  expect(made.status, made.text).toBe(201)
  const tenant = String(made.body.id)
  const body = { name: 'drugi@example.hr', password: 'a long test password', role: 'admin', language: 'hr' }
  await office.admin('/admin/users', { body, headers: { 'x-tenant': tenant } })
  const other = office.browser()
  await other.post('/dashboard/sign-in', { name: body.name, password: body.password })
  const page = await other.get('/dashboard')
  expect(page.words).toContain('Još ništa nije postavljeno za prodaju.')
  expect(page.words).not.toContain('Promet danas')
  expect(page.words).not.toMatch(/Samoposluga|Bez broja/)
})

test('where both modes are in use the reader chooses, and begins with the live one', async () => {
  const office = await startDashboard()
  await office.sell()
  const viewer = await office.as('viewer')
  expect((await viewer.get('/dashboard')).words).toContain('Testni rad : računi služe samo za probu')
  const live = await viewer.get('/dashboard?mode=live')
  expect(live.words).not.toContain('računi služe samo za probu')
  expect(live.words).toMatch(/Promet danas 0,00.€ .*Računi danas 0 /)
  expect(live.words).toContain('U tom razdoblju nije bilo prodaje.')
  expect(live.text).toContain('hx-get="/dashboard/overview/now?range=days&amp;mode=live"')
  expect((await viewer.get('/dashboard?mode=%22%3E%3Cb%3E')).text).not.toContain('<b>')
})
