import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Browser,
  barriers,
  inTheWay,
  lostInForcedColours,
  openBrowser,
  overhangs,
  SCREENS,
  type Visitor,
} from '../support/browser.ts'
import { told } from '../support/central-server.ts'
import type { Gateway } from '../support/gateway.ts'
import { type Linked, SHOWS_RECEIPTS, soldAndTold, startLinked } from '../support/receipt-links.ts'
import { skipWithout } from '../support/tools.ts'

/** 320 pixels are a desk of 1280 at 400 percent, too, with 256 of height left. */
const SIZES = [SCREENS.narrow, { width: 320, height: 256 }, SCREENS.phone, { width: 640, height: 400 }, SCREENS.desktop]
const AUTHORITY = 'https://porezna.gov.hr'
/** A page that says nothing is a 404, which a browser calls an error of the page. */
const OF_NOTHING = /status of 404/
/** A page may renew itself where a link on it stops that (WCAG 2.2.1), which no tool can know. */
const RENEWS = /^meta-refresh/

interface Phone extends Visitor {
  faults: string[]
  /** Opens a link, as the machine shows it. */
  scan(link: string | undefined): Promise<void>
}

async function phoneAt({ receiptsUrl, dataDir }: Gateway, options: Parameters<Browser['visitor']>[0] = {}) {
  const { visitor, faults } = await openBrowser({ url: receiptsUrl, dataDir }, onTestFinished)
  const visit = await visitor({ screen: 'phone', script: false, ...options })
  const scan = async (link = '') =>
    void (await visit.page.goto(receiptsUrl + link.replace(SHOWS_RECEIPTS.FISKD_RECEIPTS_URL, '')))
  return { ...visit, faults, scan } as Phone
}

/** What is in a customer's way on the page that is open, in every look that it has. */
async function inCustomersWay(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const size of SIZES) {
      await page.setViewportSize(size)
      found.push(...(await overhangs(page)), ...(await inTheWay(page)))
    }
    await page.setViewportSize(SCREENS.narrow)
    const renews = await page.getByText(/Stop renewing|Zaustavi osvježavanje/).isVisible()
    found.push(...(await barriers(page)).filter((barrier) => !(renews && RENEWS.test(barrier))))
  }
  await page.emulateMedia({ forcedColors: 'active' })
  found.push(...(await lostInForcedColours(page)), ...(await unframed(page)))
  await page.emulateMedia({ forcedColors: 'none', media: 'print' })
  found.push(...(await overhangs(page)))
  await page.emulateMedia({ media: 'screen' })
  return found.map((fault) => `${page.url().slice(-20)}: ${fault}`)
}

/** What the colours that somebody has chosen for all pages have made like any other text. */
const unframed = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.button, .test, .warn')]
    .filter((element) => getComputedStyle(element).borderTopWidth === '0px').map(({ outerHTML }) => outerHTML)`)

/** Links of all that a customer may see: with and without a JIR, a copy, a refund, on its way, given up, refused. */
async function everyPage({ server, kiosk, link }: Awaited<ReturnType<typeof startLinked>>): Promise<string[]> {
  const items = [{ name: 'Bezkofeinska kava s mlijekom od badema', quantity: '1', unit_price: '2.50', amount: '2.50' }]
  const shown = await soldAndTold(kiosk, { items })
  const back = await soldAndTold(kiosk, { total: '-2.50', storno_of: shown.id })
  const copy = await soldAndTold(kiosk)
  await kiosk.v1(`/invoices/${copy.id}/receipt`, { headers: { accept: 'text/plain' } })
  kiosk.cis.goDown()
  const waiting = await soldAndTold(kiosk)
  link.goDown()
  const coming: Linked = await kiosk.sell()
  expect(server.receiptsUrl).not.toBe(server.url)
  const links = [shown, back, copy, waiting, coming].map(({ receipt_url }) => String(receipt_url))
  return [...links, `${waiting.receipt_url}?w=54`, `${coming.receipt_url}?w=54`, '/r/x']
}

describe.skipIf(skipWithout('chromium'))('on the phone of a customer', () => {
  test.each(['hr', 'en'] as const)(
    'every page can be read, however small, large or dark it is, in %s',
    async (language) => {
      const linked = await startLinked()
      const links = await everyPage(linked)
      const { scan, page, context, faults } = await phoneAt(linked.server, { language, screen: 'narrow', script: true })
      const found: string[] = []
      for (const link of links) {
        await scan(link)
        found.push(...(await inCustomersWay(page)))
      }
      expect([...found, ...faults.filter((fault) => !OF_NOTHING.test(fault))]).toEqual([])
      expect(await context.storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] })
    },
  )

  test('without scripts the language is switched, the PDF is saved, and nothing is stored or asked of others', async () => {
    const { server, kiosk } = await startLinked()
    const { scan, page, context, faults } = await phoneAt(server, { language: 'en' })
    const { receipt_url, number } = await soldAndTold(kiosk)
    await scan(receipt_url)
    for (const [switched, title] of [
      ['Hrvatski', `Račun ${number}/POSL1/101`],
      ['English', `Receipt ${number}/POSL1/101`],
    ] as const) {
      await page.getByRole('link', { name: switched }).click()
      await expect.poll(() => page.locator('h1').textContent()).toBe(title)
    }
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByText('Download as PDF').click()])
    expect(file.suggestedFilename()).toBe(`Racun-${number}-POSL1-101.pdf`)
    expect(faults).toEqual([])
    expect(await context.cookies()).toEqual([])
  })

  test('the authority, which checks the receipt, is not told where the customer came from', async () => {
    const { server, kiosk } = await startLinked()
    const { scan, page, context, faults } = await phoneAt(server)
    const asked: Record<string, string>[] = []
    await context.route(`${AUTHORITY}/**`, async (route) => {
      asked.push(await route.request().allHeaders())
      await route.fulfill({ body: 'checked' })
    })
    await scan((await soldAndTold(kiosk)).receipt_url)
    await page.getByText('Provjerite račun').click()
    await expect.poll(() => page.content()).toContain('checked')
    expect(faults).toMatchObject([expect.stringContaining(`other host: ${AUTHORITY}/rn?jir=`)])
    expect(asked).toMatchObject([{ 'user-agent': expect.any(String) }])
    expect(asked[0]).not.toHaveProperty('referer')
  })

  test('a link opened while the server is not told of sales shows the receipt by itself later', async () => {
    const { server, kiosk, link } = await startLinked()
    const { scan, page, faults } = await phoneAt(server)
    link.goDown()
    const sold: Linked = await kiosk.sell()
    await scan(sold.receipt_url)
    expect(await page.locator('h1').textContent()).toBe('Račun stiže')
    link.comeBack()
    await told(kiosk)
    await expect.poll(() => page.locator('h1').textContent()).toBe(`Račun ${sold.number}/POSL1/101`)
    expect(await page.content()).not.toContain('http-equiv')
    expect(faults).toEqual([])
  })

  test('a page that renews itself stops when the customer wants it to', async () => {
    const { server, kiosk } = await startLinked()
    const { scan, page } = await phoneAt(server, { language: 'en' })
    kiosk.cis.goDown()
    await scan((await soldAndTold(kiosk)).receipt_url)
    await page.getByText('Stop renewing').click()
    await expect.poll(() => page.content()).not.toContain('http-equiv')
    expect(await page.locator('.warn').textContent()).toContain('Open this link later')
  })

  test('a link opened at once shows the receipt, at the latest after the page has renewed itself', async () => {
    const { server, kiosk } = await startLinked()
    const { scan, page } = await phoneAt(server)
    await soldAndTold(kiosk)
    const sold: Linked = await kiosk.sell()
    await scan(sold.receipt_url)
    await expect.poll(() => page.locator('h1').textContent()).toBe(`Račun ${sold.number}/POSL1/101`)
    expect(page.url()).toMatch(/\/r\/[\w-]{48}(\?w=1&l=hr)?$/)
  })
})
