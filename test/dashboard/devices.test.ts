import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'

let office: Office
let operator: Visitor
let labels = 0
beforeAll(async () => {
  office = await startSharedDashboard()
  operator = await office.as('operator')
})

const nextLabel = () => `Kavomat ${++labels}`
const pathOf = (id: string, rest = '') => `/dashboard/devices/${id}${rest}`

async function device(changes: object = {}) {
  const label = nextLabel()
  return { label, id: await office.addDevice({ label, ...changes }) }
}

async function stored(id: string) {
  const { body } = await office.admin<{ data: Record<string, unknown>[] }>('/v1/devices?limit=200')
  return body.data.find((one) => one.id === id)
}

test('a device is added, gets its ISU number and loses it again', async () => {
  const label = nextLabel()
  const fields = { company: office.companyId, label, premises: 'POSL7', address: 'Ilica 1', isu: '' }
  const added = await operator.submit('/dashboard/devices/new', fields)
  expect(added.status).toBe(303)
  const id = /devices\/([0-9a-f-]{36})/.exec(added.to ?? '')?.[1] ?? ''
  const page = await operator.get(added.to ?? '')
  expect(page.words).toContain('Uređaj je dodan.')
  expect(page.words).toContain('nema ISU broj')

  const set = await operator.submit(pathOf(id), { isu_number: ' 777001 ' }, pathOf(id, '/isu'))
  expect(set).toMatchObject({ status: 303, to: `${pathOf(id)}?notice=saved` })
  expect(await stored(id)).toMatchObject({
    label,
    premises_address: 'Ilica 1',
    isu_number: '777001',
    isu_status: 'assigned',
  })

  await operator.submit(pathOf(id), {}, pathOf(id, '/isu/clear'))
  expect(await stored(id)).toMatchObject({ isu_number: null, isu_status: 'pending' })
})

test('everything that is wrong with a new device is said at once, and what was typed stays', async () => {
  const fields = { company: office.companyId, label: '', premises: 'POSL 7', address: 'Ilica 1', isu: '007' }
  const refused = await operator.submit('/dashboard/devices/new', fields)
  expect(refused.status).toBe(422)
  for (const text of ['Upišite naziv uređaja.', 'bez razmaka', 'ISU broj ne počinje nulom']) {
    expect(refused.words).toContain(text)
  }
  expect(refused.text).toContain('value="POSL 7"')
  expect(refused.text).toContain('value="Ilica 1"')
})

test('a name that is taken is told of at its field', async () => {
  const { label } = await device()
  const refused = await operator.submit('/dashboard/devices/new', { company: office.companyId, label, premises: 'P1' })
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('Tvrtka već ima uređaj s tim nazivom.')
})

test('an ISU number that is taken is told of with the name of who has it', async () => {
  const holder = await device({ isu_number: '246810' })
  const { id } = await device()
  const refused = await operator.submit(pathOf(id), { isu_number: '246810' }, pathOf(id, '/isu'))
  expect(refused.status).toBe(422)
  expect(refused.words).toContain(`Drugi uređaj već ima taj ISU broj (${holder.label}, POSL1).`)
})

test('a form that is sent twice adds one device', async () => {
  const label = nextLabel()
  const page = await operator.get('/dashboard/devices/new')
  const fields = { ...page.hidden(), company: office.companyId, label, premises: 'P1' }
  const [one, other] = await Promise.all([
    operator.post('/dashboard/devices/new', fields),
    operator.post('/dashboard/devices/new', fields),
  ])
  expect(one.status).toBe(303)
  expect(other.to).toBe(one.to)
})

test('a label with markup in it is text on every page that shows it', async () => {
  const label = '<img src=x onerror=alert(1)>"\'&'
  const { id } = await device({ label })
  const paths = [
    '/dashboard/devices?q=onerror',
    '/dashboard/devices/isu',
    pathOf(id),
    pathOf(id, '/edit'),
    pathOf(id, '/settings'),
  ]
  for (const path of paths) {
    const page = await operator.get(path)
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<img src=x')
    expect(page.words).toContain('onerror=alert(1)')
  }
})

test('what somebody else has changed meanwhile is shown, and overwritten only when it is wanted', async () => {
  const { id, label } = await device()
  const page = await operator.get(pathOf(id, '/edit'))
  await office.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { label: `${label} novi` } })

  const fields = { ...page.hidden(), label, address: 'Vukovarska 5' }
  const stopped = await operator.post(pathOf(id, '/edit'), fields)
  expect(stopped.status).toBe(422)
  expect(stopped.words).toContain(`Sada je spremljeno: ${label} novi`)
  expect(stopped.text).toContain('value="Vukovarska 5"')
  expect(await stored(id)).toMatchObject({ label: `${label} novi`, premises_address: null })

  const again = await operator.post(pathOf(id, '/edit'), { ...stopped.hidden(), label, address: 'Vukovarska 5' })
  expect(again.status).toBe(303)
  expect(await stored(id)).toMatchObject({ label, premises_address: 'Vukovarska 5' })
})

test('a number from a page that was opened before somebody else set one is not taken', async () => {
  const { id } = await device()
  const page = await operator.get(pathOf(id))
  await office.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { isu_number: '888001' } })
  const stopped = await operator.post(pathOf(id, '/isu'), { ...page.hidden(pathOf(id, '/isu')), isu_number: '888002' })
  expect(stopped.status).toBe(422)
  expect(stopped.words).toContain('U međuvremenu je netko drugi ovo promijenio.')
  expect(await stored(id)).toMatchObject({ isu_number: '888001' })
})

test('a mismatch is explained, and the same number saved again takes it away', async () => {
  office.cis.misbehave({ error: 's013', codes: [183] })
  await office.sell()
  const path = pathOf(office.deviceId)
  const page = await operator.get(path)
  expect(page.words).toContain('ne odgovara prijavi u ePoreznoj')
  expect(page.words).toContain('računi ne dobivaju JIR')
  expect((await operator.get('/dashboard/devices/isu')).words).toContain('Treba ispraviti')

  const fields = { ...page.hidden(`${path}/isu`), isu_number: '101' }
  expect(await operator.post(`${path}/isu`, fields)).toMatchObject({ status: 303 })
  expect(await stored(office.deviceId)).toMatchObject({ isu_number: '101', isu_status: 'assigned' })
})

test('a number is entered from the list of what is to be done, and leads back to it', async () => {
  const { id } = await device()
  const set = await operator.submit('/dashboard/devices/isu', { isu_number: '445566' }, pathOf(id, '/isu'))
  expect(set).toMatchObject({ status: 303, to: '/dashboard/devices/isu?notice=saved' })
  expect(await stored(id)).toMatchObject({ isu_number: '445566' })
})

test('a device is suspended and activated', async () => {
  const { id } = await device()
  await operator.submit(pathOf(id), { status: 'suspended' }, pathOf(id, '/status'))
  expect((await operator.get(pathOf(id))).words).toContain('Uređaj je obustavljen i ne može prodavati.')
  await operator.submit(pathOf(id), { status: 'active' }, pathOf(id, '/status'))
  expect(await stored(id)).toMatchObject({ status: 'active' })
})

test('a setting is shown with where it comes from, changed, and taken out again', async () => {
  const { id } = await device({ device_config: { special_purpose: 'x', mine: 1 } })
  await office.admin(`/v1/companies/${office.companyId}`, {
    method: 'PATCH',
    body: { fiscal_config: { payment_method: 'G', default_vat_rate: '25.00' } },
  })
  const path = pathOf(id, '/settings')
  const page = await operator.get(path)
  expect(page.words).toMatch(/Način plaćanja .* gotovina postavka tvrtke/)
  expect(page.words).toContain('mine: 1')

  const set = await operator.submit(path, { 'set-payment_method': 'K', 'set-default_vat_rate': 'none' })
  expect(set.status).toBe(303)
  const before = { special_purpose: 'x', mine: 1 }
  expect((await stored(id))?.device_config).toEqual({ ...before, payment_method: 'K', default_vat_rate: null })

  await operator.submit(path, { 'set-payment_method': '', 'set-default_vat_rate': '' })
  expect((await stored(id))?.device_config).toEqual(before)
})

test('a wrong setting is told of at its field, nothing is stored, and what was typed stays', async () => {
  const { id } = await device()
  const refused = await operator.submit(pathOf(id, '/settings'), { 'set-fees': 'Naknada', 'set-payment_method': 'K' })
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('1. redak: Redak nema onoliko dijelova koliko treba.')
  expect(refused.text).toContain('Naknada</textarea>')
  expect((await stored(id))?.device_config).toEqual({})
})

test('a value that the list does not offer is kept when something else is saved', async () => {
  const { id } = await device({ device_config: { payment_method: 'T' } })
  const page = await operator.get(pathOf(id, '/settings'))
  expect(page.text).toContain('<option value="T" selected>')
  await operator.submit(pathOf(id, '/settings'), { 'set-payment_method': 'T', 'set-special_purpose': 'x' })
  expect((await stored(id))?.device_config).toEqual({ payment_method: 'T', special_purpose: 'x' })
})

test('settings of two tabs do not overwrite each other', async () => {
  const { id } = await device()
  const path = pathOf(id, '/settings')
  const [one, other] = [await operator.get(path), await operator.get(path)]
  await operator.post(path, { ...one.hidden(), 'set-payment_method': 'K' })
  const stopped = await operator.post(path, { ...other.hidden(), 'set-payment_method': 'G' })
  expect(stopped.status).toBe(422)
  expect(stopped.words).toContain('Netko je u međuvremenu ovo promijenio. Sada je spremljeno: kartica')
  expect((await stored(id))?.device_config).toEqual({ payment_method: 'K' })
})

test('a list that is filtered goes on page by page with its filter', async () => {
  for (let n = 0; n < 52; n++) await office.addDevice({ label: `Dugi popis ${n}`, premises_code: 'LIST' })
  office.clock.aheadMs += 40_000
  const first = await operator.get('/dashboard/devices?q=dugi+popis')
  expect(first.words).toContain('Dugi popis 49')
  expect(first.words).not.toContain('Dugi popis 50')
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(next).toContain('q=dugi+popis')
  expect((await operator.get(next)).words).toContain('Dugi popis 51')
  expect((await operator.get('/dashboard/devices?q=100%25')).words).toContain('Nema uređaja koji odgovaraju filtru.')
})

test('who only looks changes nothing', async () => {
  const { id } = await device()
  const viewer = await office.as('viewer')
  const page = await viewer.get(pathOf(id))
  expect(page.status).toBe(200)
  expect(page.text).not.toContain(pathOf(id, '/isu'))
  const csrf = (await viewer.get(pathOf(id, '/settings'))).hidden()
  for (const path of ['/isu', '/isu/clear', '/status', '/edit', '/settings']) {
    expect((await viewer.post(pathOf(id, path), { ...csrf, isu_number: '5', status: 'archived' })).status).toBe(403)
  }
})

test('all tenants are shown to a platform administrator who asks, and to nobody else', async () => {
  const admin = await office.as('operator', { platformAdmin: true })
  expect((await admin.get('/dashboard/devices?all=1')).words).toContain('svih organizacija')
  expect((await operator.get('/dashboard/devices?all=1')).words).not.toContain('svih organizacija')
})

test('a device of nobody is not there', async () => {
  const path = pathOf('00000000-0000-4000-8000-000000000000')
  expect((await operator.get(path)).status).toBe(404)
})

test('the pages speak English, too', async () => {
  const { id } = await device({ isu_number: '123123' })
  const english = await office.as('operator', { language: 'en' })
  const paths = [
    '/dashboard/devices',
    '/dashboard/devices/new',
    '/dashboard/devices/isu',
    pathOf(id),
    pathOf(id, '/settings'),
  ]
  for (const path of paths) {
    const page = await english.get(path)
    expect(page.status).toBe(200)
    expect(page.words).toMatch(/device|Device/)
    // As the portal calls the type of the premises.
    expect(page.words.replaceAll('samoposlužni uređaj', '')).not.toMatch(/undefined|\[object|uređaj/i)
  }
})
