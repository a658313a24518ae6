import { beforeAll, expect, test } from 'vitest'
import { texts } from '../../src/dashboard/texts.ts'
import { type Office, startSharedDashboard } from '../support/dashboard.ts'
import { OIBS } from '../support/pki.ts'

let office: Office
beforeAll(async () => {
  office = await startSharedDashboard()
})

const { mode, groups, navigation } = texts.hr
/** What the bar above the page says. */
const barOf = (html: string) => /<aside class="test"[^>]*>(.*?)<\/aside>/s.exec(html)?.[1] ?? ''

test('a bar above each page says that its invoices are not real, and nobody sees it before a sign-in', async () => {
  const viewer = await office.as('viewer')
  for (const path of ['', '/invoices', '/devices', '/alerts', '/export', '/account']) {
    const bar = barOf((await viewer.get(`/dashboard${path}`)).text)
    expect([path, bar]).toEqual([path, expect.stringContaining(mode.test)])
    expect(bar).not.toContain(mode.live)
  }
  expect(barOf((await office.browser().get('/dashboard/sign-in')).text)).toBe('')
})

test('a page of live mode only has no bar, and where both modes are the bar names both', async () => {
  const viewer = await office.as('viewer')
  const before = office.clock.aheadMs
  const body = {
    oib: OIBS[1],
    name: 'Prava d.o.o.',
    mode: 'live',
    address: {},
    vat_registered: true,
    fiscal_config: {},
  }
  const made = await office.admin('/v1/companies', { body })
  expect(made.status, made.text).toBe(201)
  office.clock.aheadMs = before + 20_000
  const shown = async (path: string) => {
    const bar = barOf((await viewer.get(`/dashboard${path}`)).text)
    return (['live', 'test'] as const).filter((one) => bar.includes(mode[one]))
  }
  expect(await shown('/devices')).toEqual(['live', 'test'])
  expect(await shown(`/companies/${made.body.id}`)).toEqual([])
  expect(await shown(`/companies/${office.companyId}`)).toEqual(['test'])
  expect(await shown('?mode=test')).toEqual(['test'])
})

test('the menu has first what people do, and below it what they administer', async () => {
  const { text } = await (await office.as('admin')).get('/dashboard/devices')
  const menu = /<nav class="side".*?<\/nav>/s.exec(text)?.[0] ?? ''
  const places = [navigation.overview, navigation.invoices, navigation.devices, navigation.companies, groups.manage]
  const found = [...places, navigation.alerts, navigation.users].map((name) => menu.indexOf(`>${name}<`))
  expect(found).not.toContain(-1)
  expect(found).toEqual(found.toSorted((one, other) => one - other))
  expect(menu.match(/aria-current="page">([^<]*)/g)).toEqual([`aria-current="page">${navigation.devices}`])
})
