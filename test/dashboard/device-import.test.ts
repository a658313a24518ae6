import { beforeAll, expect, test } from 'vitest'
import { packWrong, unpackWrong } from '../../src/dashboard/devices/import.ts'
import { separatorOf } from '../../src/fiscal/registry/device-csv.ts'
import { type Office, type PageAnswer, startSharedDashboard, type Visitor } from '../support/dashboard.ts'

let office: Office
let operator: Visitor
beforeAll(async () => {
  office = await startSharedDashboard()
  operator = await office.as('operator')
})

const PAGE = '/dashboard/devices/import'
const csv = (...lines: string[]) => new Blob([lines.join('\n')], { type: 'text/csv' })
const preview = (file: Blob, company = office.companyId) => operator.submit(PAGE, { company, file }, `${PAGE}/preview`)
const run = (page: PageAnswer) => operator.post(PAGE, page.hidden(PAGE))

async function labels(): Promise<string[]> {
  const { body } = await office.admin<{ data: { label: string }[] }>('/v1/devices?limit=200')
  return body.data.map(({ label }) => label)
}

test('three wrong rows are shown with line, field, reason and fix, and nothing is stored before it is wanted', async () => {
  const file = csv(
    'label,premises_code,isu_number,device_config',
    'Uvoz 1,POS1,551001,',
    ',POS1,,',
    'Uvoz 3,POS 1,,',
    'Uvoz 4,POS1,0055,',
    'Uvoz 5,POS1,,"{""payment_method"":""K""}"',
  )
  const before = await labels()
  const page = await preview(file)
  expect(page.status).toBe(200)
  expect(page.words).toContain(
    'Ništa još nije promijenjeno. U datoteci: 5. Novi: 2. Mijenjaju se: 0. Bez promjene: 0. Pogrešni: 3.',
  )
  expect(page.words).toMatch(/3 – label Upišite naziv uređaja\./)
  expect(page.words).toMatch(/4 Uvoz 3 premises_code Oznaka poslovnog prostora ima/)
  expect(page.words).toMatch(/5 Uvoz 4 isu_number ISU broj ne počinje nulom/)
  expect(await labels()).toEqual(before)

  const done = await run(page)
  expect(done.status).toBe(303)
  const told = await operator.get(done.to ?? '')
  expect(told.words).toContain('Dodano: 2. Promijenjeno: 0. Bez promjene: 0.')
  expect(told.words).toMatch(/4 premises_code Oznaka poslovnog prostora ima/)
  // Both may bear the same millisecond: lists then have them in any order.
  const added = (await labels()).filter((label) => !before.includes(label))
  expect(added.sort()).toEqual(['Uvoz 1', 'Uvoz 5'])
})

test('what would be created, changed and left as it is is told apart, with what it was and what it becomes', async () => {
  const rows = ['isto,P1,661001', 'mijenja se,P1,661002']
  await run(await preview(csv('label,premises_code,isu_number', ...rows)))
  const page = await preview(
    csv('label,premises_code,isu_number', 'isto,P1,661001', 'mijenja se,P1,661003', 'novo,P1,'),
  )
  expect(page.words).toContain('Novi: 1. Mijenjaju se: 1. Bez promjene: 1. Pogrešni: 0.')
  expect(page.words).toContain('ISU broj: 661002 → 661003')
  const again = await preview(csv('label,premises_code,isu_number', ...rows))
  expect(again.words).toContain('Nema ničega za uvoz.')
})

test('a file as Excel in Croatia saves it is read: semicolons and a byte order mark', async () => {
  const page = await preview(csv('\ufefflabel;premises_code', '"Šalica; velika";P1'))
  expect(page.words).toContain('Šalica; velika')
  expect(page.words).toContain('Novi: 1.')
})

test('the sample can be imported as it is', async () => {
  const sample = await operator.get(`${PAGE}/sample.csv`)
  expect(sample.headers['content-disposition']).toContain('uredaji.csv')
  const page = await preview(new Blob([sample.text]))
  expect(page.words).toContain('U datoteci: 3. Novi: 3. Mijenjaju se: 0. Bez promjene: 0. Pogrešni: 0.')
})

test.each([
  ['no file', new Blob([]), 'Odaberite datoteku.'],
  ['a file that is not UTF-8', new Blob([new Uint8Array([0x6c, 0xe8, 0x0a])]), 'nije u formatu UTF-8'],
  ['a file without the columns', csv('naziv,grad', 'a,b'), 'nedostaje stupac label ili premises_code'],
  ['a picture', new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255])]), 'nije u formatu UTF-8'],
  ['a file of more than 1 MB', new Blob(['x'.repeat(1_100_000)]), 'veća od 1 MB'],
])('%s is refused in plain words, and the file is asked for again', async (_what, file, text) => {
  const page = await preview(file)
  expect(page.status).toBe(422)
  expect(page.words).toContain(text)
  expect(page.words).toContain('Preglednik ne pamti odabranu datoteku')
})

test('what was cut off on its way from the preview is not imported', async () => {
  const page = await preview(csv('label,premises_code', 'odrezano,P1'))
  const { file = '', ...fields } = page.hidden(PAGE)
  const before = await labels()
  expect((await operator.post(PAGE, { ...fields, file: `${file.slice(0, -3)}!` })).words).toContain(
    'nije stigla cijela',
  )
  expect(await labels()).toEqual(before)
})

test('markup in a file stays text', async () => {
  const page = await preview(csv('label,premises_code', '<script>alert(1)</script>,P1', '<b>,P 1'))
  expect(page.text).not.toContain('<script>alert')
  expect(page.words).toContain('<script>alert(1)</script>')
})

test('a file of a megabyte travels from the preview to the import', async () => {
  const config = JSON.stringify({ special_purpose: 'x'.repeat(900) }).replaceAll('"', '""')
  const rows = Array.from({ length: 1000 }, (_, n) => `veliki ${n},P1,"${config}"`)
  const page = await preview(csv('label,premises_code,device_config', ...rows))
  const done = await run(page)
  expect(done.status).toBe(303)
  expect((await operator.get(done.to ?? '')).words).toContain('Dodano: 1000.')
})

test('an import that is sent twice is done once, and says the same both times', async () => {
  const page = await preview(csv('label,premises_code', 'dvaput,P1'))
  const [one, other] = await Promise.all([run(page), run(page)])
  expect(one.to).toContain('created=1')
  expect(other.to).toBe(one.to)
})

test('a company of nobody is not imported for', async () => {
  const page = await preview(csv('label,premises_code', 'x,P1'), '00000000-0000-4000-8000-000000000000')
  expect(page.status).toBe(422)
  expect(page.words).toContain('Odaberite tvrtku.')
})

test('what somebody puts into the address of the last page is text of ours or nothing', async () => {
  const wrong = encodeURIComponent('7.label.label_missing,8.<b>.x,9..invalid_request,1.constructor.constructor')
  const page = await operator.get(`${PAGE}/done?created=<b>&wrong=${wrong}`)
  expect(page.words).toContain('Dodano: 0.')
  expect(page.words).toContain('7 label Upišite naziv uređaja.')
  expect(page.text).not.toContain('<b>')
})

test('refused rows go into an address and come out of it', () => {
  const error = { label: 'x', message: 'm', code: 'invalid_request' as const, about: null }
  const packed = packWrong([
    { ...error, row: 4, param: 'label', reason: 'label_missing' },
    { ...error, row: 9, param: 'premises_code', reason: null, code: 'premises_owned_by_gateway' },
  ])
  expect(unpackWrong(packed)).toMatchObject([
    { line: 4, field: 'label', refusal: { reason: 'label_missing' } },
    { line: 9, field: 'premises_code', refusal: { code: 'premises_owned_by_gateway' } },
  ])
})

test.each([
  ['a,b\nc;d;e', ','],
  ['a;b\nc,d,e', ';'],
  ['a', ','],
])('the separator of %j is %s', (text, separator) => {
  expect(separatorOf(Buffer.from(text))).toBe(separator)
})
