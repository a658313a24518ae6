import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import type { InvoiceBody } from '../support/gateway.ts'

let office: Office
let clerk: Visitor
let sale: InvoiceBody
let refund: InvoiceBody

const vat = (base: string, amount: string) => [{ rate: '25.00', base, amount }]

beforeAll(async () => {
  office = await startSharedDashboard()
  clerk = await office.as('viewer')
  sale = await office.sell({ total: '12.50', vat: vat('10.00', '2.50') })
  await office.cis.goDown()
  refund = await office.sell({ total: '-2.50', vat: vat('-2.00', '-0.50'), payment_method: 'K' })
  await office.cis.comeBack()
})

async function rowsOf(path: string): Promise<Record<string, string>[]> {
  const given = await clerk.get(path)
  expect(given.status, given.text).toBe(200)
  expect(given.headers['content-type']).toBe('text/csv; charset=utf-8')
  return parse(given.text, { delimiter: ';', bom: true, columns: true })
}

test('the page asks for a period and offers the files, in both languages', async () => {
  const page = await clerk.get('/dashboard/export')
  expect(page.status).toBe(200)
  expect(page.words).toContain('Izvoz za knjigovodstvo')
  expect(page.words).toContain('Prošli mjesec')
  expect(page.text).toContain('formaction="/dashboard/export/files/invoices.xlsx"')
  const english = await office.as('viewer', { language: 'en' })
  expect((await english.get('/dashboard/export')).words).toContain('Export for the accountant')
})

test('totals are by premises or by company', async () => {
  const columns = async (per: string) =>
    Object.keys((await rowsOf(`/dashboard/export/files/turnover.csv?${per}`))[0] ?? {})
  expect(await columns('')).toContain('Poslovni prostor')
  expect(await columns('per=company')).not.toContain('Poslovni prostor')
  expect((await clerk.get('/dashboard/export?per=company')).text).toContain('<option value="company" selected>')
})

test('the invoices of this month stand in a CSV file with everything that an accountant wants', async () => {
  const [first, second] = await rowsOf('/dashboard/export/files/invoices.csv')
  expect(first).toMatchObject({
    'Broj računa': `${sale.number}/POSL1/101`,
    Tvrtka: 'Samoposluga d.o.o.',
    'OIB tvrtke': '02994650199',
    Uređaj: 'machine',
    Vrsta: 'prodaja',
    'Način plaćanja': 'gotovina',
    'Ukupno (EUR)': '12,50',
    'Osnovica 25 %': '10,00',
    'PDV 25 %': '2,50',
    'PDV 13 %': '',
    Stanje: 'potvrđen',
    JIR: sale.jir,
    ZKI: sale.zki,
    'Način rada': 'testni rad',
  })
  expect(first?.Datum).toMatch(/^\d\d\.\d\d\.\d{4}\.$/)
  expect(second).toMatchObject({ Vrsta: 'storno', 'Ukupno (EUR)': '-2,50', Stanje: 'čeka ponovno slanje', JIR: '' })
})

test('turnover and tax by day and by month keep refunds and what lacks a JIR apart', async () => {
  expect(await rowsOf('/dashboard/export/files/turnover.csv?by=day')).toMatchObject([
    { 'Način plaćanja': 'gotovina', JIR: 's JIR-om', Vrsta: 'prodaja', 'Ukupno računa': '1', 'Ukupno (EUR)': '12,50' },
    { 'Način plaćanja': 'kartica', JIR: 'bez JIR-a', Vrsta: 'storno', 'Ukupno računa': '1', 'Ukupno (EUR)': '-2,50' },
  ])
  const [tax] = await rowsOf('/dashboard/export/files/tax.csv?by=month')
  expect(tax).toMatchObject({
    'Stopa %': '25,00',
    'Osnovica (EUR)': '10,00',
    'Porez (EUR)': '2,50',
    'Iznos (EUR)': '12,50',
  })
  expect(tax?.Mjesec).toMatch(/^\d\d\.\d{4}\.$/)
})

test('files are named after what is in them, and a workbook is one', async () => {
  const query = 'from=2026-01-01&to=2026-12-31'
  const book = await clerk.get(`/dashboard/export/files/totals.xlsx?by=month&${query}`)
  expect(book.headers['content-disposition']).toBe(
    'attachment; filename="zbrojevi-po-mjesecima-test-2026-01-01-2026-12-31.xlsx"',
  )
  expect(book.text.startsWith('PK')).toBe(true)
  const live = await clerk.get(`/dashboard/export/files/invoices.csv?mode=live&${query}`)
  expect(live.headers['content-disposition']).toBe('attachment; filename="racuni-2026-01-01-2026-12-31.csv"')
  expect(live.text.trim().split('\r\n')).toHaveLength(1)
})

test.each([
  ['from=31.2.2026.', 'Upišite datum'],
  ['from=2026-05-02&to=2026-05-01', 'Posljednji dan ne može biti prije prvoga'],
  ['premises=a/b', 'samo slova i znamenke'],
])('a choice such as %s is told to be wrong, and no file is made', async (query, words) => {
  const refused = await clerk.get(`/dashboard/export/files/invoices.csv?${query}`)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain(words)
})

test('what is chosen narrows the file down, and what nobody has finds nothing', async () => {
  const count = async (query: string) => (await rowsOf(`/dashboard/export/files/invoices.csv?${query}`)).length
  expect(await count(`company=${office.companyId}&device=${office.deviceId}&premises=POSL1`)).toBe(2)
  expect(await count('premises=NOWHERE')).toBe(0)
  expect(await count('device=%00')).toBe(0)
  expect(await count('from=2020-01-01&to=2020-12-31')).toBe(0)
})

test('a device whose name a spreadsheet would take for a formula is a name in the file', async () => {
  const labels = ['=1+1', '+385 1 2345', '-1', '@SUM(A1)', '=HYPERLINK("https://evil.example";"JIR")']
  for (const [i, label] of labels.entries()) {
    const device_id = await office.addDevice({ label, premises_code: 'FORMULA', isu_number: String(900 + i) })
    await office.sell({ device_id })
  }
  const rows = await rowsOf('/dashboard/export/files/invoices.csv?premises=FORMULA')
  expect(rows.map((row) => row.Uređaj)).toEqual(labels.map((label) => `'${label}`))
})

test('another tenant is given its own sales only, and nobody who is not signed in anything', async () => {
  await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  const body = { name: 'stranac', password: 'a long test password', role: 'admin' }
  await office.admin('/admin/users', { body, headers: { 'x-tenant': 'drugi' } })
  const stranger = office.browser()
  await stranger.post('/dashboard/sign-in', { name: body.name, password: body.password })
  const given = await stranger.get(`/dashboard/export/files/invoices.csv?company=${office.companyId}&mode=test`)
  expect(given.status).toBe(200)
  expect(given.text).not.toContain(String(refund.zki))
  expect((await office.browser().get('/dashboard/export/files/invoices.csv')).status).not.toBe(200)
  expect((await clerk.get('/dashboard/export/files/everything.zip')).status).toBe(404)
})
