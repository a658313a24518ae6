import { describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { startEmptyGateway } from '../support/gateway.ts'
import { OIBS, pki } from '../support/pki.ts'
import { skipWithout } from '../support/tools.ts'
import { signInAs, walkerOn, wordsIn } from '../support/walker.ts'

const WRONG_ROWS = [
  'label,premises_code,isu_number',
  'Dobri 1,POSL2,202',
  ',POSL3,',
  'Loš 2,P-1,',
  'Loš 3,POSL4,x1',
  'Dobri 2,POSL5,',
]

describe.skipIf(skipWithout('chromium'))('a new operator', () => {
  test.each(['hr', 'en'] as const)(
    'sets up, sells, mends and is told of all that matters, in %s',
    { timeout: 240_000 },
    async (language) => {
      const gateway = await startEmptyGateway()
      const browser = await openBrowser(gateway, onTestFinished)
      const { page, context } = await browser.visitor({ language })
      const walker = walkerOn(page)
      /** An entry of the menu, which may have a count. */
      const goTo = (name: string) =>
        Promise.all([page.waitForEvent('load'), page.locator('nav.side a', { hasText: name }).first().click()])
      const { press, write, choose, attach, read } = walker
      const t = wordsIn(language)
      const { navigation } = t.common

      await signInAs(gateway, page, language)
      expect(await page.locator('html').getAttribute('lang')).toBe(language)

      // A company and its certificate, which will not last long.
      await goTo(navigation.companies)
      await press(t.companies.add)
      await write(t.companies.oib, OIBS[0])
      await write(t.companies.name, 'Kava na klik d.o.o.')
      await press(t.companies.create)
      const notAfter = new Date(Date.now() + 20 * 86_400_000)
      const { p12, passphrase } = await pki.issueCompany({ oib: OIBS[0], notAfter })
      await attach(t.companies.file, { name: 'fiskal.p12', mimeType: 'application/x-pkcs12', buffer: p12 })
      await write(t.companies.passphrase, passphrase)
      await press(t.companies.upload)
      expect(await read()).toContain(t.companies.certificateStates.expiring)

      // A device, and the number that the tax authority has issued for it.
      await goTo(navigation.devices)
      await press(t.devices.add)
      await choose(t.devices.company, `Kava na klik d.o.o. (${OIBS[0]})`)
      await write(t.devices.label, 'Kavomat predvorje')
      await write(t.devices.premisesCode, 'POSL1')
      await press(t.devices.create)
      await write(t.devices.isu, '101')
      await press(t.devices.setIsu)
      expect(await read()).toContain(t.devices.isuStates.assigned)
      const deviceId = await page.locator('#device-id').textContent()

      // A key for its firmware.
      await goTo(navigation.keys)
      await press(t.keys.add)
      await write(t.keys.name, 'Kavomat predvorje')
      await page.getByRole('radio', { name: t.keys.test }).check()
      await press(t.keys.make)
      const key = await page.locator('#key').innerText()
      await page.getByRole('button', { name: t.common.copy, exact: true }).click()
      await page.getByRole('button', { name: t.common.copied, exact: true }).waitFor()
      await press(t.keys.done)
      expect(await read()).toContain('Kavomat predvorje')

      // The machine sells while the tax authority is down.
      Object.assign(gateway, { deviceId, key })
      await gateway.cis.goDown()
      expect(await gateway.sell()).toMatchObject({ status: 'retrying' })
      await gateway.cis.comeBack()

      // The operator finds the invoice, sees why it waits and sends it again.
      await goTo(navigation.invoices)
      await write(t.invoices.searchHint, '1')
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
      expect(await read()).toContain(t.invoices.statuses.retrying)
      await press('1/POSL1/101')
      expect(await read()).toContain(t.invoice.noJir)
      await press(`${t.invoice.openMessage} 1`)
      expect(await read()).toContain('<tns:RacunZahtjev')
      await press(t.invoice.backToInvoice)
      await press(t.invoice.retry)
      expect(await read()).toContain(t.invoices.statuses.confirmed)
      expect(await page.locator('#jir').innerText()).toMatch(/^[0-9a-f-]{36}$/)

      // More devices from a file, three rows of which are wrong.
      await goTo(navigation.devices)
      await page.locator('.title summary').click()
      await press(t.devices.importMany)
      const file = { name: 'uredaji.csv', mimeType: 'text/csv', buffer: Buffer.from(WRONG_ROWS.join('\n')) }
      await attach(t.devices.import.file, file)
      await press(t.devices.import.check)
      expect(await read()).toContain(t.devices.import.sum(5, 2, 0, 0, 3))
      await press(t.devices.import.runRight(2, 3))
      expect(await read()).toContain(t.devices.import.done(2, 0, 0))

      // What the gateway does each minute finds that the certificate will end.
      await gateway.watch()
      await goTo(navigation.alerts)
      await page.getByRole('link', { name: /Kava na klik/ }).click()
      await press(t.alerts.acknowledge)
      expect(await read()).toContain(t.common.notices.alert_acknowledged)
      await goTo(navigation.alerts)
      expect(await read()).toContain(t.alerts.none.open)

      await page.locator('header summary').last().click()
      await press(t.common.signOut)
      expect(await read()).toContain(t.common.notices.signed_out)
      await page.goBack()
      expect(await page.title()).toContain(t.signIn.title)
      expect(browser.faults).toEqual([])
      await context.close()
    },
  )
})
