import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'

const LIST = '/dashboard/devices'
let office: Office
let admin: Visitor

beforeAll(async () => {
  office = await startSharedDashboard()
  admin = await office.as('admin')
  const places = ['Ilica 1, Zagreb', 'Riva 2, Split', 'Riva 3, Split', 'peron 4']
  for (const [i, premises_address] of places.entries())
    await office.addDevice({ label: `Kavomat ${i}`, premises_address, ...(i > 1 && { isu_number: `${800 + i}` }) })
  const { body } = await office.admin('/v1/companies', {
    body: { oib: '94577403194', name: 'Druga', vat_registered: true },
  })
  await office.addDevice({ label: 'Tuđi', company_id: body.id, isu_number: '900' })
  await office.sell()
})

const countIn = (text: string) => Number(/<h1>[^<]*<span class="count">([\d.]+)/.exec(text)?.[1])

test('each entry of a filter, and each tab, leads to exactly as many machines as it says, with other filters, too', async () => {
  for (const start of [LIST, `${LIST}?q=kavomat`, `${LIST}?town=Split&state=sells`, `${LIST}?status=all&isu=pending`]) {
    const { text } = await admin.get(start)
    const entries = [...text.matchAll(/href="(\/dashboard\/devices[^"]*)"[^>]*>[^<]*<span>([\d.]+)<\/span>/g)]
    expect(entries.length).toBeGreaterThan(15)
    for (const [, href = '', count] of entries)
      expect(countIn((await admin.get(href.replaceAll('&amp;', '&'))).text), `${start}: ${href}`).toBe(Number(count))
  }
})

test('what is chosen stands in the name of its filter, and one link takes all of it away', async () => {
  const { text, words } = await admin.get(`${LIST}?town=Split&state=sells&sort=-name`)
  expect(words).toContain('Mjesto: Split')
  expect(words).toContain('Stanje: prodaje')
  expect(text).toContain('href="/dashboard/devices?sort=-name">Poništi<')
  expect((await admin.get(`${LIST}?town=-`)).words).toContain('Kavomat 3')
  expect((await admin.get(LIST)).words).not.toContain('Poništi')
})

test.each([
  ['devices', '/dashboard/devices'],
  ['not-earning', '/dashboard/not-earning'],
  ['invoices', '/dashboard/invoices'],
  ['audit', '/dashboard/audit'],
  ['companies', '/dashboard/companies'],
  ['users', '/dashboard/users'],
  ['keys', '/dashboard/keys'],
])('the file of %s has the rows of its page, in the same order', async (file, page) => {
  const { text } = await admin.get(page)
  expect(text).toContain(`href="/dashboard/export/lists/${file}.xlsx`)
  const named = [
    ...text.matchAll(
      /<th scope="row"[^>]*><div class="name">(?:<span class="dot[^>]*><\/span>)?(?:<a [^>]*>)?([^<]+)/g,
    ),
  ]
  const given = await admin.get(`/dashboard/export/lists/${file}.csv`)
  expect(given.status, given.words).toBe(200)
  const rows: string[][] = parse(given.text, { delimiter: ';', bom: true, from: 2 })
  expect(rows.length).toBeGreaterThan(0)
  const names = named.map(([, name = '']) => name.trim())
  // The log has one entry more: that this file was downloaded.
  expect(
    rows
      .map((row) => row.find((cell) => names.includes(cell)))
      .filter(Boolean)
      .slice(-names.length),
  ).toEqual(names)
})

test('who may not open a list may not have its file', async () => {
  const operator = await office.as('operator')
  for (const file of ['keys', 'users']) {
    expect((await operator.get(`/dashboard/export/lists/${file}.csv`)).status).toBe(403)
  }
  expect((await admin.get('/dashboard/export/lists/gateways.csv')).status).toBe(404)
})

test('an amount is found in the list of invoices, and a number is looked for in all of them', async () => {
  const found = await admin.get('/dashboard/invoices?q=2%2C50&payment=G')
  expect(found).toMatchObject({ status: 303, to: '/dashboard/invoices?payment=G&amount=2%2C50' })
  expect((await admin.get(found.to ?? '')).words).toContain('Iznos: 2,50')
  const number = await admin.get('/dashboard/invoices?q=1&payment=K')
  expect(number.words).toContain('Pronađen je 1 račun.')
  expect(number.words).not.toContain('Plaćanje: kartica')
})
