import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { startGateway, uploadCertificate } from '../support/gateway.ts'
import { OIBS, pki } from '../support/pki.ts'
import { skipWithout } from '../support/tools.ts'
import { wordsIn } from '../support/walker.ts'

const MOST_TABS = 120
const t = wordsIn('en')

/** The name of what has the focus, and whether that can be seen; as a script, for the page has the types of a browser. */
const FOCUSED = `(() => {
  const { activeElement } = document
  if (activeElement === document.body) return { name: '', isSeen: false }
  const label = activeElement.labels?.[0]?.innerText ?? activeElement.getAttribute('aria-label') ?? activeElement.innerText
  const box = activeElement.getBoundingClientRect()
  const isSeen = getComputedStyle(activeElement).outlineStyle !== 'none' && box.width > 0 && box.right > 0
  return { name: (label ?? '').trim(), isSeen }
})()`

/** Tabs along until something of this name has the focus; whatever has it on the way must show that. */
async function reach(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ name: string; isSeen: boolean }>(FOCUSED)
    if (!focused.isSeen && focused.name !== '') throw new Error(`nobody sees that ${focused.name} has the focus`)
    if (focused.name.startsWith(name)) return
  }
  throw new Error(`${name} cannot be reached with the Tab key`)
}

async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

const read = (page: Page) => page.locator('main').innerText()

describe.skipIf(skipWithout('chromium'))('with the keyboard alone', () => {
  test('an operator signs in, finds an invoice, sends it again, acknowledges an alert and signs out', {
    timeout: 180_000,
  }, async () => {
    const gateway = await startGateway()
    await gateway.cis.goDown()
    await gateway.sell()
    await gateway.cis.comeBack()
    const [name, password] = ['keys@example.hr', 'a long test password']
    await gateway.admin('/admin/users', { body: { name, password, role: 'operator', language: 'en' } })
    const browser = await openBrowser(gateway, onTestFinished)
    const { page, open } = await browser.visitor({ language: 'en' })

    await open('')
    await page.keyboard.type(name)
    await reach(page, t.signIn.password)
    await page.keyboard.type(password)
    await enter(page)

    await reach(page, t.common.skip)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')

    await open('')
    await reach(page, t.common.navigation.invoices)
    await enter(page)
    await reach(page, t.invoices.searchHint)
    await page.keyboard.type('1')
    await enter(page)
    await reach(page, '1/POSL1/101')
    await enter(page)
    await reach(page, t.invoice.retry)
    await enter(page)
    expect(await read(page)).toContain(t.invoices.statuses.confirmed)

    const notAfter = new Date(Date.now() + 20 * 86_400_000)
    await uploadCertificate(gateway, gateway.companyId, await pki.issueCompany({ oib: OIBS[0], notAfter }))
    await gateway.watch()
    await open('/alerts')
    await reach(page, `${t.alerts.acknowledge}: `)
    await enter(page)
    expect(await read(page)).toContain(t.common.notices.alert_acknowledged)

    await reach(page, name)
    await page.keyboard.press('Enter')
    await reach(page, t.common.signOut)
    await enter(page)
    expect(await read(page)).toContain(t.common.notices.signed_out)
    expect(browser.faults).toEqual([])
  })

  test('the menu of a phone opens, and leads on', { timeout: 120_000 }, async () => {
    const gateway = await startGateway()
    const [name, password] = ['phone@example.hr', 'a long test password']
    await gateway.admin('/admin/users', { body: { name, password, role: 'viewer', language: 'en' } })
    const browser = await openBrowser(gateway, onTestFinished)
    const { page, open } = await browser.visitor({ language: 'en', screen: 'phone' })
    await open('')
    await page.keyboard.type(name)
    await reach(page, t.signIn.password)
    await page.keyboard.type(password)
    await enter(page)
    await reach(page, t.common.menu)
    await page.keyboard.press('Enter')
    await reach(page, t.common.navigation.devices)
    await enter(page)
    expect(await page.title()).toContain(t.devices.title)
    expect(browser.faults).toEqual([])
  })
})
