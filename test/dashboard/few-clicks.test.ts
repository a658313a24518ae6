import type { Locator } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { startGateway } from '../support/gateway.ts'
import { skipWithout } from '../support/tools.ts'

const [name, password] = ['clicks@example.hr', 'a long test password']

describe.skipIf(skipWithout('chromium'))('with few clicks', () => {
  test('all that was refused for one cause is sent again, within four from the overview', async () => {
    const gateway = await startGateway()
    gateway.cis.misbehave({ error: 's001' }, { error: 's001' }, { error: 's001' })
    const refused = [await gateway.sell(), await gateway.sell(), await gateway.sell()]
    await gateway.admin('/admin/users', { body: { name, password, role: 'operator', language: 'hr' } })
    const browser = await openBrowser(gateway, onTestFinished)
    const { page, open } = await browser.visitor({ language: 'hr' })
    await open('/sign-in')
    await page.fill('input[name=name]', name)
    await page.fill('input[name=password]', password)
    await Promise.all([page.waitForURL(/dashboard$/), page.click('main button')])

    let clicks = 0
    const click = async (what: Locator) => {
      clicks++
      await Promise.all([page.waitForEvent('load'), what.click()])
    }
    const task = page.getByRole('listitem').filter({ hasText: 'Porezna uprava nije prihvatila 3 računa.' })
    await click(task.getByRole('link'))
    const all = page.getByRole('group', { name: 'Radnja nad svima koji odgovaraju filtru (3):' })
    await click(all.getByRole('button', { name: 'Ponovno pošalji' }))
    await click(page.getByRole('button', { name: 'Započni' }))
    await page.getByText('Riješeno 3 od 3.').waitFor()
    expect(clicks).toBeLessThanOrEqual(4)
    for (const { id } of refused) expect(await gateway.invoice(id)).toMatchObject({ status: 'confirmed' })
    expect(browser.faults).toEqual([])
  })
})
