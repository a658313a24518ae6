import { describe, expect, onTestFinished, test } from 'vitest'
import { barriers, openBrowser, overhangs } from '../support/browser.ts'
import { SHOWS_RECEIPTS, soldAndTold, startLinked } from '../support/receipt-links.ts'
import { skipWithout } from '../support/tools.ts'

describe.skipIf(skipWithout('chromium'))('on a narrow phone', () => {
  test('the receipt, the page of what comes and the one that says nothing fit, and the browser finds no fault', async () => {
    const { server, kiosk, link } = await startLinked()
    const here = { url: server.receiptsUrl, dataDir: server.dataDir }
    const { faults, visitor } = await openBrowser(here, onTestFinished)
    const { page } = await visitor({ screen: 'narrow' })
    const shown = await soldAndTold(kiosk)
    link.goDown()
    const coming = await kiosk.sell()
    for (const { receipt_url } of [shown, coming, { receipt_url: '/r/x' }] as { receipt_url: string }[]) {
      await page.goto(server.receiptsUrl + receipt_url.replace(SHOWS_RECEIPTS.FISKD_RECEIPTS_URL, ''))
      // That a page without a script renews itself is wanted.
      const found = (await barriers(page)).filter((one) => !one.startsWith('meta-refresh'))
      expect([...(await overhangs(page)), ...found]).toEqual([])
    }
    // The page that says nothing is a 404, which the browser says on its console.
    expect(faults.filter((fault) => !/404/.test(fault))).toEqual([])
  })
})
