import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { startCentral } from '../support/central-server.ts'
import { eventually } from '../support/eventually.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { codesIn } from '../support/printer.ts'
import { SHOWS_RECEIPTS } from '../support/receipt-links.ts'
import { skipWithout } from '../support/tools.ts'

const LINK = /^https:\/\/racun\.example\.hr\/r\/[\w-]{48}$/

const setLink = (gateway: Gateway, path: string, receipt_link: unknown) =>
  gateway.admin(`/v1/${path}`, {
    method: 'PATCH',
    body: { [path.startsWith('dev') ? 'device_config' : 'fiscal_config']: { default_vat_rate: '25.00', receipt_link } },
  })

/** A gateway whose server shows receipts, and which has been told. */
async function linked() {
  const central = await startCentral(SHOWS_RECEIPTS)
  const gateway = await startGateway()
  await central.enroll(gateway)
  await setLink(gateway, `companies/${gateway.companyId}`, 'on')
  await eventually(async () => expect((await gateway.sell()).receipt_url).toMatch(LINK))
  return { ...central, gateway }
}

test('a sale answers with a link, a repeated key with the same bytes, and GET with the same link', async () => {
  const { gateway } = await linked()
  const sale = gateway.sale()
  const first = await gateway.post(sale, 'key-1')
  const again = await gateway.post(sale, 'key-1')
  expect(first.body.receipt_url).toMatch(LINK)
  expect(again.text).toBe(first.text)
  expect((await gateway.invoice(first.body.id)).receipt_url).toBe(first.body.receipt_url)
})

test('a gateway makes links without asking anybody, also after a start without its server', async () => {
  const { gateway, link } = await linked()
  link.goDown()
  expect((await gateway.sell()).receipt_url).toMatch(LINK)
  await gateway.restart()
  expect((await gateway.sell()).receipt_url).toMatch(LINK)
})

test.each([
  ['the device says off', 'off'],
  ['the device says null', null],
])('there is no link where %s', async (_how, value) => {
  const { gateway } = await linked()
  await setLink(gateway, `devices/${gateway.deviceId}`, value)
  const sold = await gateway.sell()
  expect(sold).not.toHaveProperty('receipt_url')
  const asked = await gateway.v1(`/invoices/${sold.id}/receipt-link`)
  expect(asked).toMatchObject({ status: 404, body: { error: { param: 'id' } } })
})

test('without a server that shows receipts there is no link, and the doctor says what is missing', async () => {
  const gateway = await startGateway()
  await setLink(gateway, `companies/${gateway.companyId}`, 'on')
  expect(await gateway.sell()).not.toHaveProperty('receipt_url')
  const { text } = await gateway.admin('/admin/doctor')
  expect(text).toContain('FISKD_RECEIPTS_URL')
})

test('links end where the gateway leaves its server', async () => {
  const { gateway } = await linked()
  const sold = await gateway.sell()
  await gateway.admin('/admin/sync/leave', { method: 'POST' })
  expect(await gateway.sell()).not.toHaveProperty('receipt_url')
  expect(await gateway.invoice(sold.id)).not.toHaveProperty('receipt_url')
})

test('receipt_link is no field of a sale', async () => {
  const gateway = await startGateway()
  expect(await gateway.post({ receipt_link: 'on' })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', param: 'receipt_link' } },
  })
})

test.each([
  ['receipt_link', true, '"on" or "off"'],
  ['receipt_link_days', '401', '"1" to "400"'],
  ['receipt_link_days', '0', '"1" to "400"'],
  ['receipt_link_days', 60, '"1" to "400"'],
])('%s: %j is refused, and the refusal says what it can be', async (key, value, says) => {
  const gateway = await startGateway()
  const path = `/v1/companies/${gateway.companyId}`
  const refused = await gateway.admin<never>(path, { method: 'PATCH', body: { fiscal_config: { [key]: value } } })
  expect(refused).toMatchObject({ status: 400, body: { error: { param: `fiscal_config.${key}` } } })
  expect(refused.text).toContain(JSON.stringify(says).slice(1, -1))
})

/** A worn screen in a picture of a phone, 400 pixels for 25 mm: half the contrast, askew, out of focus. */
const WORN = 'filter: contrast(0.5) blur(2px); rotate: 5deg; width: 400px; margin: 60px'

test.skipIf(skipWithout('chromium', 'zbarimg')).each(['image/png', 'image/svg+xml'])(
  'the code as %s is read from a worn screen',
  async (accept) => {
    const { gateway } = await linked()
    const sold = await gateway.sell()
    const code = await gateway.v1(`/invoices/${sold.id}/receipt-link`, { headers: { accept } })
    const { page } = await (await openBrowser(gateway, onTestFinished)).visitor()
    const source = `data:${accept};base64,${code.bytes.toString('base64')}`
    await page.setContent(`<img style="${WORN}" src="${source}">`)
    expect(codesIn(await page.screenshot())).toEqual([sold.receipt_url])
  },
)
