import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, startDashboard, type Visitor } from '../support/dashboard.ts'
import type { Gateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

const [LIST, CONFIRM, JOBS] = ['/dashboard/devices', '/dashboard/jobs/confirm', '/dashboard/jobs']

/** Chooses all machines and a setting; the page that asks for its value. */
async function asked(clerk: Visitor, setting: string) {
  const page = await clerk.get(LIST)
  const choosing = await clerk.post(CONFIRM, { ...page.hidden(CONFIRM), all: 'yes', work: 'settings' })
  expect(choosing.words).toContain('Promijeniti postavku na')
  return clerk.post(CONFIRM, { ...choosing.hidden(CONFIRM), setting })
}

async function configOf({ admin }: Gateway, deviceId: string | undefined): Promise<object | undefined> {
  const { body } = await admin<{ data: { id: string; device_config: object }[] }>('/v1/devices')
  return body.data.find(({ id }) => id === deviceId)?.device_config
}

async function ended(clerk: Visitor, to: string | null, total: number) {
  await expect
    .poll(async () => (await clerk.get(to ?? '')).words, { timeout: 30_000 })
    .toContain(`Obrađeno ${total} od ${total}.`)
  return (await clerk.get(to ?? '')).words
}

test('a setting of all machines is changed here and at gateways, and what else they have stays', async () => {
  const { server, gateway } = await startEnrolled()
  const company = await server.admin('/v1/companies', { body: { name: 'Naša', oib: OIBS[0] } })
  const device_config = { receipt: { header: ['Dobro došli'] } }
  const body = { company_id: company.body.id, premises_code: 'PP1', label: 'Hodnik', device_config }
  const own = (await server.admin('/v1/devices', { body })).body.id
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const change = async (setting: string, fields: Record<string, string>) => {
    const page = await asked(clerk, setting)
    return ended(clerk, (await clerk.post(JOBS, { ...page.hidden(JOBS), ...fields })).to, 2)
  }
  const configs = async () => [await configOf(server, own), await configOf(gateway, gateway.deviceId)]
  const [, before] = await configs()

  const words = await change('receipt.footer', { 'set-receipt-footer': 'Hvala\r\nna kupnji' })
  expect(words).toContain('Promjena postavke: ')
  expect(words).toContain('Obavljeno 2')
  expect(words).toMatch(/S čega na što Ishod .*Hodnik — kao tvrtka — → na Hvala \/ na kupnji/)
  const footer = ['Hvala', 'na kupnji']
  expect(await configs()).toEqual([
    { receipt: { header: ['Dobro došli'], footer } },
    { ...before, receipt: { footer } },
  ])
  await told(gateway)
  expect(await change('receipt.footer', { 'set-receipt-footer': 'Hvala\nna kupnji' })).toContain('Već je bilo tako 2')
  expect(await change('receipt.footer', { 'set-receipt-footer': '' })).toContain(
    'Hvala / na kupnji → na — kao tvrtka —',
  )
  expect(await configs()).toEqual([device_config, before])
})

test('settings asked for one after the other while a gateway is away are all done, with what was changed there meanwhile', async () => {
  const { server, gateway, link } = await startEnrolled()
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const begin = async (setting: string, value: string, commands: number) => {
    const page = await asked(clerk, setting)
    const field = `set-${setting.replace('.', '-')}`
    const { to } = await clerk.post(JOBS, { ...page.hidden(JOBS), [field]: value })
    const sent = async () => (await server.admin<{ data: [] }>('/admin/gateways/kiosk/commands')).body.data.length
    await expect.poll(sent).toBe(commands)
    return to
  }
  link.goDown()
  const before = await configOf(gateway, gateway.deviceId)
  const device_config = { ...before, receipt: { language: 'en' } }
  await gateway.admin(`/v1/devices/${gateway.deviceId}`, { method: 'PATCH', body: { device_config } })
  const footer = await begin('receipt.footer', 'F', 1)
  const old = await begin('receipt.header', 'old', 2)
  const header = await begin('receipt.header', 'H', 3)
  link.comeBack()
  for (const job of [footer, header]) expect(await ended(clerk, job, 1)).toContain('Obavljeno 1')
  const replaced = await ended(clerk, old, 1)
  expect(replaced).toContain('Odbijeno 1')
  expect(replaced).toContain('zamijenila ju je novija')
  const receipt = { language: 'en', footer: ['F'], header: ['H'] }
  expect(await configOf(gateway, gateway.deviceId)).toEqual({ ...before, receipt })
})

test('a wrong value is refused beside its field, and a setting has to be chosen', async () => {
  const office = await startDashboard()
  const clerk = await office.as('operator')
  const page = await asked(clerk, 'operator_oib')
  const wrong = await clerk.post(JOBS, { ...page.hidden(JOBS), 'set-operator_oib': '123' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toMatch(/name="set-operator_oib" value="123"[^>]*aria-invalid="true" autofocus/)
  const forged = await clerk.post(JOBS, { ...wrong.hidden(JOBS), setting: 'sequence_mode', 'set-sequence_mode': 'N' })
  expect(forged.words).toContain('Odaberite postavku.')
  const right = await clerk.post(JOBS, { ...wrong.hidden(JOBS), 'set-operator_oib': OIBS[1] as string })
  expect(await ended(clerk, right.to, 1)).toContain('Obavljeno 1')
  expect(await configOf(office, office.deviceId)).toMatchObject({ operator_oib: OIBS[1] })
})
