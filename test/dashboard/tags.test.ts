import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, startDashboard, type Visitor } from '../support/dashboard.ts'
import { OIBS } from '../support/pki.ts'

const LIST = '/dashboard/devices'
const [CONFIRM, JOBS] = ['/dashboard/jobs/confirm', '/dashboard/jobs']

async function listed(visitor: Visitor, query: string) {
  const { text } = await visitor.get(`${LIST}?sort=name&${query}`)
  return [...text.matchAll(/<th scope="row"[\s\S]*?<a[^>]*>([^<]*)/g)].map(([, label]) => label)
}

const tag = (visitor: Visitor, id: string, tags: string) =>
  visitor.submit(`${LIST}/${id}`, { tags }, `${LIST}/${id}/tags`)

test('a device is put into groups on its page and found by them in the list, in any case', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  await office.addDevice({ label: 'Drugi', isu_number: '500' })
  expect(await tag(operator, office.deviceId, ' Škole , Istok,  škole')).toMatchObject({ status: 303 })
  expect(await listed(operator, 'tag=ŠKOLE')).toEqual(['machine'])
  expect(await listed(operator, 'tag=nepoznata')).toEqual([])
  const page = await operator.get(`${LIST}?tag=Istok`)
  expect(page.words).toContain('Skupina: Istok')
  expect(page.text).toMatch(/tag=Istok" aria-current="true">Istok <span>1</)
  const detail = await operator.get(`${LIST}/${office.deviceId}`)
  expect(detail.text).toContain(`href="${LIST}?tag=${encodeURIComponent('škole')}"`)
  const admin = await office.as('admin')
  expect((await admin.get('/dashboard/audit')).words).toContain(
    'Promijenjene su skupine uređaja „machine”: škole, Istok.',
  )
  await tag(operator, office.deviceId, '')
  expect(await listed(operator, 'tag=Istok')).toEqual([])
  expect((await operator.get(LIST)).text).not.toContain('tag=')
})

test('too many groups and too long names are refused beside the field, and what was typed stays', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  const eleven = Array.from({ length: 11 }, (_, i) => `skupina ${i}`).join(',')
  const refused = await tag(operator, office.deviceId, eleven)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('Uređaj može biti u najviše 10 skupina.')
  expect(refused.text).toContain(`value="${eleven}"`)
  expect((await tag(operator, office.deviceId, 'x'.repeat(31))).words).toContain('najviše 30 znakova')
  const viewer = await office.as('viewer')
  expect((await viewer.get(`${LIST}/${office.deviceId}`)).text).not.toContain('/tags"')
})

test('machines that match are put into a group at once, and those of gateways stay in it when their gateway reports', async () => {
  const { server, gateway } = await startEnrolled()
  const company = await server.admin('/v1/companies', { body: { name: 'Naša', oib: OIBS[0] } })
  await server.admin('/v1/devices', { body: { company_id: company.body.id, premises_code: 'PP1', label: 'Hodnik' } })
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const done = async (work: string, name: string, words: string) => {
    const page = await clerk.get(LIST)
    const asked = await clerk.post(CONFIRM, { ...page.hidden(CONFIRM), all: 'yes', work })
    const unnamed = await clerk.post(JOBS, { ...asked.hidden(JOBS), tag: ' ' })
    expect(unnamed).toMatchObject({ status: 422 })
    expect(unnamed.words).toContain('Upišite naziv skupine.')
    const { to } = await clerk.post(JOBS, { ...unnamed.hidden(JOBS), tag: name })
    await expect.poll(async () => (await clerk.get(to ?? '')).words, { timeout: 30_000 }).toContain('Obrađeno 2 od 2.')
    expect((await clerk.get(to ?? '')).words).toContain(words)
  }
  await done('tag', 'Bolnice', 'Obavljeno 2')
  await done('tag', 'bolnice', 'Već je bilo tako 2')
  await gateway.admin(`/v1/devices/${gateway.deviceId}`, { method: 'PATCH', body: { label: 'Aula' } })
  await told(gateway)
  await expect.poll(() => listed(clerk, 'tag=Bolnice'), { timeout: 30_000 }).toEqual(['Aula', 'Hodnik'])
  await done('untag', 'Bolnice', 'Obavljeno 2')
  expect(await listed(clerk, 'tag=Bolnice')).toEqual([])
})
