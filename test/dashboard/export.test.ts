import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import type { InvoiceBody } from '../support/gateway.ts'
import { skipWithout } from '../support/tools.ts'
import { readWorkbook } from '../support/workbook.ts'

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
  const form = /<form method="get" action="\/dashboard\/export\/file".*?<\/form>/s.exec(page.text)?.[0] ?? ''
  expect(form.match(/<select[^>]* name="\w+"/g)?.map((one) => /name="(\w+)"/.exec(one)?.[1])).toEqual(
    expect.arrayContaining(['what', 'by', 'format']),
  )
  expect(form.match(/<button/g)).toHaveLength(1)
  const english = await office.as('viewer', { language: 'en' })
  expect((await english.get('/dashboard/export')).words).toContain('Export for the accountant')
})

test('totals are by premises or by company', async () => {
  const columns = async (per: string) =>
    Object.keys((await rowsOf(`/dashboard/export/file?what=turnover&format=csv&${per}`))[0] ?? {})
  expect(await columns('')).toContain('Poslovni prostor')
  expect(await columns('by=company_month')).not.toContain('Poslovni prostor')
  expect((await clerk.get('/dashboard/export?by=company_month')).text).toContain(
    '<option value="company_month" selected>',
  )
})

test('the invoices of this month stand in a CSV file with everything that an accountant wants', async () => {
  const [first, second] = await rowsOf('/dashboard/export/file?what=invoices&format=csv')
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
  expect(second).toMatchObject({ Vrsta: 'storno', 'Ukupno (EUR)': '-2,50', Stanje: 'na čekanju', JIR: '' })
})

test('turnover and tax by day and by month keep refunds and what lacks a JIR apart', async () => {
  expect(await rowsOf('/dashboard/export/file?what=turnover&format=csv&by=day')).toMatchObject([
    {
      'Način plaćanja': 'gotovina',
      'Status JIR-a': 's JIR-om',
      Vrsta: 'prodaja',
      'Ukupno računa': '1',
      'Ukupno (EUR)': '12,50',
    },
    {
      'Način plaćanja': 'kartica',
      'Status JIR-a': 'bez JIR-a',
      Vrsta: 'storno',
      'Ukupno računa': '1',
      'Ukupno (EUR)': '-2,50',
    },
  ])
  const [tax] = await rowsOf('/dashboard/export/file?what=tax&format=csv&by=month')
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
  const book = await clerk.get(`/dashboard/export/file?what=turnover&format=xlsx&by=month&${query}`)
  expect(book.headers['content-disposition']).toBe(
    'attachment; filename="promet-po-mjesecima-test-2026-01-01-2026-12-31.xlsx"',
  )
  expect(book.text.startsWith('PK')).toBe(true)
  const live = await clerk.get(`/dashboard/export/file?what=invoices&format=csv&mode=live&${query}`)
  expect(live.headers['content-disposition']).toBe('attachment; filename="racuni-2026-01-01-2026-12-31.csv"')
  expect(live.text.trim().split('\r\n')).toHaveLength(1)
})

test.skipIf(skipWithout('python3'))(
  'a workbook of revenue says whose it is, of which days and when it was made, and has tax and totals',
  async () => {
    const given = await clerk.get(`/dashboard/export/file?by=company_month&company=${office.companyId}`)
    expect(given.headers['content-disposition']).toMatch(
      /filename="promet-po-mjesecima-samoposluga-d-o-o-test-\d{4}-\d\d-01-\d{4}-\d\d-\d\d.xlsx"/,
    )
    const { Promet: rows = [], Porez: taxes = [] } = await readWorkbook(given.bytes)
    expect(rows.slice(0, 4).map(({ A }) => A?.text)).toEqual([
      'Promet, po mjesecima, cijela tvrtka',
      'Samoposluga d.o.o. (02994650199)',
      expect.stringMatching(/^1\. \d+\. \d{4}\. – \d+\. \d+\. \d{4}\., testni rad$/),
      expect.stringMatching(/^Izrađeno: \d/),
    ])
    const [titles, ...sums] = rows.slice(5)
    expect(Object.values(titles ?? {}).map(({ text }) => text)).toContain('Status JIR-a')
    expect(sums[0]?.A?.format).toBe('mm\\.yyyy\\.')
    expect(sums.at(-1)).toMatchObject({ A: { text: 'Ukupno' }, B: { text: 'Samoposluga d.o.o.' } })
    expect(Object.values(sums.at(-1) ?? {}).at(-1)?.number).toBe('10.00')
    expect(Object.values(taxes.at(-1) ?? {}).map(({ number }) => number)).toEqual(
      expect.arrayContaining(['2.00', '10.00']),
    )
  },
)

test('the name of a file has no company where all are in it', async () => {
  const given = await clerk.get('/dashboard/export/file?what=tax&format=csv')
  expect(given.headers['content-disposition']).toMatch(/filename="porez-po-mjesecima-test-/)
})

test.each([
  ['from=31.2.2026.', 'Upišite datum'],
  ['from=2026-05-02&to=2026-05-01', 'Posljednji dan ne može biti prije prvoga'],
  ['premises=a/b', 'samo slova i znamenke'],
])('a choice such as %s is told to be wrong, and no file is made', async (query, words) => {
  const refused = await clerk.get(`/dashboard/export/file?what=invoices&format=csv&${query}`)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain(words)
})

test('what is chosen narrows the file down, and what nobody has finds nothing', async () => {
  const count = async (query: string) =>
    (await rowsOf(`/dashboard/export/file?what=invoices&format=csv&${query}`)).length
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
  const rows = await rowsOf('/dashboard/export/file?what=invoices&format=csv&premises=FORMULA')
  expect(rows.map((row) => row.Uređaj)).toEqual(labels.map((label) => `'${label}`))
})

test('another tenant is given its own sales only, and nobody who is not signed in anything', async () => {
  await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  const body = { name: 'stranac', password: 'a long test password', role: 'admin' }
  await office.admin('/admin/users', { body, headers: { 'x-tenant': 'drugi' } })
  const stranger = office.browser()
  await stranger.post('/dashboard/sign-in', { name: body.name, password: body.password })
  const given = await stranger.get(
    `/dashboard/export/file?what=invoices&format=csv&company=${office.companyId}&mode=test`,
  )
  expect(given.status).toBe(200)
  expect(given.text).not.toContain(String(refund.zki))
  expect((await office.browser().get('/dashboard/export/file?what=invoices&format=csv')).status).not.toBe(200)
})
