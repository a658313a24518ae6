import { expect, test } from 'vitest'
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
  expect(shown.words).toContain('pristupnik kiosk šalje ga ponovno sam')
  expect(shown.words).toContain('Dugme mu šalje naredbu')
  expect(shown.text).toContain(`${page}/messages/`)

  await gateway.cis.comeBack()
  const sent = await clerk.submit(page, {}, `${page}/retry`)
  expect(sent).toMatchObject({ status: 303, to: `${page}?notice=sent_to_gateway` })
  await expect.poll(async () => (await clerk.get(page)).words, { timeout: 30_000 }).toContain('potvrdila je ovaj račun')

  const day = new Date().toISOString().slice(0, 10)
  const books = await clerk.get(`/dashboard/export/files/invoices.csv?mode=test&from=${day}`)
  expect(books.text).toContain(String(sold.zki))
})
