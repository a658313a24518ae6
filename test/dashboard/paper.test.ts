import { describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { startGateway } from '../support/gateway.ts'
import { skipWithout } from '../support/tools.ts'
import { signInAs } from '../support/walker.ts'

describe.skipIf(skipWithout('chromium'))('on paper', () => {
  test('a page is what it says: no menu, no buttons, black on white, no row over two sheets', {
    timeout: 180_000,
  }, async () => {
    const gateway = await startGateway()
    const { id } = await gateway.sell()
    const browser = await openBrowser(gateway, onTestFinished)
    const { page, open } = await browser.visitor({ theme: 'dark' })
    await signInAs(gateway, page, 'hr')
    for (const path of ['/invoices', `/invoices/${id}`]) {
      await open(path)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const style = (selector: string, name: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)
      for (const hidden of ['.places', '.top', 'main form button']) {
        expect([path, hidden, await page.locator(hidden).first().isVisible()]).toEqual([path, hidden, false])
      }
      // Test sales are not to be taken for real ones.
      expect(await page.locator('.test').isVisible()).toBe(true)
      expect(await style('body', 'color')).toBe('rgb(0, 0, 0)')
      expect(await style('body', 'backgroundColor')).toBe('rgb(255, 255, 255)')
      expect(await style('main a', 'textDecorationLine')).toBe('none')
      expect(await style('main tr', 'breakInside')).toBe('avoid')
      expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
    }
    expect(browser.faults).toEqual([])
  })
})
