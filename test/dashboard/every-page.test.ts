import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { codeOf } from '../support/authenticator.ts'
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
import { startCentral, told } from '../support/central-server.ts'
import { dashboardOf, startDashboard } from '../support/dashboard.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startOffice, storeOfficeFleet } from '../support/office-fleet.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'
import { signInAs } from '../support/walker.ts'

/** Of a page as it is, or after something was done on it. */
type Wanted = string | { path: string; act(page: Page): Promise<void> }

const HALF_A_DESK = { width: 640, height: 400 }
/** Those that screens have, and both sides of the widths at which the menu and the tables change their form. */
const WIDTHS = [320, 360, 390, 414, 600, 720, 768, 820, 900, 1024, 1100, 1280, 1440, 1680, 1920]
/** A desk of 1280 by 1024 at 400 percent. */
const MAGNIFIED = { width: 320, height: 256 }
const SHEET = { width: 680, height: 1000 }

const LIGHT = (['desktop', 'narrow'] as const).map((screen) => ({ theme: 'light' as const, screen }))
const DARK = LIGHT.map((look) => ({ ...look, theme: 'dark' as const }))
/** Another language changes the length of texts, and no colour. */
const LOOKS = { hr: [...LIGHT, ...DARK], en: LIGHT }

/** What is in somebody's way on a page, in every look that it has: of dark it is colours that differ, nothing else. */
async function faultsOf(
  { page, open }: Visitor,
  wanted: Wanted,
  looks: (typeof LOOKS)['hr' | 'en'] = LOOKS.hr,
): Promise<string[]> {
  const { path, act } = typeof wanted === 'string' ? { path: wanted, act: undefined } : wanted
  await open(path)
  await act?.(page)
  await page.evaluate("for (const one of document.querySelectorAll('details:not(.drop)')) one.open = true")
  const found: string[] = []
  for (const { theme, screen } of looks) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize(SCREENS[screen])
    const here = `${path || '/'}, ${theme}, ${screen}`
    const rule = theme === 'dark' ? 'color-contrast' : undefined
    for (const barrier of await barriers(page, rule)) found.push(`${here}: ${barrier}`)
    for (const out of await overhangs(page)) found.push(`${here}: ${out}`)
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    for (const out of await overhangs(page)) found.push(`${path}, ${width} pixels: ${out}`)
  }
  await page.emulateMedia({ forcedColors: 'active' })
  for (const lost of await lostInForcedColours(page)) found.push(`${path}, forced colours: ${lost}`)
  await page.emulateMedia({ forcedColors: 'none' })
  await page.setViewportSize(MAGNIFIED)
  for (const out of [...(await overhangs(page)), ...(await inTheWay(page))]) found.push(`${path}, 400 %: ${out}`)
  // At 200 percent of a desk, and on a sheet of paper without its margins.
  await page.setViewportSize(HALF_A_DESK)
  for (const out of await overhangs(page)) found.push(`${path}, 200 %: ${out}`)
  await page.setViewportSize(SHEET)
  await page.emulateMedia({ media: 'print' })
  for (const out of await overhangs(page)) found.push(`${path}, on paper: ${out}`)
  await page.emulateMedia({ media: 'screen' })
  return found
}

async function makeKey(page: Page): Promise<void> {
  await page.fill('input[name=name]', 'Kavomat')
  await page.check('input[value=test]')
  await Promise.all([page.waitForURL(/made$/), page.click('main form button')])
}

/** All rows of the list, and what to do with them. */
async function chooseAll(page: Page, work: 'tag' | 'settings'): Promise<void> {
  await page.check('input[name=ids] >> nth=0')
  await page.check('input[name=all]')
  await page.click(`button[name=work][value=${work}]`)
}

/** The page that asks before bulk work, for a group and for a setting. */
async function askForGroup(page: Page): Promise<void> {
  await Promise.all([page.waitForURL(/confirm$/), chooseAll(page, 'tag')])
}
async function askForSetting(page: Page): Promise<void> {
  await Promise.all([page.waitForURL(/confirm$/), chooseAll(page, 'settings')])
  await page.selectOption('select[name=setting]', 'receipt.header')
  await Promise.all([page.waitForEvent('load'), page.locator('main form button').last().click()])
}

/** Refused for each row: there is no printer. */
async function printCopies(page: Page): Promise<void> {
  await page.check('input[name=ids] >> nth=0')
  await Promise.all([page.waitForURL(/confirm$/), page.locator('button[name=work][value=copies]').click()])
}
async function runCopies(page: Page): Promise<void> {
  await printCopies(page)
  await Promise.all([page.waitForURL(/jobs\/[\w-]+$/), page.click('main form button')])
}

/** What the browser would not let through comes back with what is wrong with it. */
async function sendUnfilled(page: Page): Promise<void> {
  await page.evaluate(
    "for (const form of document.querySelectorAll('main form')) { form.noValidate = true; delete form.dataset.confirm }",
  )
  await Promise.all([page.waitForEvent('load'), page.locator('main form button').last().click()])
}

/** Without a mail server the link is shown. */
async function invite(page: Page): Promise<void> {
  await page.fill('input[name=email]', `${randomUUID()}@example.hr`)
  await page.click('main form button')
  await Promise.all([page.waitForURL(/link$/), page.click('#ask-yes')])
}

async function setUpSecondStep(page: Page): Promise<void> {
  const secret = await page.inputValue('input[name=secret]')
  await page.fill('input[name=code]', codeOf(secret))
  await Promise.all([page.waitForURL(/recovery-codes/), page.click('main form button')])
}

/** The page of a link, below `/dashboard`. */
async function passwordLink(gateway: Gateway): Promise<string> {
  const admin = await dashboardOf(gateway).as('admin')
  const form = { email: 'iva@example.hr', role: 'viewer', language: 'hr' }
  const { to } = await admin.submit('/dashboard/users/invite', form, '/dashboard/users/invitations')
  return String(/\/password\/[\w-]+/.exec((await admin.get(String(to))).text))
}

/** @param before paths that are opened before the sign-in */
async function look(
  browser: Browser,
  gateway: Gateway,
  language: 'hr' | 'en',
  paths: Wanted[],
  before: string[] = [],
): Promise<string[]> {
  const visitor = await browser.visitor({ language })
  const found: string[] = []
  for (const path of ['/sign-in', ...before]) found.push(...(await faultsOf(visitor, path, LOOKS[language])))
  await signInAs(gateway, visitor.page, language)
  for (const path of paths) found.push(...(await faultsOf(visitor, path, LOOKS[language])))
  await visitor.context.close()
  return [...found, ...browser.faults.splice(0)]
}

describe.skipIf(skipWithout('chromium'))('for everybody, at a desk and at 320 pixels, light and dark', () => {
  test.each(['hr', 'en'] as const)(
    'every page of a gateway can be read and used, in %s',
    { timeout: 400_000 },
    async (language) => {
      const gateway = await startGateway()
      const sold = await gateway.sell()
      await gateway.cis.goDown()
      const waiting = await gateway.sell()
      const browser = await openBrowser(gateway, onTestFinished)
      const other = await gateway.admin('/admin/users', { body: { name: 'other', password: 'a long password' } })
      const found = await look(
        browser,
        gateway,
        language,
        [
          '',
          '/invoices',
          `/invoices?q=${encodeURIComponent('1/POSL1/101')}`,
          `/invoices/${sold.id}`,
          `/invoices/${sold.id}/correct`,
          `/invoices/${sold.id}/correct?payment_method=K`,
          `/invoices/${waiting.id}`,
          '/invoices/failed',
          '/devices',
          '/devices?sort=name',
          { path: '/devices', act: askForGroup },
          { path: '/devices', act: askForSetting },
          { path: '/invoices', act: printCopies },
          { path: '/invoices', act: runCopies },
          '/jobs',
          '/jobs/isu',
          { path: '/jobs/isu', act: sendUnfilled },
          '/jobs/hours',
          '/devices/new',
          '/devices/isu',
          '/devices/import',
          `/devices/${gateway.deviceId}`,
          `/devices/${gateway.deviceId}/edit`,
          `/devices/${gateway.deviceId}/settings`,
          `/devices/${gateway.deviceId}/hours`,
          '/companies',
          '/companies/new',
          `/companies/${gateway.companyId}`,
          `/companies/${gateway.companyId}/edit`,
          `/companies/${gateway.companyId}/settings`,
          '/alerts',
          '/export',
          '/keys',
          '/keys/new',
          { path: '/keys/new', act: makeKey },
          '/keys/none/made',
          '/users',
          '/users/new',
          '/users/invite',
          { path: '/users/invite', act: sendUnfilled },
          { path: '/users/invite', act: invite },
          { path: '/users/new', act: sendUnfilled },
          { path: '/devices/new', act: sendUnfilled },
          { path: '/account', act: sendUnfilled },
          `/users/${other.body.id}`,
          '/audit',
          '/settings',
          '/account',
          '/account/second-factor',
          '/account/recovery-codes',
          { path: '/account/second-factor', act: setUpSecondStep },
          '/account',
        ],
        ['/forgotten', await passwordLink(gateway)],
      )
      expect(found).toEqual([])
    },
  )

  test('the pages of closings and of their mails can be read and used', { timeout: 300_000 }, async () => {
    const mailServer = await startMailServer()
    const office = await startDashboard({ FISKD_SMTP_URL: mailServer.url })
    await office.sell()
    office.clock.aheadMs += 86_400_000
    const operator = await office.as('operator')
    const [list, schedules] = ['/dashboard/closings', '/dashboard/closings/schedules']
    await operator.submit(`${list}?unit=day`, {}, list)
    const schedule = { unit: 'day', company: '', mode: 'test', to: 'knjige@example.hr', language: 'hr' }
    await operator.submit(`${schedules}/new`, schedule, schedules)
    const idOn = async (page: string) =>
      new RegExp(`${page}/([0-9a-f-]{36})"`).exec((await operator.get(`${page}?unit=day`)).text)?.[1]
    const browser = await openBrowser(office, onTestFinished)
    const found = await look(browser, office, 'hr', [
      '/closings',
      '/closings?by=group',
      '/closings?unit=month',
      { path: '/closings?unit=day', act: sendUnfilled },
      `/closings/${await idOn(list)}`,
      '/closings/schedules',
      '/closings/schedules/new',
      { path: '/closings/schedules/new', act: sendUnfilled },
      `/closings/schedules/${await idOn(schedules)}`,
    ])
    expect(found).toEqual([])
  })

  test('every page of a central server can be read and used', { timeout: 300_000 }, async () => {
    const { server, ...central } = await startCentral()
    const gateway = await startGateway()
    await central.enroll(gateway, 'Zagreb')
    const { id } = await gateway.sell()
    await told(gateway)
    const browser = await openBrowser(server, onTestFinished)
    const pages = [
      '',
      '/gateways',
      '/gateways/new',
      '/gateways/Zagreb',
      '/invoices',
      `/invoices/${id}`,
      '/devices',
      `/devices/${gateway.deviceId}`,
      ...['stolen', 'moved', 'sold', 'replaced'].map((guide) => `/devices/${gateway.deviceId}/${guide}`),
      '/devices/new',
      '/companies',
      `/companies/${gateway.companyId}`,
      '/alerts',
    ]
    for (const language of ['hr', 'en'] as const) expect(await look(browser, server, language, pages)).toEqual([])
  })

  test('every page of an office of 632 machines can be read and used', { timeout: 600_000 }, async () => {
    const fleet = await storeOfficeFleet(632, await tempDir())
    const server = await startOffice(fleet)
    const [machine, broken] = [fleet.machines[3], fleet.lacking[0]]
    const browser = await openBrowser(server, onTestFinished)
    const found = await look(browser, server, 'hr', [
      '',
      '/not-earning',
      '/devices',
      '/devices?state=isu&sort=name',
      `/devices/${machine?.device.id}`,
      `/devices/${broken?.device.id}`,
      `/devices/${machine?.device.id}/stolen`,
      { path: '/devices', act: askForGroup },
      '/invoices',
      '/invoices?status=failed',
      '/invoices/failed',
      `/invoices/${fleet.refused[0]}`,
      '/closings',
      '/companies',
      `/companies/${fleet.companies[1]?.id}`,
      '/gateways',
      `/gateways/${encodeURIComponent(machine?.record.name ?? '')}`,
      '/alerts',
      '/export',
      '/users',
      '/users/invite',
      '/audit',
      '/search?q=Zagreb',
      '/search?q=7,30',
    ])
    expect(found).toEqual([])
  })

  test('what no page may do is noticed: a script or a picture from elsewhere, an error, a barrier', async () => {
    const gateway = await startGateway()
    const browser = await openBrowser(gateway, onTestFinished)
    const { page, open } = await browser.visitor()
    await open('/sign-in')
    expect(browser.faults).toEqual([])
    await page.evaluate(`
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.in = 1' }))
      const picture = Object.assign(document.createElement('img'), { src: 'https://elsewhere.example/a.png' })
      const wide = Object.assign(document.createElement('p'), { textContent: 'x'.repeat(500) })
      document.querySelector('main').append(picture, wide)
      setTimeout(() => { throw new Error('broken') })
    `)
    await expect.poll(() => browser.faults.filter((fault) => fault.startsWith('policy: ')).length).toBe(2)
    await expect.poll(() => browser.faults.join()).toContain('script: broken')
    expect(await page.evaluate('window.in')).toBeUndefined()
    expect((await barriers(page)).join()).toContain('image-alt')
    expect((await overhangs(page)).join()).toContain('wider than the screen by')
  })
})
