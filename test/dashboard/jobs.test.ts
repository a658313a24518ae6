import { describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, type Visitor } from '../support/dashboard.ts'
import { OIBS } from '../support/pki.ts'
import { skipWithout } from '../support/tools.ts'

const ISU = '/dashboard/jobs/isu'
const csv = (...lines: string[]) => new Blob([`\ufeff${lines.join('\r\n')}`], { type: 'text/csv' })

async function startFleet() {
  const { server, gateway } = await startEnrolled()
  const company = await server.admin('/v1/companies', { body: { name: 'Naša', oib: OIBS[0] } })
  const add = async (label: string, premises_code: string) => {
    const body = { company_id: company.body.id, premises_code, label }
    return (await server.admin('/v1/devices', { body })).body.id as string
  }
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  return { server, gateway, add, clerk }
}

const numberOf = async (gateway: { admin: Awaited<ReturnType<typeof startFleet>>['server']['admin'] }, ref: string) =>
  (await gateway.admin<{ data: { isu_number: string | null }[] }>(`/admin/devices?ref=${ref}`)).body.data[0]?.isu_number

async function run(clerk: Visitor, file: Blob): Promise<string> {
  const page = await clerk.submit(ISU, { file }, `${ISU}/preview`)
  expect(page.status, page.words).toBe(200)
  const sent = await Promise.all([clerk.post(ISU, page.hidden(ISU)), clerk.post(ISU, page.hidden(ISU))])
  expect(sent.map(({ status }) => status)).toEqual([303, 303])
  // Sent twice, it is one job.
  expect(sent[0]?.to).toBe(sent[1]?.to)
  return sent[0]?.to ?? ''
}

test('ISU numbers of a file reach devices here and at a gateway, and each wrong row is named with its reason', async () => {
  const { server, gateway, add, clerk } = await startFleet()
  const own = await add('Hodnik', 'PP1')
  await add('Isti', 'PP1')
  const twins = csv(
    'Naziv;Poslovni prostor;ISU broj',
    'machine;;777001',
    'Hodnik;PP1;777002',
    'Nepostojeći;;777003',
    'Isti;PP1;0777',
    'Isti;PP1;777001',
  )
  const page = await clerk.submit(ISU, { file: twins }, `${ISU}/preview`)
  expect(page.words).toContain('Ništa još nije promijenjeno. Ispravnih redaka: 2. Pogrešnih: 3.')
  expect(page.words).toMatch(/4 Nepostojeći label Nema uređaja s tim nazivom/)
  expect(page.words).toMatch(/5 Isti isu_number ISU broj ne počinje nulom/)
  expect(page.words).toMatch(/6 Isti isu_number Isti uređaj ili broj već je u drugom retku \(2\)/)
  expect(await numberOf(server, own)).toBeNull()

  const job = await run(clerk, twins)
  await expect.poll(async () => (await clerk.get(job)).words, { timeout: 30_000 }).toContain('Obrađeno 2 od 2.')
  expect(await numberOf(server, own)).toBe('777002')
  expect(await numberOf(gateway, gateway.deviceId)).toBe('777001')

  await told(gateway)
  const again = await run(clerk, twins)
  await expect.poll(async () => (await clerk.get(again)).words, { timeout: 30_000 }).toContain('Već je bilo tako 2')
}, 120_000)

test('an open page of a job gets each outcome as it comes, to the end, and nothing while nothing changes', async () => {
  const { gateway, add, clerk } = await startFleet()
  await add('Hodnik', 'PP1')
  await gateway.stop()
  const job = await run(clerk, csv('label,isu_number', 'machine,888001', 'Hodnik,888002'))
  const words = async () => (await clerk.get(job)).words
  await expect.poll(words, { timeout: 30_000 }).toContain('Obrađeno 1 od 2.')
  const page = await clerk.get(job)
  expect(page.text.match(/role="status"/g)).toHaveLength(1)
  const [, again = ''] = /hx-get="([^"]+)"/.exec(page.text) ?? []
  const refreshed = () => clerk.get(again.replaceAll('&amp;', '&'))
  expect(await refreshed()).toMatchObject({ status: 204, text: '' })

  await gateway.restart()
  await expect.poll(async () => (await refreshed()).words, { timeout: 60_000 }).toContain('Obrađeno 2 od 2.')
  const end = await refreshed()
  expect(end.words).toMatch(/1 machine \S+ → na 888001 obavljeno 2 Hodnik 888002 obavljeno/)
  expect(end.text).toMatch(/<p id="told" role="status" hx-swap-oob="innerHTML">/)
  // It is over, so the page asks no more.
  expect(end.text).not.toContain('hx-get')
}, 120_000)

describe.skipIf(skipWithout('chromium'))('in a browser', () => {
  test('whoever watches a job sees its rows change without a reload, and a screen reader is told once for each change', async () => {
    const { server, gateway, add, clerk } = await startFleet()
    await add('Hodnik', 'PP1')
    await gateway.stop()
    const job = await run(clerk, csv('label,isu_number', 'machine,888001', 'Hodnik,888002'))
    const words = async () => (await clerk.get(job)).words
    await expect.poll(words, { timeout: 30_000 }).toContain('Obrađeno 1 od 2.')
    const browser = await openBrowser(server, onTestFinished)
    const { page, open } = await browser.visitor()
    await open('')
    await page.fill('input[name=name]', clerk.name)
    await page.fill('input[name=password]', clerk.password)
    await Promise.all([page.waitForURL(/dashboard$/), page.click('main form button')])
    await open(job.replace('/dashboard', ''))
    await page.evaluate(`{
      window.told = []
      const status = document.getElementById('told')
      new MutationObserver(() => window.told.push(status.innerText.trim())).observe(status, { childList: true })
      document.getElementById('row-1').focus()
    }`)
    await page.waitForResponse(/now/)
    await page.waitForResponse(/now/)
    expect(await page.evaluate('window.told')).toEqual([])

    await gateway.restart()
    const told = () => page.evaluate('window.told')
    await expect.poll(told, { timeout: 60_000 }).toEqual(['završeno Obrađeno 2 od 2.'])
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/machine[\s\S]*obavljeno/),
      expect.stringMatching(/Hodnik[\s\S]*obavljeno/),
    ])
    expect(await page.evaluate('document.activeElement.id')).toBe('row-1')
    expect(browser.faults).toEqual([])
  }, 120_000)
})

test('a row of a silent gateway waits for it, also over a restart of the server, and is done when the gateway is back', async () => {
  const { server, gateway, clerk } = await startFleet()
  await gateway.stop()
  const job = await run(clerk, csv('label,isu_number', 'machine,888001'))
  const words = async () => (await clerk.get(job)).words
  await expect.poll(words, { timeout: 30_000 }).toContain('čeka preuzimanje')
  expect(await words()).toContain('Obrađeno 0 od 1.')
  await server.restart()
  await gateway.restart()
  await expect.poll(words, { timeout: 60_000 }).toContain('Obrađeno 1 od 1.')
  expect(await numberOf(gateway, gateway.deviceId)).toBe('888001')
}, 120_000)

test('chosen devices are suspended after a question that names the consequence, by somebody who may', async () => {
  const { server, add, clerk } = await startFleet()
  const ids = [await add('Prvi', 'PP1'), await add('Drugi', 'PP1')]
  const list = await clerk.get('/dashboard/devices')
  expect(list.text).toContain(`name="ids" value="${ids[0]}"`)
  const viewer = await dashboardOf(server).as('viewer')
  const fields = { ...list.hidden('/dashboard/jobs/confirm'), work: 'suspended', ids: ids.join(',') }
  expect((await viewer.post('/dashboard/jobs/confirm', fields)).status).toBe(403)
  const asked = await clerk.post('/dashboard/jobs/confirm', fields)
  expect(asked.words).toContain('Obustaviti 2 uređaja? Na obustavljenom uređaju prodaja nije moguća.')
  expect(asked.words).toContain('Prvi')
  const sent = await clerk.post('/dashboard/jobs', asked.hidden('/dashboard/jobs'))
  const job = sent.to ?? ''
  await expect.poll(async () => (await clerk.get(job)).words, { timeout: 30_000 }).toContain('Obrađeno 2 od 2.')
  expect((await clerk.get(job)).words).toContain('Prvi aktivan → na obustavljen obavljeno')
  const { body } = await server.admin<{ data: { status: string }[] }>(`/admin/devices?ref=${ids[0]}`)
  expect(body.data[0]?.status).toBe('suspended')
  const audit = await server.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')
  expect(audit.body.data.filter(({ action }) => action === 'job.created')).toMatchObject([
    { detail: { kind: 'status', rows: 2 } },
  ])
  expect((await clerk.post('/dashboard/jobs/confirm', { ...fields, ids: '' })).words).toContain('Niste odabrali')
}, 120_000)

test('copies of receipts that cannot be printed are in the file of what was refused, with the reason', async () => {
  const { server, gateway, clerk } = await startFleet()
  const sold = await gateway.sell()
  await told(gateway)
  await server.admin('/admin/gateways/kiosk/revoke', { method: 'POST', body: {} })
  const list = await clerk.get('/dashboard/invoices')
  expect(list.text).toContain(`name="ids" value="${sold.id}"`)
  const fields = { ...list.hidden('/dashboard/jobs/confirm'), work: 'copies', ids: sold.id }
  const asked = await clerk.post('/dashboard/jobs/confirm', fields)
  const { to } = await clerk.post('/dashboard/jobs', asked.hidden('/dashboard/jobs'))
  await expect.poll(async () => (await clerk.get(to ?? '')).words, { timeout: 30_000 }).toContain('Obrađeno 1 od 1.')
  const file = await clerk.get(`${to}/refused.csv`)
  expect(file.text).toContain('Pristupnik je opozvan i više ne preuzima naredbe.')
}, 120_000)

test('a server whose companies are its gateways says truly what can be imported, and offers the file of ISU numbers', async () => {
  const { server, gateway } = await startEnrolled()
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const page = await clerk.get('/dashboard/devices/import')
  expect(page.words).not.toContain('Najprije dodajte tvrtku')
  expect(page.words).toContain('vode pristupnici')
  expect(page.text).toContain('href="/dashboard/jobs/isu"')
}, 60_000)
