import type { Page } from 'playwright-core'
import type { Filled } from './fill.ts'

/** A page to take a picture of. */
export interface Shot {
  name: string
  /** Below `/dashboard`. */
  path: string
  /** Of the server's dashboard unless it says otherwise. */
  at?: 'kiosk'
  /** What is done on the page before. */
  prepare?(page: Page): Promise<void>
}

/** Every page, with what people see most on it. */
export function shotsOf({ invoices }: Filled, ids: { device: string; company: string; gateway: string }): Shot[] {
  const kiosk = 'kiosk' as const
  return [
    { name: 'overview', path: '' },
    { name: 'overview-gateway', path: '', at: kiosk },
    { name: 'not-earning', path: '/not-earning' },
    { name: 'search', path: '/search?q=kav' },
    { name: 'invoices', path: '/invoices' },
    { name: 'invoices-refused', path: '/invoices/failed' },
    { name: 'invoice-confirmed', path: `/invoices/${invoices.confirmed}`, at: kiosk },
    { name: 'invoice-waiting', path: `/invoices/${invoices.waiting}`, at: kiosk },
    { name: 'devices', path: '/devices' },
    { name: 'device', path: `/devices/${ids.device}`, at: kiosk },
    { name: 'machine', path: '/devices', prepare: openFirst('tbody th a') },
    { name: 'devices-isu', path: '/devices/isu' },
    { name: 'devices-isu-file', path: '/jobs/isu' },
    { name: 'closings', path: '/closings' },
    { name: 'closing', path: '/closings', prepare: openFirst('tbody th[scope=row] a') },
    { name: 'closing-schedules', path: '/closings/schedules' },
    { name: 'jobs', path: '/jobs' },
    { name: 'job-question', path: '/invoices?status=failed', prepare: askForAll('retry') },
    { name: 'devices-import', path: '/devices/import', at: kiosk },
    { name: 'companies', path: '/companies' },
    { name: 'company', path: `/companies/${ids.company}`, at: kiosk },
    { name: 'gateways', path: '/gateways' },
    { name: 'gateway', path: `/gateways/${ids.gateway}` },
    { name: 'alerts', path: '/alerts' },
    { name: 'alert', path: '/alerts', prepare: openFirst('table a') },
    { name: 'export', path: '/export' },
    { name: 'keys', path: '/keys', at: kiosk },
    { name: 'key-new', path: '/keys/new', at: kiosk },
    { name: 'users', path: '/users' },
    { name: 'user-new', path: '/users/new' },
    { name: 'user-invite', path: '/users/invite' },
    { name: 'audit', path: '/audit' },
    { name: 'settings', path: '/settings' },
    { name: 'account', path: '/account' },
    { name: 'second-factor', path: '/account/second-factor' },
  ]
}

function openFirst(selector: string) {
  return async (page: Page) => {
    await page.locator(selector).first().click()
    await page.waitForLoadState()
  }
}

/** What is asked before work on all rows of a list. */
function askForAll(work: string) {
  return async (page: Page) => {
    await page.locator('input[name=ids]').first().check()
    await page.locator('input[name=all]').check()
    await openFirst(`button[name=work][value=${work}]`)(page)
  }
}
