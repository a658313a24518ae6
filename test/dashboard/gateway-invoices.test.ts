import { expect, test } from 'vitest'
import { explainCodes } from '../../src/domain/sale/refusal.ts'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf } from '../support/dashboard.ts'

test('at a server the invoice of a gateway is found and read, and sent again by a command to the gateway', async () => {
  const { server, gateway } = await startEnrolled()
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  await told(gateway)
  const office = dashboardOf(server)
  const clerk = await office.as('operator')
  const page = `/dashboard/invoices/${sold.id}`
  expect((await clerk.get(`/dashboard/invoices?q=${sold.zki}`)).text).toContain(page)

  const shown = await clerk.get(page)
  expect(shown.words).toContain('Pristupnik kiosk ponovno ga automatski šalje')
  expect(shown.words).toContain('šalje mu se naredba')
  expect(shown.text).toContain(`${page}/messages/`)

  await gateway.cis.comeBack()
  const sent = await clerk.submit(page, {}, `${page}/retry`)
  expect(sent).toMatchObject({ status: 303, to: expect.stringContaining(`${page}?sent=`) })
  await expect.poll(async () => (await clerk.get(page)).words).toContain('potvrdila je ovaj račun')

  const day = new Date().toISOString().slice(0, 10)
  const books = await clerk.get(`/dashboard/export/file?what=invoices&format=csv&mode=test&from=${day}`)
  expect(books.text).toContain(String(sold.zki))
})

test('a filter by a gateway that does not exist says so, with names like it, and the field suggests them', async () => {
  const { server, gateway } = await startEnrolled()
  const sold = await gateway.sell()
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const part = await clerk.get('/dashboard/invoices?gateway=Kio')
  expect(part.words).toContain('Nema pristupnika s tim nazivom. Slični: kiosk.')
  expect(part.words).not.toContain('Nema računa')
  expect(part.text).toContain(`/dashboard/invoices/${sold.id}`)
  expect(part.text).toMatch(/name="gateway"[^>]* list="field-gateway-list"[^>]*aria-invalid="true"/)
  expect(part.text).toContain('<datalist id="field-gateway-list"><option value="kiosk"></datalist>')
  // What was not understood is no filter of work on all that match.
  expect(part.text).not.toContain('name="all"')
  const none = await clerk.get('/dashboard/invoices?gateway=zagreb')
  expect(none.words).toContain('Nema pristupnika s tim nazivom.')
  expect(none.words).not.toContain('Slični')
  const whole = await clerk.get('/dashboard/invoices?gateway=kiosk')
  expect(whole.words).not.toContain('s tim nazivom')
  expect(whole.text).toContain(`/dashboard/invoices/${sold.id}`)
})

test('at a server one bulk job has every gateway send what it has parked, and says how each invoice fared', async () => {
  const { server, gateway } = await startEnrolled()
  gateway.cis.misbehave('tampered', 'tampered')
  const parked = [await gateway.sell(), await gateway.sell()]
  expect(parked.map(({ status }) => status)).toEqual(['failed', 'failed'])
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const causes = await clerk.get('/dashboard/invoices/failed')
  expect(causes.words).toContain('Poslat će ih pristupnici koji su ih izdali, čim se jave: 2.')
  expect(causes.words).toContain('Pošalji sve ponovno (2)')
  const [confirm, jobs] = ['/dashboard/jobs/confirm', '/dashboard/jobs']
  const asked = await clerk.post(confirm, causes.hidden(confirm))
  expect(asked.words).toContain('Ponovno poslati 2 računa Poreznoj upravi?')
  const { to } = await clerk.post(jobs, asked.hidden(jobs))
  expect((await clerk.get(jobs)).text).toContain(`href="${to}">Ponovno slanje računa`)
  for (const { id } of parked) {
    const status = async () => (await gateway.invoice(id)).status
    await expect.poll(status).toBe('confirmed')
  }
  await expect.poll(async () => (await clerk.get(to ?? '')).words).toContain('Obavljeno 2')
  await told(gateway)
  expect((await clerk.get('/dashboard/invoices/failed')).words).toContain('Nijedan račun ne čeka')
})

test('a gateway that has not answered yet is not asked a second time', async () => {
  const { server, gateway } = await startEnrolled()
  gateway.cis.misbehave('tampered')
  await gateway.sell()
  await told(gateway)
  await gateway.stop()
  const ask = () =>
    server.admin<{ requeued: number; asked_gateways: number }>('/admin/invoices/requeue', {
      body: { code: 'upstream_signature_invalid' },
    })
  for (const _ of ['first', 'second']) expect((await ask()).body).toMatchObject({ requeued: 0, asked_gateways: 1 })
  const commands = await server.admin<{ data: { type: string }[] }>('/admin/gateways/kiosk/commands')
  expect(commands.body.data.map(({ type }) => type)).toEqual(['invoices.requeue'])
})

test('a gateway that has sales of two causes to send is counted once', async () => {
  const { server, gateway } = await startEnrolled()
  gateway.cis.misbehave('tampered', { error: 's002' })
  for (const _ of ['first', 'second']) expect((await gateway.sell()).status).toBe('failed')
  await told(gateway)
  await gateway.stop()
  const { body } = await server.admin('/admin/invoices/requeue', { method: 'POST', body: {} })
  expect(body).toMatchObject({ requeued: 0, asked_gateways: 1 })
})

test('at a server a refused invoice of a gateway explains its codes, and so does the command that sends it again', async () => {
  const { server, gateway } = await startEnrolled()
  gateway.cis.misbehave({ error: 's013', codes: [182, 183] }, { error: 's013', codes: [182, 183] })
  const sold = await gateway.sell()
  await told(gateway)
  const office = dashboardOf(server)
  const clerk = await office.as('operator')
  const page = `/dashboard/invoices/${sold.id}`
  const [said] = explainCodes([182, 183], 'hr', 'office')
  expect((await clerk.get(page)).words).toContain(`${said?.label}: ${said?.means} ${said?.fix}`)
  expect((await clerk.get('/dashboard/invoices/failed')).words).toContain(`${said?.label}: ${said?.means} ${said?.fix}`)

  await clerk.submit(page, {}, `${page}/retry`)
  const { text } = await clerk.get('/dashboard/gateways/kiosk')
  const [command = ''] = /\/dashboard\/gateways\/kiosk\/commands\/[0-9a-f-]{36}/.exec(text) ?? []
  const words = async () => (await clerk.get(command)).words
  await expect.poll(words).toContain(`${said?.label}: ${said?.means} ${said?.fix}`)
})
