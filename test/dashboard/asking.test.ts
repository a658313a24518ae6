import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { skipWithout } from '../support/tools.ts'
import { wordsIn } from '../support/walker.ts'

const t = wordsIn('en')
const [asked, password] = ['asked@example.hr', 'a long test password']
let gateway: Gateway

async function signedIn(script = true, name = asked): Promise<{ page: Page; faults: string[] }> {
  const browser = await openBrowser(gateway, onTestFinished)
  const { page, open } = await browser.visitor({ language: 'en', script })
  await open('/sign-in')
  await page.fill('input[name=name]', name)
  await page.fill('input[name=password]', password)
  await Promise.all([page.waitForURL(/dashboard$/), page.click('main button')])
  return { page, faults: browser.faults }
}

async function stateOf(): Promise<string | undefined> {
  const { body } = await gateway.admin<{ data: { status: string }[] }>('/v1/devices')
  return body.data[0]?.status
}

describe.skipIf(skipWithout('chromium'))('what has consequences', () => {
  beforeAll(async () => {
    gateway = await startSharedGateway()
    await gateway.admin('/admin/users', { body: { name: asked, password, role: 'operator', language: 'en' } })
  })

  test('is asked for in a dialog of the page that names it, and Escape is no', async () => {
    const { page, faults } = await signedIn()
    await page.goto(`/dashboard/devices/${gateway.deviceId}`)
    const suspend = page.locator('main').getByRole('button', { name: t.devices.suspend })
    const dialog = page.getByRole('dialog', { name: t.devices.suspend })
    await suspend.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    expect(await dialog.innerText()).toContain((await suspend.getAttribute('data-confirm')) ?? 'nothing')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await stateOf()).toBe('active')
    expect(await page.evaluate('document.activeElement.textContent')).toBe(t.devices.suspend)

    // The first Tab leads from the way back to the button that does it.
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Tab')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    expect(await stateOf()).toBe('suspended')
    await gateway.admin(`/v1/devices/${gateway.deviceId}`, { method: 'PATCH', body: { status: 'active' } })
    expect(faults).toEqual([])
  })

  test('stands beside its button where no script asks', async () => {
    const { page } = await signedIn(false)
    await page.goto(`/dashboard/devices/${gateway.deviceId}`)
    const suspend = page.locator('main').getByRole('button', { name: t.devices.suspend })
    const consequence = (await suspend.getAttribute('data-confirm')) ?? 'nothing'
    await page.locator('main').getByRole('button', { name: consequence }).waitFor()
  })

  test.each([true, false])(
    'after a form that is refused the first wrong field has the focus, with script: %s',
    async (script) => {
      const { page } = await signedIn(script)
      await page.goto('/dashboard/devices/new')
      await page.locator('main').getByLabel(t.devices.label).fill('Kavomat')
      await page.locator('main').getByLabel(t.devices.premisesCode).fill('P-1')
      await page.locator('main').getByRole('button', { name: t.devices.create }).click()
      const wrong = page.locator('main [aria-invalid="true"]').first()
      await wrong.waitFor()
      await expect.poll(() => page.evaluate(`document.activeElement.matches('main [aria-invalid="true"]')`)).toBe(true)
    },
  )

  test('is asked with the names of the companies that somebody will see', async () => {
    await addCompany(gateway, OIBS[1])
    await gateway.admin('/admin/users', { body: { name: 'boss', password, role: 'admin', language: 'en' } })
    const { page } = await signedIn(true, 'boss')
    await page.goto('/dashboard/users/new')
    await page.fill('input[name=name]', 'bookkeeper')
    await page.fill('input[name=password]', password)
    await page.locator('main').getByRole('checkbox', { name: OIBS[1] }).check()
    await page.locator('main').getByRole('button', { name: t.users.make }).click()
    await page.getByRole('dialog').getByText(`${t.users.willSee}: Samoposluga d.o.o. (${OIBS[1]}).`).waitFor()
  })
})
