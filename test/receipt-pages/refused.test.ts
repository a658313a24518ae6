import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { linkTo } from '../../src/fiscal/receipt-links/link.ts'
import type { Commanded } from '../support/commanded.ts'
import { inDatabase } from '../support/database.ts'
import { startGateway } from '../support/gateway.ts'
import {
  type Linked,
  nothingIn,
  opened,
  RECEIPTS_ENV,
  SHOWS_RECEIPTS,
  setCompany,
  soldAndTold,
  startLinked,
} from '../support/receipt-links.ts'

const DAY_MS = 86_400_000
const madeUp = () => `/r/${randomBytes(36).toString('base64url')}`
/** The page that says nothing, as whoever makes a link up gets it. */
const NOTHING = async ({ server }: Commanded) => nothingIn(await opened(server, madeUp()))

test('who makes up links learns nothing: one page for every text, path and method', async () => {
  const linked = await startLinked()
  const { server } = linked
  const nothing = await NOTHING(linked)
  expect(nothing).toMatchObject({ status: 404, text: expect.stringContaining('There is no receipt here now') })
  for (const path of [
    madeUp(),
    '/r/x',
    '/r/',
    '/',
    '/v1/health',
    '/dashboard',
    `${madeUp()}/pdf`,
    '/r/%zz',
    `${madeUp()}?l=en`,
  ])
    expect(nothingIn(await opened(server, path)), path).toEqual(nothing)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])
    expect(nothingIn(await opened(server, madeUp(), { method })), method).toEqual(nothing)
  const headers = { 'accept-language': 'en', range: 'bytes=0-9', 'content-type': 'application/json' }
  expect(nothingIn(await opened(server, madeUp(), { headers }))).toEqual(nothing)
  expect(nothingIn(await opened(server, madeUp(), { method: 'HEAD' }))).toEqual({ ...nothing, text: '' })
})

test('a token of which one character differs is made up', async () => {
  const linked = await startLinked()
  const { receipt_url = '' } = await soldAndTold(linked.kiosk)
  for (const at of [0, 5, 20, 30, 47]) {
    const token = receipt_url.slice(-48)
    const other = token[at] === 'A' ? 'B' : 'A'
    const path = `/r/${token.slice(0, at)}${other}${token.slice(at + 1)}`
    expect(nothingIn(await opened(linked.server, path)), path).toEqual(await NOTHING(linked))
  }
})

test('a link of another server, of another gateway, and one that no sale has asked for show nothing', async () => {
  const linked = await startLinked()
  const other = await startGateway(RECEIPTS_ENV)
  await setCompany(other, { receipt_link: 'on' })
  const elsewhere: Linked = await other.sell()
  expect(nothingIn(await opened(linked.server, elsewhere.receipt_url))).toEqual(await NOTHING(linked))
  // Without the key, but with all that is not secret.
  const { id } = await soldAndTold(linked.kiosk)
  const key = createHash('sha256').update('guess').digest()
  const guessed = linkTo({ base: SHOWS_RECEIPTS.FISKD_RECEIPTS_URL, gatewayId: linked.id, key }, id)
  expect(nothingIn(await opened(linked.server, guessed))).toEqual(await NOTHING(linked))
  await setCompany(linked.kiosk, { receipt_link: 'off' })
  expect((await soldAndTold(linked.kiosk)).receipt_url).toBeUndefined()
})

test('a link ends after 60 days, or as many as the company has set', async () => {
  const linked = await startLinked()
  const { server, kiosk } = linked
  const sold = await soldAndTold(kiosk)
  server.clock.aheadMs = 61 * DAY_MS
  expect(nothingIn(await opened(server, sold.receipt_url))).toEqual(await NOTHING(linked))
  await inDatabase(server, `UPDATE companies SET fiscal_config = '{"receipt_link":"on","receipt_link_days":"90"}'`)
  expect((await opened(server, sold.receipt_url)).status).toBe(200)
})

test('a link that its sale never follows ends, too', async () => {
  const linked = await startLinked()
  linked.link.goDown()
  const sold: Linked = await linked.kiosk.sell()
  expect((await opened(linked.server, sold.receipt_url)).status).toBe(200)
  linked.server.clock.aheadMs = 401 * DAY_MS
  expect(nothingIn(await opened(linked.server, sold.receipt_url))).toEqual(await NOTHING(linked))
})

test('an archived company shows no receipts', async () => {
  const linked = await startLinked()
  const sold = await soldAndTold(linked.kiosk)
  await inDatabase(linked.server, `UPDATE companies SET status = 'archived'`)
  expect(nothingIn(await opened(linked.server, sold.receipt_url))).toEqual(await NOTHING(linked))
})

test('an address that asks too often gets the same page with 429', async () => {
  const { server } = await startLinked()
  let last = await opened(server, madeUp())
  for (let asked = 0; asked < 600; asked++) last = await opened(server, madeUp())
  expect(last).toMatchObject({ status: 429, text: expect.stringContaining('There is no receipt here now') })
})
