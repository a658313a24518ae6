import { expect, test } from 'vitest'
import { told } from '../support/central-server.ts'
import { startGateway } from '../support/gateway.ts'
import { type Linked, opened, RECEIPTS_ENV, setCompany, soldAndTold, startLinked } from '../support/receipt-links.ts'

test('a sale is on the phone of the customer as it would be printed', async () => {
  const { server, kiosk } = await startLinked()
  const sold = await soldAndTold(kiosk)
  const page = await opened(server, sold.receipt_url)
  expect(page.status).toBe(200)
  for (const text of [
    sold.zki.slice(0, 16),
    sold.jir?.slice(0, 18),
    'UKUPNO EUR',
    'href="https://porezna.gov.hr/rn?jir=',
  ])
    expect(page.text).toContain(text)
  expect(page.text).toContain(`<a class="button" href="${sold.qr_payload.replaceAll('&', '&amp;')}" rel="noreferrer">`)
  expect(page.text).not.toMatch(/KOPIJA|skenirajte|<script|http-equiv/)
})

test('the phone may be there before the sale is: the page says so, and renews itself for ten minutes', async () => {
  const { server, kiosk, link } = await startLinked()
  link.goDown()
  const sold: Linked = await kiosk.sell()
  const early = await opened(server, sold.receipt_url)
  expect(early.text).toContain('Račun stiže')
  expect(early.text).toContain('content="2; url=?w=1&amp;l=hr"')
  expect((await opened(server, `${sold.receipt_url}?w=18`)).text).toContain('content="15; url=?w=19&amp;l=hr"')
  expect((await opened(server, `${sold.receipt_url}?w=54`)).text).not.toContain('http-equiv')
  link.comeBack()
  await told(kiosk)
  expect((await opened(server, `${sold.receipt_url}?w=1`)).text).toContain('UKUPNO')
})

test('without a JIR the receipt is there all the same, and renews itself until it has one', async () => {
  const { server, kiosk } = await startLinked()
  kiosk.cis.goDown()
  const sold = await soldAndTold(kiosk)
  const page = await opened(server, sold.receipt_url)
  expect(page.text).toContain('Potvrda Porezne uprave (JIR) još nije stigla.')
  expect(page.text).toContain('content="2; url=?w=1&amp;l=hr"')
  kiosk.cis.comeBack()
  await kiosk.sweep()
  await told(kiosk)
  expect((await opened(server, sold.receipt_url)).text).toMatch(/JIR: [0-9a-f]{8}/)
})

test('language, PDF and style sheet: as the browser wishes, with a switch', async () => {
  const { server, kiosk } = await startLinked()
  const { receipt_url, number } = await soldAndTold(kiosk)
  const german = await opened(server, receipt_url, { headers: { 'accept-language': 'de-DE,de;q=0.9' } })
  expect(german.text).toContain('Check the receipt with the tax authority')
  expect((await opened(server, `${receipt_url}?l=hr`)).text).toContain('<html lang="hr">')
  const pdf = await opened(server, `${receipt_url}/pdf`)
  expect(pdf.text).toMatch(/^%PDF/)
  expect(pdf.headers['content-disposition']).toBe(`attachment; filename="Racun-${number}-POSL1-101.pdf"`)
  expect((await opened(server, '/r/style.css')).text).toContain('--test-ground')
})

test('the page asks for nothing from elsewhere, sets no cookie, and tells nobody where it is', async () => {
  const { server, kiosk } = await startLinked()
  const { headers } = await opened(server, (await soldAndTold(kiosk)).receipt_url)
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'no-store',
  })
  expect(headers).not.toHaveProperty('set-cookie')
  expect(headers).not.toHaveProperty('server')
})

test('test mode is marked as on paper, a refund names what it takes back', async () => {
  const { server, kiosk } = await startLinked()
  const first = await soldAndTold(kiosk)
  expect((await opened(server, first.receipt_url)).text).toContain('OVO NIJE FISKALIZIRANI RAČUN')
  const back = await soldAndTold(kiosk, { total: '-2.50', storno_of: first.id })
  expect((await opened(server, back.receipt_url)).text).toMatch(/STORNO/)
})

test('what was given out over /v1 is the original: the phone gets a copy, as often as it looks', async () => {
  const { server, kiosk } = await startLinked()
  const sold = await soldAndTold(kiosk)
  expect((await opened(server, sold.receipt_url)).text).not.toContain('KOPIJA')
  expect((await opened(server, sold.receipt_url)).text).not.toContain('KOPIJA')
  await kiosk.v1(`/invoices/${sold.id}/receipt`, { headers: { accept: 'text/plain' } })
  await told(kiosk)
  expect((await opened(server, sold.receipt_url)).text).toContain('KOPIJA')
})

test('a server shows its own sales as well', async () => {
  const server = await startGateway(RECEIPTS_ENV)
  await setCompany(server, { receipt_link: 'on' })
  const sold: Linked = await server.sell()
  expect((await opened(server, sold.receipt_url)).text).toContain('UKUPNO')
})
