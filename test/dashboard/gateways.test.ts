import { beforeEach, describe, expect, test } from 'vitest'
import { enrol, KIOSK, startCommanded, until } from '../support/commanded.ts'
import { HEARTBEAT } from '../support/commands.ts'
import { dashboardOf, type Office, type PageAnswer, startDashboard, type Visitor } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { startEmptyGateway, startGateway } from '../support/gateway.ts'
import { enrolGateway } from '../support/sync-gateway.ts'

const LIST = '/dashboard/gateways'
const PAGE = `${LIST}/${KIOSK}`

async function startServer(): Promise<Office> {
  return dashboardOf(await startEmptyGateway({ FISKD_ROLE: 'server' }))
}

test('a gateway has no such pages and does not offer them', async () => {
  const office = await startDashboard()
  const visitor = await office.as('admin')
  expect((await visitor.get('/dashboard')).text).not.toContain(`href="${LIST}"`)
  expect(await visitor.get(LIST)).toMatchObject({ status: 404 })
})

describe('adding one', () => {
  test('its token is shown to whoever made it, with the command to use it, and to nobody else', async () => {
    const office = await startServer()
    const admin = await office.as('admin')
    const made = await admin.submit(`${LIST}/new`, { name: 'ilica-12' }, LIST)
    expect(made).toMatchObject({ status: 303, to: `${LIST}/ilica-12/token` })
    const shown = await admin.get(String(made.to))
    const { host } = new URL(office.url)
    expect(shown.words).toContain(`sudo fisk sync enroll https://${host} fisk_enroll_`)
    expect((await admin.get(LIST)).words).toContain('čeka prvo povezivanje')
    const other = await (await office.as('admin')).get(String(made.to))
    expect(other.words).toContain('Token se više ne može prikazati')
    expect(other.text).not.toContain('fisk_enroll_')
    const told = await inDatabase(office, 'SELECT * FROM idempotency_keys')
    expect(JSON.stringify(told)).not.toContain('fisk_enroll_')
  })

  test('a new token of a gateway that was enrolled comes with the command for a new card, and for the same one', async () => {
    const server = await startEmptyGateway({ FISKD_ROLE: 'server' })
    const office = await dashboardOf(server)
    const speaker = await enrolGateway(server)
    const admin = await office.as('admin')
    const made = await admin.submit(`${LIST}/${speaker.name}`, {}, `${LIST}/${speaker.name}/token`)
    const { words } = await admin.get(String(made.to))
    const { host } = new URL(office.url)
    for (const command of ['replace', 'sync enroll']) {
      expect(words).toContain(`sudo fisk ${command} https://${host} fisk_enroll_`)
    }
  })

  test('a double click adds it once, and shows the token that is good', async () => {
    const office = await startServer()
    const admin = await office.as('admin')
    const fields = { ...(await admin.get(`${LIST}/new`)).hidden(LIST), name: 'ilica-12' }
    const answers = await Promise.all([admin.post(LIST, fields), admin.post(LIST, fields)])
    expect(answers.map(({ to }) => to)).toEqual(Array(2).fill(`${LIST}/ilica-12/token`))
    expect((await admin.get(`${LIST}/ilica-12/token`)).words).toContain('fisk_enroll_')
    expect(await inDatabase(office, 'SELECT * FROM gateways')).toHaveLength(1)
  })

  test('a name that is taken or wrong is told at its field, and what was typed stays', async () => {
    const office = await startServer()
    const admin = await office.as('admin')
    await admin.submit(`${LIST}/new`, { name: 'ilica-12' }, LIST)
    const again = await admin.submit(`${LIST}/new`, { name: 'ilica-12' }, LIST)
    expect(again).toMatchObject({ status: 422, words: expect.stringContaining('već postoji') })
    const wrong = await admin.submit(`${LIST}/new`, { name: '<b>Ilica 12' }, LIST)
    expect(wrong.words).toContain('slova (bez č, ć, đ, š, ž)')
    expect(wrong.text).toContain('value="&lt;b&gt;Ilica 12"')
  })

  test('only an administrator may', async () => {
    const office = await startServer()
    await (await office.as('admin')).submit(`${LIST}/new`, { name: 'ilica-12' }, LIST)
    const operator = await office.as('operator')
    expect((await operator.get(LIST)).text).not.toContain(`${LIST}/new`)
    expect((await operator.get(`${LIST}/ilica-12`)).text).not.toContain(`action="${LIST}`)
    for (const path of [`${LIST}/new`, `${LIST}/ilica-12/token`]) {
      expect((await operator.get(path)).status).toBe(403)
    }
  })
})

test('a gateway shows how it is, and what is in its way in the words of the reader', async () => {
  const office = await startServer()
  const kiosk = await startGateway()
  await kiosk.addDevice({ label: 'Bez broja' })
  await enrol(office, kiosk)
  const viewer = await office.as('viewer')
  const page = await until(
    () => viewer.get(PAGE),
    ({ words }) => words.includes('Podaci pristupnika od'),
  )
  expect(page.words).toContain('povezan')
  expect(page.words).toContain('Uređaj Bez broja nema ISU broj. Prijavite ga u ePoreznoj')
  expect((await viewer.get(LIST)).words).toMatch(/kiosk-7 povezan Da 0 \d+/)
  expect((await viewer.get(`${PAGE}/health`, { 'hx-request': 'true' })).text).not.toContain('<html')
  const english = await office.as('viewer', { language: 'en' })
  expect((await english.get(PAGE)).words).toContain('The device Bez broja has no ISU number. Register it')
  const overview = await viewer.get('/dashboard')
  expect(overview.words).toContain('1 od 2 uređaja prodaje 1 ne zarađuje')
})

test('of a gateway that is not heard of nobody says that it can sell, neither on its page nor in the list', async () => {
  const office = await startServer()
  await (await office.as('admin')).submit(`${LIST}/new`, { name: KIOSK }, LIST)
  const told = JSON.stringify({ ...HEARTBEAT, can_sell: true })
  await inDatabase(office, `UPDATE gateways SET heartbeat = '${told}', reported_at = 1, enrolled_at = 1`)
  const viewer = await office.as('viewer')
  expect((await viewer.get(PAGE)).words).toContain('Može prodavati nije poznato')
  expect((await viewer.get(LIST)).words).toContain('kiosk-7 veza raskinuta nije poznato')
})

test('a heartbeat that an earlier version stored with something else than a time does not take the page away', async () => {
  const office = await startServer()
  await (await office.as('admin')).submit(`${LIST}/new`, { name: KIOSK }, LIST)
  for (const time of ['x', '', '2026-02-31T10:00:00Z', '+275761-01-01T00:00:00Z']) {
    const told = JSON.stringify({ ...HEARTBEAT, last_jir_at: time, queue: { ...HEARTBEAT.queue, oldest_at: time } })
    await inDatabase(office, `UPDATE gateways SET heartbeat = '${told}', reported_at = 1, enrolled_at = 1`)
    const viewer = await office.as('viewer')
    for (const path of [PAGE, `${PAGE}/health`, LIST])
      expect((await viewer.get(path)).status, `${path} ${time}`).toBe(200)
  }
})

describe('one that is enrolled', () => {
  let office: Office
  let operator: Visitor
  let kiosk: Awaited<ReturnType<typeof startCommanded>>['kiosk']
  let link: Awaited<ReturnType<typeof startCommanded>>['link']
  beforeEach(async () => {
    const commanded = await startCommanded()
    ;({ kiosk, link } = commanded)
    office = dashboardOf(commanded.server)
    operator = await office.as('operator')
    await until(
      () => operator.get(PAGE),
      ({ words }) => words.includes('Podaci pristupnika od'),
    )
  })

  const answered = (path: string) =>
    until(
      () => operator.get(path),
      ({ text }) => !text.includes('hx-trigger'),
      60_000,
    )

  async function command(name: string, fields: Record<string, string> = {}): Promise<PageAnswer> {
    const action = `${PAGE}/send/${name}`
    const sent = await operator.submit(name === 'doctor' || name === 'support_bundle' ? PAGE : action, fields, action)
    expect(sent.status, sent.words).toBe(303)
    return answered(String(sent.to))
  }

  test('is told to look at itself, and its findings are a table', async () => {
    const result = await command('doctor')
    expect(result.words).toContain('Pristupnik je izvršio naredbu.')
    expect(result.words).toContain('u redu')
    expect(result.words).toContain('računi koji čekaju')
    expect(result.words).not.toContain('waiting sales')
    expect(result.words).toContain(`Poslao ${operator.name}`)
    expect((await operator.get(PAGE)).words).toContain('Provjeri ispravnost')
  })

  test('sells on while its line is cut: a retry waits, is done once when it is back, and ends with a JIR', async () => {
    kiosk.cis.goDown()
    const sold = await kiosk.sell()
    kiosk.cis.comeBack()
    await until(
      () => inDatabase(office, `SELECT * FROM invoices WHERE id = '${sold.id}'`),
      (rows) => rows.length === 1,
    )
    link.goDown()
    const action = `${PAGE}/send/retry`
    const fields = { ...(await operator.get(action)).hidden(action), invoice_id: sold.id }
    const sent = await Promise.all([operator.post(action, fields), operator.post(action, fields)])
    expect(new Set(sent.map(({ to }) => to)).size).toBe(1)
    const path = String(sent[0]?.to).split('?')[0] as string
    expect((await operator.get(path)).words).toContain('čeka da je preuzme pristupnik')
    link.comeBack()
    const result = await answered(path)
    expect(result.words).toMatch(/Račun je potvrđen, JIR [0-9a-f-]{36}/)
    expect(await inDatabase(office, 'SELECT * FROM gateway_commands')).toHaveLength(1)
  })

  test('says what is wrong with a command, and keeps what was typed', async () => {
    const action = `${PAGE}/send/copy`
    const wrong = await operator.submit(action, { invoice_id: '17/POSL1/1' })
    expect(wrong).toMatchObject({ status: 422, words: expect.stringContaining('počinje znakovima inv_') })
    expect(wrong.text).toContain('value="17/POSL1/1"')
    const unknown = await operator.submit(action, { invoice_id: 'inv_00000000000000000000000000000000' })
    expect(unknown).toMatchObject({ status: 422, words: expect.stringContaining('Traženi podatak ne postoji') })
    expect((await operator.get(`${PAGE}/send/certificate`)).status).toBe(403)
    expect((await operator.get(`${PAGE}/send/nothing`)).status).toBe(404)
  })

  test('brings a support bundle, which can be downloaded', async () => {
    const result = await command('support_bundle')
    expect(result.words).toContain('Preuzmi fiskd-support-')
    const path = /href="([^"]+\/file)"/.exec(result.text)?.[1] as string
    const file = await operator.get(path)
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="fiskd-support-[0-9a-f-]+\.tar\.gz"$/)
    const viewer = await office.as('viewer')
    expect((await viewer.get(path)).status).toBe(403)
  })

  test('is revoked by an administrator, and takes no more commands', async () => {
    const admin = await office.as('admin')
    const revoked = await admin.submit(PAGE, {}, `${PAGE}/revoke`)
    expect(revoked).toMatchObject({ status: 303, to: `${LIST}?notice=gateway_revoked` })
    const list = await admin.get(String(revoked.to))
    expect(list.words).toContain('Pristupnik je opozvan.')
    expect(list.words).toContain('opozvan')
    const page = await admin.get(PAGE)
    expect(page.words).toContain('trenutačno ne mogu slati naredbe')
    expect(page.text).not.toContain(`${PAGE}/revoke`)
    const late = await admin.submit(`${PAGE}/send/retry`, { invoice_id: `inv_${'0'.repeat(32)}` })
    expect(late).toMatchObject({ status: 422, words: expect.stringContaining('opozvan i više ne preuzima') })
  })
})
