import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Office, startDashboard, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { addCompany } from '../support/gateway.ts'
import { ringLogo } from '../support/logos.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'

let office: Office
let admin: Visitor
beforeAll(async () => {
  office = await startSharedDashboard()
  admin = await office.as('admin')
})

const LIST = '/dashboard/companies'
const pathOf = (id: string, rest = '') => `${LIST}/${id}${rest}`
const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])

async function stored(id: string, house: Office = office) {
  const { body } = await house.admin<{ data: Record<string, unknown>[] }>('/v1/companies?limit=200')
  return body.data.find((one) => one.id === id)
}

function upload(visitor: Visitor, id: string, file: Buffer, passphrase: string, label = '') {
  return visitor.submit(pathOf(id), { file: blob(file), passphrase, label }, pathOf(id, '/certificate'))
}

test('a company is added, gets its certificate, and is shown with the days that are left', async () => {
  const fields = { oib: '02994650199', name: 'Kava d.o.o.' }
  const taken = await admin.submit(`${LIST}/new`, { ...fields, vat: 'yes', rate: '25.00' })
  expect(taken.status).toBe(422)
  expect(taken.words).toContain('Tvrtka s tim OIB-om već postoji.')

  const outside = await admin.submit(`${LIST}/new`, { ...fields, oib: OIBS[2], rate: '25.00' })
  expect(outside).toMatchObject({ status: 422, words: expect.stringContaining('izvan sustava PDV-a nema stopu') })

  const seat = { street: 'Ilica 1', postal: '10000', city: 'Zagreb', country: 'HR' }
  const added = await admin.submit(`${LIST}/new`, { ...fields, oib: OIBS[2], vat: 'yes', rate: '13.00', ...seat })
  expect(added.status).toBe(303)
  const id = /companies\/([0-9a-f-]{36})/.exec(added.to ?? '')?.[1] ?? ''
  expect(await stored(id)).toMatchObject({
    name: 'Kava d.o.o.',
    mode: 'test',
    vat_registered: true,
    fiscal_config: { default_vat_rate: '13.00', default_vat_base: 'taxable' },
    address: { street: 'Ilica 1', postal_code: '10000', city: 'Zagreb', country: 'HR' },
  })
  expect((await admin.get(added.to ?? '')).words).toContain('Tvrtka još nema certifikat')

  const certificate = await certificateOf(OIBS[2])
  const sent = await upload(admin, id, certificate.p12, certificate.passphrase, 'Fiskal 2026')
  expect(sent).toMatchObject({ status: 303, to: `${pathOf(id)}?notice=certificate_added` })
  const page = await admin.get(pathOf(id))
  expect(page.words).toMatch(/Vrijedi do .* \(još \d+ dan/)
  expect(page.words).toContain('Fiskal 2026')
  expect((await admin.get(LIST)).words).toMatch(/Kava d\.o\.o\. .* valjan, još \d+ dan/)
})

test('everything that is wrong with a new company is said at once, and what was typed stays', async () => {
  const refused = await admin.submit(`${LIST}/new`, { oib: '12345678901', name: '', city: 'Zagreb' })
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('OIB nije ispravan')
  expect(refused.words).toContain('Upišite naziv tvrtke.')
  expect(refused.text).toContain('value="Zagreb"')
})

test.each([
  [
    'the wrong passphrase',
    async () => ({ ...(await certificateOf(OIBS[0])), passphrase: 'wrong' }),
    'Lozinka ne otvara datoteku.',
  ],
  [
    'a file that is no certificate',
    async () => ({ p12: Buffer.from('%PDF-1.7'), passphrase: 'x' }),
    'nije datoteka certifikata',
  ],
  [
    'a certificate as text',
    async () => ({ p12: Buffer.from('-----BEGIN CERTIFICATE-----'), passphrase: 'x' }),
    '(PEM)',
  ],
  ['the certificate of another company', () => certificateOf(OIBS[1]), 'Tvrtka ima OIB 02994650199'],
  [
    'an expired certificate',
    () => pki.issueCompany({ oib: OIBS[0], notBefore: new Date(2020, 1), notAfter: new Date(2021, 1) }),
    'Certifikat u ovoj datoteci je istekao.',
  ],
  [
    'one of an unknown issuer',
    () => pki.issueCompany({ oib: OIBS[0], selfSigned: true }),
    'nije izdao izdavatelj kojem se',
  ],
  ['a file without its key', () => pki.issueCompany({ oib: OIBS[0], keys: 0 }), 'nema privatnog ključa'],
  ['a file that is too large', async () => ({ p12: Buffer.alloc(300 * 1024), passphrase: 'x' }), 'veća od 256 KB'],
])('%s is explained, and neither the file nor the passphrase comes back', async (_what, make, text) => {
  const { p12, passphrase } = await make()
  const secret = passphrase === 'x' ? 'tajna-lozinka-123' : passphrase
  const before = (await stored(office.companyId))?.certificate_expires_at
  const refused = await upload(admin, office.companyId, p12, secret, 'Fiskal 2027')
  expect(refused.status).toBe(422)
  expect(refused.words).toContain(text)
  expect(refused.words).toContain('ne pamti datoteku ni lozinku')
  expect(refused.text).not.toContain(secret)
  expect(refused.text).toContain('value="Fiskal 2027"')
  expect((await stored(office.companyId))?.certificate_expires_at).toBe(before)
})

test('a new certificate replaces the one before, which stays in the history, and is taken out of use for good', async () => {
  const house = await startDashboard()
  const visitor = await house.as('admin')
  const path = pathOf(house.companyId)
  const next = await pki.issueCompany({ oib: OIBS[0] })
  await upload(visitor, house.companyId, next.p12, next.passphrase, 'Novi')
  const page = await visitor.get(path)
  expect(page.words).toContain('zamijenjen')
  const revoke = [...page.text.matchAll(/action="([^"]+\/revoke)"/g)].map(([, action]) => action ?? '')
  expect(revoke).toHaveLength(2)
  const done = await visitor.submit(path, {}, revoke[0])
  expect(done).toMatchObject({ status: 303, to: `${path}?notice=certificate_revoked` })
  const after = await visitor.get(path)
  expect(after.words).toContain('opozvan')
  expect(after.words).toContain('Tvrtka još nema certifikat')
})

test('what is missing before going live is listed, and going live is done with what must be there', async () => {
  const demo = await startDashboard()
  const waiting = await (await demo.as('admin')).get(pathOf(demo.companyId))
  expect(waiting.words).toContain('Učitani certifikat ne vrijedi za stvarni rad')
  expect(waiting.words).toContain('Nema API ključa za stvarni rad.')
  expect(waiting.text).toMatch(/value="live"[^>]* disabled/)

  const live = await startDashboard({ FISKD_TRUST_LIVE: join(demo.dataDir, 'trust', 'test.pem') })
  const visitor = await live.as('admin')
  const path = pathOf(live.companyId)
  expect((await visitor.get(path)).words).toContain('Certifikat vrijedi za stvarni rad.')
  await visitor.submit(path, { mode: 'live' }, `${path}/mode`)
  expect((await visitor.get(path)).words).toContain('Tvrtka je u stvarnom radu.')
  expect(await stored(live.companyId, live)).toMatchObject({ mode: 'live' })
})

test('a company that cannot go live stays in test mode, whoever presses what', async () => {
  const path = pathOf(office.companyId)
  const refused = await admin.submit(path, { mode: 'live' }, `${path}/mode`)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('Promjena nije moguća.')
  expect(await stored(office.companyId)).toMatchObject({ mode: 'test' })
})

test('what somebody else has changed meanwhile is shown field by field, and members of the address nobody shows stay', async () => {
  const id = await addCompany(office, OIBS[1])
  await office.admin(`/v1/companies/${id}`, { method: 'PATCH', body: { address: { city: 'Split', floor: '2' } } })
  const page = await admin.get(pathOf(id, '/edit'))
  await office.admin(`/v1/companies/${id}`, { method: 'PATCH', body: { address: { city: 'Zadar', floor: '2' } } })
  const typed = { name: 'Novi naziv', vat: 'yes', street: '', postal: '', city: 'Split', country: '' }
  const stopped = await admin.post(pathOf(id, '/edit'), { ...page.hidden(), ...typed })
  expect(stopped.status).toBe(422)
  expect(stopped.words).toContain('Sada je spremljeno: Zadar')
  expect(await stored(id)).toMatchObject({ address: { city: 'Zadar', floor: '2' } })
  await admin.post(pathOf(id, '/edit'), { ...stopped.hidden(), ...typed })
  expect(await stored(id)).toMatchObject({ name: 'Novi naziv', address: { city: 'Split', floor: '2' } })
})

test('the settings of a company are the level that its devices stand on', async () => {
  const path = pathOf(office.companyId, '/settings')
  const saved = await admin.submit(path, {
    'set-receipt-footer': 'Hvala!\r\nDoviđenja',
    'set-default_vat_rate': '13.00',
  })
  expect(saved.status).toBe(303)
  expect((await stored(office.companyId))?.fiscal_config).toEqual({
    receipt: { footer: ['Hvala!', 'Doviđenja'] },
    default_vat_rate: '13.00',
  })
  const device = await admin.get(`/dashboard/devices/${office.deviceId}/settings`)
  expect(device.words).toMatch(/Tekst ispod računa .*Hvala! Doviđenja postavka tvrtke/)
})

test('companies are changed by administrators alone', async () => {
  const operator = await office.as('operator')
  const page = await operator.get(pathOf(office.companyId))
  expect(page.words).toContain('Tvrtku i certifikate mijenja administrator.')
  const settings = await operator.get(pathOf(office.companyId, '/settings'))
  for (const rest of ['/mode', '/status', '/edit', '/settings', '/certificate']) {
    const sent = await operator.post(pathOf(office.companyId, rest), { ...settings.hidden(), status: 'archived' })
    expect(sent.status).toBe(403)
  }
})

test('the pages speak English, too', async () => {
  const english = await office.as('admin', { language: 'en' })
  for (const path of [LIST, `${LIST}/new`, pathOf(office.companyId), pathOf(office.companyId, '/edit')]) {
    const page = await english.get(path)
    expect(page.status).toBe(200)
    expect(page.words).toMatch(/compan/i)
    expect(page.words).not.toMatch(/undefined|\[object|tvrtk/i)
  }
})

test('the logo on receipts is uploaded on the page of its company, shown as it is printed, and removed', async () => {
  const id = office.companyId
  const upload = (logo: Buffer, width = '') =>
    admin.submit(pathOf(id), { logo: blob(logo), width }, pathOf(id, '/logo'))
  const wrong = await upload(Buffer.from('<svg/>'))
  expect(wrong.status).toBe(422)
  expect(wrong.words).toContain('Datoteka nije ispravna slika PNG.')
  expect((await upload(ringLogo(100, 400), '70')).words).toContain('ne bude viši od 40 mm')
  expect((await stored(id))?.logo_hash).toBeNull()

  expect(await upload(ringLogo(), '30')).toMatchObject({ status: 303 })
  const hash = String((await stored(id))?.logo_hash)
  const { text } = await admin.get(pathOf(id))
  expect(text).toContain(`src="/dashboard/companies/${id}/logo.png?hash=${hash}"`)
  expect((await admin.get(pathOf(id, '/logo.png'))).headers['content-type']).toBe('image/png')
  await admin.submit(pathOf(id), {}, pathOf(id, '/logo/remove'))
  expect((await stored(id))?.logo_hash).toBeNull()
})
