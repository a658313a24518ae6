import { expect, test } from 'vitest'
import { dashboardOf } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import type { Gateway } from '../support/gateway.ts'
import { opened, soldAndTold, startLinked, statusOf, withdrawn } from '../support/receipt-links.ts'

const companyAt = async (server: Gateway) => String((await inDatabase(server, 'SELECT id FROM companies'))[0]?.id)

test('the office withdraws the link of one receipt; the others go on', async () => {
  const linked = await startLinked()
  const [one, other] = [await soldAndTold(linked.kiosk), await soldAndTold(linked.kiosk)]
  const path = `/dashboard/invoices/${one.id}`
  const page = await withdrawn(linked, path, 'link/withdraw')
  expect(page.words).toMatch(/Povučena je \d/)
  expect(page.text).not.toContain(one.receipt_url?.slice(-48))
  expect([await statusOf(linked, one.receipt_url), await statusOf(linked, other.receipt_url)]).toEqual([404, 200])
})

test('the office withdraws all links of a company; later sales have new ones', async () => {
  const linked = await startLinked()
  const before = await soldAndTold(linked.kiosk)
  const path = `/dashboard/companies/${await companyAt(linked.server)}`
  await withdrawn(linked, path, 'links/withdraw')
  const after = await soldAndTold(linked.kiosk)
  expect([await statusOf(linked, before.receipt_url), await statusOf(linked, after.receipt_url)]).toEqual([404, 200])
  const [entry] = await inDatabase(
    linked.server,
    `SELECT detail FROM audit_log WHERE action = 'receipt_link.withdrawn'`,
  )
  expect(entry?.detail).not.toContain(before.receipt_url?.slice(-48))
})

test('views are counted by day and company, renewals are not, and who looked is stored nowhere', async () => {
  const linked = await startLinked()
  const { receipt_url } = await soldAndTold(linked.kiosk)
  for (const path of ['', '', '?w=3', '/pdf']) await opened(linked.server, `${receipt_url}${path}`)
  await linked.server.restart()
  const page = await (await dashboardOf(linked.server).as('viewer')).get(
    `/dashboard/companies/${await companyAt(linked.server)}`,
  )
  expect(page.words).toContain('Pregledi u posljednjih 30 dana: 2.')
  expect(page.words).not.toContain('Povuci sve poveznice')
})
