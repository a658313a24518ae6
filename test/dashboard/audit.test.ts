import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sentence } from '../../src/dashboard/audit/sentences.ts'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'

let office: Office
let admin: Visitor
beforeAll(async () => {
  office = await startSharedDashboard()
  admin = await office.as('admin')
})

const AUDIT = '/dashboard/audit'
const ACTIONS = [
  ...readFileSync(join(import.meta.dirname, '../../src/fiscal/access/audit-log.ts'), 'utf8').matchAll(
    /\| '([a-z_]+\.[a-z_]+)'/g,
  ),
].map(([, action = '']) => action)

test('what was done is told in words, by whom, the latest first', async () => {
  const { words } = await admin.get(AUDIT)
  expect(words).toMatch(
    /Prijava na nadzornu ploču.*Izrađen je API ključ.*Dodan je uređaj „machine”.*Učitan je certifikat/,
  )
  expect(words).toContain('Tehničar na računalu (naredba fisk)')
  expect(words).toContain(admin.name)
  const english = await office.as('admin', { language: 'en' })
  expect((await english.get(AUDIT)).words).toContain('Added the device “machine” at the premises POSL1.')
})

test('changes are told with old and new value, in the words of the pages', async () => {
  const id = await office.addDevice({ label: 'Kavomat <b>', isu_number: '201' })
  const body = { isu_number: '202', device_config: { a: 1 }, status: 'suspended' }
  await office.admin(`/v1/devices/${id}`, { method: 'PATCH', body })
  const page = await admin.get(AUDIT)
  expect(page.words).toContain('Promijenjeni su podaci uređaja „Kavomat <b>”.')
  expect(page.words).toContain('ISU broj: 201 → 202')
  expect(page.words).toContain('evidencija: aktivno → obustavljeno')
  expect(page.text).not.toContain('Kavomat <b>')
})

test('every action of the log has a sentence in both languages, whatever its entry lacks', () => {
  expect(ACTIONS.length).toBeGreaterThan(30)
  const hostile = {
    name: { a: 1 },
    changed: [null, {}],
    number: [],
    count: 'x',
    numbers: 1,
    label: null,
    kind: '__proto__',
  }
  for (const action of ACTIONS) {
    for (const language of ['hr', 'en'] as const) {
      for (const detail of [{}, hostile, { changed: null }, { changed: { status: null } }]) {
        const text = sentence(action, detail, language)
        expect(text, action).toMatch(/^\p{Lu}.*\.$/u)
        expect(text, action).not.toMatch(/undefined|null|\[object|NaN|function/)
      }
    }
    expect(sentence(action, {}, 'hr'), action).not.toBe(sentence(action, {}, 'en'))
  }
  expect(sentence('constructor', {}, 'hr')).toBe('constructor')
  expect(sentence('future.action', {}, 'hr')).toBe('future.action')
})

test('an extended deadline is told with its company and the reason', () => {
  const detail = { id: 'c', oib: '12345678903', reason: 'Pregorio modem' }
  expect(sentence('deadline.extended', detail, 'hr')).toContain('tvrtke s OIB-om 12345678903')
  expect(sentence('deadline.extended', detail, 'en')).toContain('company with OIB 12345678903 to 5 working days: “Preg')
})

test('the log comes in pages, the last of which has no next', async () => {
  for (let i = 0; i < 55; i++) await office.createKey({ name: `page ${i}` })
  const first = await admin.get(AUDIT)
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1] ?? ''
  const second = await admin.get(next)
  expect(first.words).toContain('page 54')
  expect(first.words).not.toContain('„page 0”')
  expect(second.words).toContain('„page 0”')
  expect(second.text).not.toContain('rel="next"')
  expect(second.words).toContain('Na početak')
  expect((await admin.get(`${AUDIT}?cursor=x`)).status).toBe(400)
})

test('what somebody changed is found by person, machine, time and kind, as a page and as a file', async () => {
  const ana = await office.as('admin')
  const id = await office.addDevice({ label: 'Traženi', isu_number: '301' })
  const page = `/dashboard/devices/${id}/settings`
  await ana.submit(page, { 'set-payment_method': 'K', 'set-receipt-footer': 'Hvala' }, page)
  const { text } = await ana.get(AUDIT)
  const [, who = ''] = new RegExp(`who=([^"&]+)">${ana.name}<`).exec(text) ?? []
  const found = await ana.get(`${AUDIT}?who=${who}&area=device&device=Tra%C5%BEeni`)
  expect(found.words).toContain('Način plaćanja: ništa → K; Tekst ispod računa: ništa → ["Hvala"]')
  expect(found.text.match(/<th scope="row"/g)).toHaveLength(1)
  expect(found.text).toContain(`href="/dashboard/devices/${id}"`)
  const file = await ana.get(`/dashboard/export/lists/audit.csv?who=${who}&area=device&device=Tra%C5%BEeni`)
  expect(file.text.trim().split('\n')).toHaveLength(2)
  expect((await ana.get(`${AUDIT}?who=${who}&to=2020-01-01`)).words).toContain('Nema takvih zapisa.')
  expect((await ana.get(`${AUDIT}?device=Nepoznat`)).words).toContain('Nema uređaja s tim nazivom.')
})

test('a bulk job is one entry that leads to its rows', async () => {
  const operator = await office.as('operator')
  const ids = [await office.addDevice({ label: 'Prvi' }), await office.addDevice({ label: 'Drugi' })].join(',')
  const list = (await operator.get('/dashboard/devices')).hidden('/dashboard/jobs/confirm')
  const confirm = await operator.post('/dashboard/jobs/confirm', { ...list, work: 'suspended', ids })
  const sent = await operator.post('/dashboard/jobs', confirm.hidden('/dashboard/jobs'))
  const [job = ''] = /[0-9a-f-]{36}/.exec(sent.to ?? '') ?? []
  const rows = async () => (await admin.get(`${AUDIT}?job=${job}`)).words
  await expect.poll(rows).toMatch(/(Evidencija: aktivno → obustavljeno.*){2}/)
  const { text, words } = await admin.get(AUDIT)
  expect(text).toContain(`href="/dashboard/jobs/${job}"`)
  expect(words).not.toMatch(/„Prvi”.{0,40}aktivno → obustavljeno/)
  expect((await admin.get(`${AUDIT}?device=Prvi`)).words).toMatch(/„Prvi”.{0,40}aktivno → obustavljeno/)
})

test('an operator reads what concerns companies, one who is limited to a company what names it, and a reader nothing', async () => {
  const operator = await office.as('operator')
  await office.addDevice({ label: 'Vidljiv' })
  const { words } = await operator.get(AUDIT)
  expect(words).toContain('Dodan je uređaj „Vidljiv”')
  expect(words).not.toMatch(/Prijava na nadzornu ploču|API ključ „/)
  expect((await operator.get(`${AUDIT}?area=session`)).words).toContain('Nema takvih zapisa.')
  const made = await office.admin('/v1/companies', {
    body: { oib: '94577403194', name: 'Druga', vat_registered: true },
  })
  await office.admin(`/admin/users/${operator.name}/companies`, { body: { companies: [made.body.oib] } })
  const limited = (await operator.get(AUDIT)).words
  expect(limited).toContain('94577403194')
  expect(limited).not.toContain('Vidljiv')
  expect((await (await office.as('viewer')).get(AUDIT)).status).toBe(403)
})
