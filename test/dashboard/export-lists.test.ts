import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { OIBS } from '../support/pki.ts'

const LISTS = '/dashboard/export/lists'
let office: Office
let admin: Visitor
let other: string

beforeAll(async () => {
  office = await startSharedDashboard()
  admin = await office.as('admin')
  const company = { oib: OIBS[1], name: 'Tajna tvrtka d.o.o.', vat_registered: true }
  other = String((await office.admin('/v1/companies', { body: company })).body.id)
  await office.addDevice({ label: '=1+1', premises_code: 'POSL2', isu_number: '202' })
  await office.addDevice({ company_id: other, label: 'Tajni', premises_code: 'POSL3', isu_number: '303' })
  await office.sell({ total: '2.50' })
  // The first proven answer asks for a pass over the alerts: it would end those that are written here.
  await office.watch()
  const many = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)'
  await inDatabase(
    office,
    `${many} INSERT INTO audit_log (id, at, actor, tenant_id, action, detail)
      SELECT 'x' || i, i, 'operator', 'default', 'trust.changed', '{}' FROM n`,
  )
  await inDatabase(
    office,
    `${many} INSERT INTO alerts (id, tenant_id, kind, subject, detail, raised_at, company_id)
      SELECT 'x' || i, 'default', 'isu_mismatch', 'x' || i, '{"device":"-2+3"}', i, iif(i = 1, '${other}', '${office.companyId}') FROM n`,
  )
})

async function rowsOf(path: string, visitor = admin): Promise<Record<string, string>[]> {
  const given = await visitor.get(path)
  expect(given.status, given.words).toBe(200)
  expect(given.headers['content-type']).toBe('text/csv; charset=utf-8')
  return parse(given.text, { delimiter: ';', bom: true, columns: true })
}

test('the list of devices is downloaded with its filter, and no name becomes a formula', async () => {
  const all = await rowsOf(`${LISTS}/devices.csv?sort=name`)
  expect(all.map(({ Naziv }) => Naziv)).toEqual(["'=1+1", 'machine', 'Tajni'])
  expect(all.find(({ Naziv }) => Naziv === 'machine')).toMatchObject({
    ...{ 'Oznaka poslovnog prostora': 'POSL1', 'OIB tvrtke': OIBS[0], 'ISU broj': '101', Evidencija: 'aktivan' },
    ...{
      Stanje: 'može prodavati',
      'Promet danas': '2,50',
      'Način rada': 'testni rad',
      Pristupnik: 'ovaj poslužitelj',
    },
  })
  const found = await rowsOf(`${LISTS}/devices.csv?q=machine`)
  expect(found.map(({ Naziv }) => Naziv)).toEqual(['machine'])
  const page = await admin.get('/dashboard/devices?q=machine')
  expect(page.text).toContain(`href="${LISTS}/devices.csv?q=machine"`)
  expect(page.words).toContain('Preuzmi popis, XLSX')
})

test('the list of alerts is downloaded with its state and kind, however long it is', async () => {
  const open = await rowsOf(`${LISTS}/alerts.csv?kind=isu_mismatch`)
  expect(open).toHaveLength(250)
  expect(open[0]).toMatchObject({ Važnost: 'upozorenje', Stanje: 'otvoreno', Viđeno: '', 'Oznaka zapisa': 'x250' })
  expect(open[0]?.['Što učiniti']).not.toBe('')
  expect(await rowsOf(`${LISTS}/alerts.csv?kind=disk_short`)).toEqual([])
  expect(await rowsOf(`${LISTS}/alerts.csv?state=resolved`)).toEqual([])
  const page = await admin.get('/dashboard/alerts?kind=isu_mismatch')
  expect(page.text).toContain(`href="${LISTS}/alerts.csv?kind=isu_mismatch"`)
})

test('the audit log is downloaded as a whole by who may read it, and each download is in it', async () => {
  const before = (await rowsOf(`${LISTS}/audit.csv`)).length
  expect(before).toBeGreaterThan(250)
  const [latest] = await rowsOf(`${LISTS}/audit.csv`)
  expect(latest).toMatchObject({ Tko: admin.name, 'Vrsta radnje': 'file.downloaded' })
  expect(latest?.Što).toMatch(/^Preuzeta je datoteka „dnevnik-radnji-\d{4}-\d\d-\d\d.csv”\.$/)
  await admin.get('/dashboard/export/file?what=invoices&format=csv')
  expect((await rowsOf(`${LISTS}/audit.csv`)).slice(1, 3).map(({ Što }) => Što)).toEqual([
    expect.stringContaining('racuni-test-'),
    expect.stringContaining('dnevnik-radnji-'),
  ])
  const operator = await office.as('operator')
  expect((await (await office.as('viewer')).get(`${LISTS}/audit.csv`)).status).toBe(403)
  expect((await operator.get(`${LISTS}/audit.csv`)).text).not.toContain('session.started')
  expect((await admin.get('/dashboard/audit')).text).toContain(`href="${LISTS}/audit.xlsx"`)
})

test('a limited user downloads what their lists show', async () => {
  const limited = await office.as('admin')
  const set = await office.admin(`/admin/users/${limited.name}/companies`, { body: { companies: [OIBS[0]] } })
  expect(set.status, set.text).toBe(200)
  expect((await rowsOf(`${LISTS}/devices.csv`, limited)).map(({ Naziv }) => Naziv)).not.toContain('Tajni')
  expect(await rowsOf(`${LISTS}/devices.csv?company=${other}`, limited)).toEqual([])
  expect(await rowsOf(`${LISTS}/alerts.csv`, limited)).toHaveLength(249)
  expect((await limited.get(`${LISTS}/audit.csv`)).text).not.toContain('session.started')
})

test('each list is a workbook, too, in the language of the reader', async () => {
  const reader = await office.as('admin', { language: 'en' })
  for (const list of ['devices', 'alerts', 'audit-log'] as const) {
    const given = await reader.get(`${LISTS}/${list.replace('-log', '')}.xlsx`)
    expect(given.headers['content-disposition']).toMatch(new RegExp(`filename="${list}-\\d{4}-\\d\\d-\\d\\d.xlsx"`))
    expect(given.text.startsWith('PK')).toBe(true)
  }
  expect((await office.browser().get(`${LISTS}/devices.csv`)).to).toContain('/dashboard/sign-in')
})
