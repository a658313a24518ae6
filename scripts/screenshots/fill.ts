import type { Client } from '../../src/cli/daemon/client.ts'
import { ClosedPeriodSchema } from '../../src/contract/admin/closings.ts'
import { NewGatewaySchema } from '../../src/contract/admin/gateways.ts'
import { SyncSchema } from '../../src/contract/admin/sync.ts'
import { CertificateSchema, CompanySchema, DeviceSchema } from '../../src/contract/v1/fleet.ts'
import { COMPANIES, type CompanyName, saleOf, salesInHour, TOWNS, type Town } from './business.ts'
import type { Instance, ScreenshotEnvironment } from './environment.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export interface Filled {
  server: Instance
  /** A gateway, to see what is decided there. */
  kiosk: Instance
  /** At the gateway: confirmed, and waiting for its JIR. */
  invoices: { confirmed: string; waiting: string }
}

interface Shop {
  instance: Instance
  devices: string[]
  sold: number
}

/** Two days of business of three towns, with the troubles that such days have. @param today what "now" is on the pictures */
export async function fill(house: ScreenshotEnvironment, today: number): Promise<Filled> {
  const server = await house.open('ured', 'server')
  const zagreb = await openShop(house, server, TOWNS.zagreb, today)
  const split = await openShop(house, server, TOWNS.split, today)
  const rijeka = await openShop(house, server, TOWNS.rijeka, today)

  // Nearly four weeks ago, and nobody saw to it since.
  house.cis.misbehave('http-503', 'http-503')
  await sell(split)

  for (let at = today - 48 * HOUR_MS; at < today - HOUR_MS; at += HOUR_MS) {
    house.walkTo(at)
    const hoursLeft = Math.round((today - at) / HOUR_MS)
    if (hoursLeft === 27) await house.cis.goDown()
    if (hoursLeft === 25) {
      await house.cis.comeBack()
      for (const { instance } of [zagreb, rijeka]) await instance.daemon.sweep()
    }
    // What waits there for weeks would be sent with the rest.
    const selling = hoursLeft >= 25 && hoursLeft <= 27 ? [zagreb, rijeka] : [zagreb, split, rijeka]
    for (let n = salesInHour(hourInZagreb(at)); n > 0; n--) for (const shop of selling) await sell(shop)
    // As each minute, and as each night.
    for (const { instance } of [zagreb, split, rijeka]) await instance.daemon.watch()
    if (hourInZagreb(at) === 3) for (const { admin } of [zagreb.instance, rijeka.instance, server]) await backUp(admin)
  }

  // One machine was moved, and the tax authority knows it by another number.
  house.cis.registry = [
    { oib: COMPANIES.more.oib, premisesCode: 'KORZO', registerMark: '20051' },
    { oib: COMPANIES.more.oib, premisesCode: 'TOWER', registerMark: '20058' },
  ]
  await rijeka.instance.sell(saleOf(rijeka.devices[1] ?? '', 1))
  house.cis.registry = null
  await rijeka.instance.daemon.watch()
  await told(rijeka.instance)
  // Somebody has pulled the plug.
  await rijeka.instance.close()

  house.walkTo(today)
  const confirmed = await sell(zagreb)
  house.cis.misbehave('http-503', 'http-503')
  const waiting = await sell(zagreb)
  for (const { instance } of [zagreb, split]) await instance.daemon.watch()
  for (const { instance } of [zagreb, split]) await told(instance)
  await server.daemon.watch()
  // Of yesterday.
  await server.admin.post('/admin/closings', ClosedPeriodSchema, { mode: 'test' })
  return { server, kiosk: zagreb.instance, invoices: { confirmed, waiting } }
}

async function sell(shop: Shop): Promise<string> {
  shop.sold++
  return shop.instance.sell(saleOf(shop.devices[shop.sold % shop.devices.length] ?? '', shop.sold))
}

async function openShop(house: ScreenshotEnvironment, server: Instance, town: Town, today: number): Promise<Shop> {
  const instance = await house.open(town.name.toLowerCase(), 'gateway')
  const company = await instance.admin.post('/v1/companies', CompanySchema, {
    ...COMPANIES[town.company],
    mode: 'test',
  })
  await upload(house, instance, company.id, town.company, today)
  const devices: string[] = []
  for (const { isu_number, ...machine } of town.machines) {
    const body = { company_id: company.id, ...machine, ...(isu_number && { isu_number }) }
    const { id } = await instance.admin.post('/v1/devices', DeviceSchema, body)
    if (isu_number) devices.push(id)
  }
  const { token } = await server.admin.post('/admin/gateways', NewGatewaySchema, { name: town.name })
  await instance.admin.post('/admin/sync/enroll', SyncSchema, { url: server.url, token })
  return { instance, devices, sold: 0 }
}

/** One of the two certificates ends soon. */
async function upload(
  { cis }: ScreenshotEnvironment,
  instance: Instance,
  companyId: string,
  company: CompanyName,
  today: number,
) {
  const { oib, name } = COMPANIES[company]
  const notAfter = new Date(today + (company === 'more' ? 12 : 400) * DAY_MS)
  const { p12, passphrase } = await cis.pki.issueCompany({ oib, name, notAfter })
  const form = new FormData()
  form.set('company_id', companyId)
  form.set('file', new Blob([new Uint8Array(p12)]), 'certifikat.p12')
  form.set('passphrase', passphrase)
  await instance.admin.upload('/v1/certificates', CertificateSchema, form)
}

async function backUp(admin: Client): Promise<void> {
  const { body } = await admin.download('/admin/backup')
  await body.forEach(() => {})
}

/** Waits until the server knows everything. */
async function told({ admin, name }: Instance): Promise<void> {
  for (let look = 0; look < 600; look++) {
    if (look % 20 === 0) await admin.post('/admin/sync/now', SyncSchema)
    const { sync } = await admin.get('/admin/sync', SyncSchema)
    if (sync?.waiting === 0 && sync.state === 'connected') return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${name} has not told the server everything`)
}

function hourInZagreb(at: number): number {
  return Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Zagreb', hour: '2-digit', hour12: false }).format(at),
  )
}
