import { StatusSchema } from '../../contract/admin/status.ts'
import { CompanySchema, type CompanyView, DeviceList, type DeviceView } from '../../contract/v1/fleet.ts'
import { companyIdOf } from '../../domain/company-id.ts'
import { isOib } from '../../domain/oib.ts'
import { clash, missing, wrongUse } from '../failure.ts'
import { table } from '../text/table.ts'
import type { Client, Patience } from './client.ts'
import { pages } from './lists.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function companyId(reference: string): string {
  const isAnOib: boolean = isOib(reference)
  if (isAnOib) return companyIdOf(reference)
  if (UUID.test(reference)) return reference.toLowerCase()
  throw wrongUse(
    'company',
    `"${reference}" names no company: it is neither an OIB (11 digits, the last one a check digit) nor a company id.`,
  )
}

/** The devices that carry a label, or the one with that id. */
export async function devicesNamed(client: Client, reference: string, patience?: Patience): Promise<DeviceView[]> {
  const { data } = await client.get(`/admin/devices?ref=${encodeURIComponent(reference)}`, DeviceList, patience)
  const exact = data.filter((device) => device.id === reference)
  return exact.length > 0 ? exact : data
}

/** The one device that a label or id names. Labels are unique only within a company. */
export async function deviceNamed(client: Client, reference: string, patience?: Patience): Promise<DeviceView> {
  const found = await devicesNamed(client, reference, patience)
  const [device] = found
  if (device === undefined) {
    throw missing(
      'device',
      `No device has the label or id "${reference}".`,
      'Labels are compared letter by letter: fisk device list',
    )
  }
  if (found.length === 1) return device
  throw clash(
    'device',
    `${found.length} devices carry the label "${reference}":\n${await describe(client, found)}`,
    'Name the device by its id.',
  )
}

async function describe(client: Client, devices: DeviceView[]): Promise<string> {
  const { companies } = await client.get('/admin/status', StatusSchema)
  const names = new Map(companies.map((company) => [companyIdOf(company.oib), company.name]))
  const columns = [{ head: 'Id', width: 36 }, { head: 'Company' }, { head: 'Premises', width: 20 }]
  const rows = devices.map(({ id, company_id, premises_code }) => [id, names.get(company_id) ?? '', premises_code])
  return table(columns, rows).trimEnd()
}

export async function companyNamed(client: Client, reference: string): Promise<CompanyView> {
  const id = companyId(reference)
  for await (const { data } of pages(client, '/v1/companies', CompanySchema)) {
    const found = data.find((company) => company.id === id)
    if (found) return found
  }
  throw missing('company', `There is no company ${reference}.`, 'See them all: fisk company list')
}
