import { beforeAll, expect, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { addCompany } from '../support/gateway.ts'
import { OIBS } from '../support/oibs.ts'

/** Everything that gives the second company away. */
const [OIB, NAME, LABEL] = [OIBS[1], 'Druga tvrtka d.o.o.', 'Drugi-uređaj']
const FIRST = 'Samoposluga d.o.o.'

let office: Office
const theirs = { companyId: companyIdOf(OIB), deviceId: '' }

beforeAll(async () => {
  office = await startSharedDashboard()
  await addCompany(office, OIB, { name: NAME })
  const device = { company_id: theirs.companyId, premises_code: 'DRUGI1', label: LABEL, isu_number: '202' }
  theirs.deviceId = await office.addDevice(device)
  await office.sell({ total: '12.50' })
  await office.sell({ device_id: theirs.deviceId, total: '3.00' })
})

const choose = (visitor: Visitor, company: string, back = '/dashboard') =>
  visitor.post('/dashboard/look', { company, back })

/** What stands in the head: the chosen company. */
const headOf = (html: string) =>
  (/<details class="drop switch".*?<summary>(.*?)<\/summary>/s.exec(html)?.[1] ?? '').replace(/<[^>]+>/g, '')

test('a chosen company narrows lists, figures, the search and files, and each page says which one it is', async () => {
  const clerk = await office.as('admin')
  expect(headOf((await clerk.get('/dashboard/devices')).text)).toBe('Tvrtka: Sve tvrtke')
  expect((await clerk.get('/dashboard/devices')).words).toContain(LABEL)
  await choose(clerk, office.companyId)
  for (const path of ['', '/devices', '/invoices', '/closings?unit=day', '/alerts', '/export', `/search?q=${LABEL}`]) {
    const page = await clerk.get(`/dashboard${path}`)
    expect([path, page.status, headOf(page.text)]).toEqual([path, 200, `Tvrtka: ${FIRST}`])
    const main = /<main.*<\/main>/s.exec(page.text)?.[0] ?? ''
    expect([path, main.includes(theirs.deviceId), main.includes(NAME)]).toEqual([path, false, false])
  }
  const file = await clerk.get('/dashboard/export/file?what=invoices&format=csv')
  expect(file.text).toContain('12,50')
  expect(file.text).not.toContain(OIB)
  await choose(clerk, theirs.companyId)
  const other = await clerk.get('/dashboard/export/file?what=invoices&format=csv')
  expect(other.text).toContain('3,00')
  expect(other.text).not.toContain('12,50')
  await choose(clerk, '')
  expect((await clerk.get('/dashboard/devices')).words).toContain(LABEL)
})

test('the list of a chosen company offers no filter of companies', async () => {
  const clerk = await office.as('viewer')
  const hasFilter = async () => /<select[^>]* name="company"/.test((await clerk.get('/dashboard/export')).text)
  expect(await hasFilter()).toBe(true)
  await choose(clerk, office.companyId)
  expect(await hasFilter()).toBe(false)
})

test('the switch names each company that the reader may see with its machines, and is not there for one', async () => {
  const clerk = await office.as('admin')
  const head = /<header.*?<\/header>/s.exec((await clerk.get('/dashboard')).text)?.[0] ?? ''
  expect([...head.matchAll(/name="company" value="([^"]*)"/g)].map(([, id]) => id)).toEqual([
    '',
    theirs.companyId,
    office.companyId,
  ])
  expect(head.replace(/<[^>]+>/g, '')).toContain(`${NAME} 1`)
  const limited = await office.as('admin')
  await choose(limited, theirs.companyId)
  const body = { companies: ['02994650199'] }
  expect((await office.admin(`/admin/users/${limited.name}/companies`, { body })).status).toBe(200)
  const page = await limited.get('/dashboard/devices')
  expect(page.text).not.toContain('class="drop switch"')
  expect(page.words).toContain('machine')
  expect(page.words).not.toContain(LABEL)
})

test('what is not found because of the choice is shown by one button, which goes back to the same page', async () => {
  const clerk = await office.as('operator')
  await choose(clerk, office.companyId)
  const path = `/dashboard/devices/${theirs.deviceId}`
  const refused = await clerk.get(path)
  expect(refused.status).toBe(404)
  expect(refused.words).toContain(`Samo je tvrtka ${FIRST} odabrana pri vrhu stranice.`)
  expect(refused.text).toContain(`name="back" value="${path}"`)
  const sought = await clerk.get(`/dashboard/search?q=${LABEL}`)
  expect(sought.words).toContain('Prikaži sve tvrtke')
  expect(await choose(clerk, '', path)).toMatchObject({ status: 303, to: path })
  expect((await clerk.get(path)).status).toBe(200)
})

test('what concerns all companies stays as it is, and says that the choice does not count there', async () => {
  const clerk = await office.as('admin')
  await choose(clerk, office.companyId)
  for (const path of [
    '/companies',
    `/companies/${theirs.companyId}`,
    '/users',
    '/account',
    '/jobs',
    '/devices/import',
  ]) {
    const page = await clerk.get(`/dashboard${path}`)
    const head = `Tvrtka: ${FIRST} (ne vrijedi za ovu stranicu)`
    expect([path, page.status, headOf(page.text)]).toEqual([path, 200, head])
  }
  expect((await clerk.get('/dashboard/companies')).words).toContain(NAME)
})

test('a form acts on the company of its page, also when another one was chosen in another window since', async () => {
  const clerk = await office.as('operator')
  const path = `/dashboard/devices/${theirs.deviceId}`
  await choose(clerk, theirs.companyId)
  const form = (await clerk.get(path)).hidden(`${path}/tags`)
  await choose(clerk, office.companyId)
  expect(await clerk.post(`${path}/tags`, { ...form, tags: 'Hodnik' })).toMatchObject({ status: 303 })
  const ofAll = { ...form, _company: companyIdOf('12345678903') }
  expect((await clerk.post(`${path}/tags`, { ...ofAll, tags: 'Drugo' })).status).toBe(404)
})

test('a file has the company of the form that asked for it in its name', async () => {
  const clerk = await office.as('viewer')
  await choose(clerk, theirs.companyId)
  const [, chosen] = /name="_company" value="([^"]*)"/.exec((await clerk.get('/dashboard/export')).text) ?? []
  await choose(clerk, office.companyId)
  const file = await clerk.get(`/dashboard/export/file?what=invoices&format=csv&_company=${chosen}`)
  for (const path of ['closings/file.csv', 'export/lists/devices.csv']) {
    const { headers } = await clerk.get(`/dashboard/${path}`)
    expect([path, headers['content-disposition']]).toEqual([path, expect.stringContaining('-samoposluga-d-o-o-')])
  }
  expect(file.headers['content-disposition']).toContain('racuni-druga-tvrtka-d-o-o-test-')
  expect(file.text).toContain('3,00')
  expect(file.text).not.toContain('12,50')
})

test('the file of a list is of the company of its page, also when another one was chosen in another window since', async () => {
  const clerk = await office.as('admin')
  await choose(clerk, theirs.companyId)
  const link = /href="([^"]*\/lists\/[^"]*\.csv[^"]*)"/.exec((await clerk.get('/dashboard/devices')).text)?.[1] ?? ''
  await choose(clerk, office.companyId)
  expect((await clerk.get(link.replaceAll('&amp;', '&'))).text).toContain(LABEL)
})

test('a page that updates itself stays with its company', async () => {
  const clerk = await office.as('viewer')
  await choose(clerk, office.companyId)
  const page = await clerk.get('/dashboard')
  expect(page.text).toContain(`hx-headers='{"x-company":"${office.companyId}"}'`)
  await choose(clerk, theirs.companyId)
  const fragment = (headers: Record<string, string>) =>
    clerk.get('/dashboard/overview/now', { 'hx-request': 'true', ...headers })
  const [ours, other] = [await fragment({ 'x-company': office.companyId }), await fragment({})]
  expect(ours.status).toBe(200)
  expect(ours.text).not.toBe(other.text)
})

test.each([
  ['?company=x&_company=x&after=2&sort=name', '?sort=name'],
  ['', ''],
])('after a switch the same page is there, without what was of one company: %s', async (query, kept) => {
  const clerk = await office.as('viewer')
  const switched = await choose(clerk, office.companyId, `/dashboard/devices${query}`)
  expect(switched.to).toBe(`/dashboard/devices${kept}`)
})
