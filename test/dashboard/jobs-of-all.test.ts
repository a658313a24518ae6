import { expect, test } from 'vitest'
import { SILENT_AFTER_MS } from '../../src/fiscal/gateways/gateways.ts'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, startDashboard, type Visitor } from '../support/dashboard.ts'
import { OIBS } from '../support/pki.ts'

const CONFIRM = '/dashboard/jobs/confirm'
const JOBS = '/dashboard/jobs'

/** Ticks that all rows of a list are meant, and presses a button. */
async function askAll(clerk: Visitor, list: string, work: string) {
  const page = await clerk.get(list)
  expect(page.text).toContain('name="all" value="yes"')
  expect(page.text).toContain(`name="work" value="${work}"`)
  const asked = await clerk.post(CONFIRM, { ...page.hidden(CONFIRM), all: 'yes', work })
  return { page, asked }
}

async function settled(clerk: Visitor, asked: Awaited<ReturnType<Visitor['get']>>, words: string) {
  const { to } = await clerk.post(JOBS, asked.hidden(JOBS))
  await expect.poll(async () => (await clerk.get(to ?? '')).words, { timeout: 30_000 }).toContain(words)
  return (await clerk.get(to ?? '')).words
}

test('all invoices refused for one cause are sent again from their list, and only they', async () => {
  const office = await startDashboard()
  const clerk = await office.as('operator')
  const lost = []
  office.cis.misbehave({ error: 's001' }, { error: 's001' }, { error: 's001' })
  for (let i = 0; i < 3; i++) lost.push(await office.sell())
  await office.cis.goDown()
  const waiting = await office.sell()
  await office.cis.comeBack()

  const list = '/dashboard/invoices?status=failed&cause=upstream_rejected'
  const { page, asked } = await askAll(clerk, list, 'retry')
  expect(page.words).toContain('Svi s popisa (3)')
  expect(asked.words).toContain('Ponovno poslati 3 računa Poreznoj upravi?')
  expect(asked.words).not.toContain('Bit će odbijeno')
  // One that matches only after the question is not part of the answer.
  expect(asked.hidden(JOBS).ids?.split(',')).toEqual(lost.map(({ id }) => id))
  await settled(clerk, asked, 'Obrađeno 3 od 3.')
  for (const { id } of lost) expect(await office.invoice(id)).toMatchObject({ status: 'confirmed' })
  expect(await office.invoice(waiting.id)).toMatchObject({ status: 'retrying' })
})

test('before it begins, the question says how many rows will be refused and why, and the job agrees', async () => {
  const office = await startDashboard()
  const clerk = await office.as('operator')
  await office.sell()
  await office.sell()
  const everything = '/dashboard/invoices?mode=test'
  const copies = await askAll(clerk, everything, 'copies')
  expect(copies.asked.words).toContain('2 retka: Uređaj nema pisač, pa se kopija ne može ispisati.')
  expect(await settled(clerk, copies.asked, 'Obrađeno 2 od 2.')).toContain('Odbijeno 2')

  const again = await askAll(clerk, everything, 'retry')
  expect(again.asked.words).toContain('2 retka već su u traženom stanju, bez promjene.')
  expect(await settled(clerk, again.asked, 'Obrađeno 2 od 2.')).toContain('Već je bilo tako 2')
})

test('all machines that match are suspended, those of a revoked gateway are named as refused before', async () => {
  const { server, gateway } = await startEnrolled()
  const company = await server.admin('/v1/companies', { body: { name: 'Naša', oib: OIBS[0] } })
  for (const label of ['Prvi', 'Drugi', 'Treći']) {
    const body = { company_id: company.body.id, premises_code: 'PP1', label }
    expect((await server.admin('/v1/devices', { body })).status).toBe(201)
  }
  await told(gateway)
  await server.admin('/admin/gateways/kiosk/revoke', { method: 'POST', body: {} })
  const clerk = await dashboardOf(server).as('operator')
  const one = await askAll(clerk, '/dashboard/devices?q=prvi&sort=-name', 'suspended')
  expect(one.asked.words).toContain('Obustaviti 1 uređaj?')
  await settled(clerk, one.asked, 'Obrađeno 1 od 1.')

  const all = await askAll(clerk, '/dashboard/devices', 'suspended')
  expect(all.page.words).toContain('Svi s popisa (4)')
  expect(all.asked.words).toContain('Obustaviti 4 uređaja?')
  expect(all.asked.words).toContain('1 redak: Pristupnik je opozvan i više ne preuzima naredbe.')
  expect(all.asked.words).toContain('1 redak već je u traženom stanju, bez promjene.')
  const words = await settled(clerk, all.asked, 'Obrađeno 4 od 4.')
  for (const counted of ['Obavljeno 2', 'Već je bilo tako 1', 'Odbijeno 1']) expect(words).toContain(counted)
})

test('all of an unfiltered list, of an address with a fault and of nothing are not taken', async () => {
  const office = await startDashboard()
  const clerk = await office.as('operator')
  await office.sell()
  expect((await clerk.get('/dashboard/invoices')).text).not.toContain('name="all" value="yes"')
  expect((await clerk.get('/dashboard/invoices?mode=test&amount=x')).text).not.toContain('name="all" value="yes"')
  const fields = (await clerk.get('/dashboard/invoices?mode=test')).hidden(CONFIRM)
  const ask = (filter: string, work = 'retry') => clerk.post(CONFIRM, { ...fields, all: 'yes', work, filter })
  expect((await ask('mode=test&amount=x')).status).toBe(400)
  expect((await ask('mode=test', 'isu_numbers')).status).toBe(400)
  const none = await ask('mode=live')
  expect(none).toMatchObject({ status: 422, words: expect.stringContaining('Niste odabrali nijedan redak.') })
  const viewer = await office.as('viewer')
  expect((await viewer.get('/dashboard/invoices?mode=test')).text).not.toContain('name="all" value="yes"')
})

test('rows of a gateway that is silent are named before as waiting for it', async () => {
  const { server, gateway } = await startEnrolled()
  await told(gateway)
  // Its heartbeat is stored a little after it came: one on its way would count as heard later.
  const heartbeat = async () =>
    (await server.admin<{ heartbeat: object | null }>('/admin/gateways/kiosk')).body.heartbeat
  await expect.poll(heartbeat).not.toBeNull()
  await gateway.stop()
  server.clock.aheadMs += SILENT_AFTER_MS + 60_000
  const clerk = await dashboardOf(server).as('operator')
  const { asked } = await askAll(clerk, '/dashboard/devices', 'suspended')
  expect(asked.words).toContain(
    '1 redak čeka pristupnik koji se sada ne javlja. Što se ne preuzme u roku od 7 dana, odbija se.',
  )
})
