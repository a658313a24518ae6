import { setImmediate } from 'node:timers/promises'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { ApiKey, Company, Device } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { few, type HealthCheck, skippedAfter } from './doctor.ts'

/** Devices per query. */
const BATCH = 200

/** Whether everything that a sale needs exists: a company, a device, its ISU number, an API key for its firmware. */
export function setupChecks(
  store: Pick<StoreTransaction, 'apiKeys' | 'companies' | 'devices' | 'gateways' | 'tenants'>,
): HealthCheck[] {
  return [{ name: 'set-up', run: examine }]

  async function examine(): Promise<Check[]> {
    const companies = (await store.companies.ours()).filter(({ status }) => status === 'active')
    if (companies.length === 0 && (await store.gateways.count()) > 0) {
      const check = fine('companies', 'none of its own: this server collects what its gateways sell')
      return [check, ...['devices', ...FURTHER].map((name) => skippedAfter(name, 'companies'))]
    }
    if (companies.length === 0) {
      const fix = 'sudo fisk init'
      const check = failure('companies', 'there is no active company: nothing can be sold', fix)
      return [check, ...['devices', ...FURTHER].map((name) => skippedAfter(name, 'companies'))]
    }
    const devices = await activeDevices(companies)
    const company = fine('companies', `${companies.length} active`)
    if (devices.length === 0) {
      const fix = 'fisk device add --company OIB --premises CODE --label LABEL'
      const check = failure('devices', 'there is no active device: nothing can be sold', fix)
      return [company, check, ...FURTHER.map((name) => skippedAfter(name, 'devices'))]
    }
    const keys = await liveKeys()
    return [
      company,
      fine('devices', `${devices.length} active`),
      numbersCheck(devices),
      registrationCheck(devices.map(({ device }) => device)),
      keysCheck(devices, keys),
    ]
  }

  async function activeDevices(companies: Company[]): Promise<Owned[]> {
    const found: Owned[] = []
    const byId = new Map(companies.map((company) => [company.id, company]))
    const filter = { tenantId: null, mode: null, companyIds: null, ours: true, status: 'active' } as const
    for (let after: { at: number; id: string } | undefined; ; ) {
      const batch = await store.devices.list(filter, { limit: BATCH, after })
      for (const device of batch) {
        const company = byId.get(device.companyId)
        if (company) found.push({ device, company })
      }
      const last = batch.at(-1)
      if (!last || batch.length < BATCH) return found
      after = { at: last.createdAt, id: last.id }
      await setImmediate()
    }
  }

  async function liveKeys(): Promise<ApiKey[]> {
    const keys: ApiKey[] = []
    for (const { id } of await store.tenants.list()) keys.push(...(await store.apiKeys.list(id)))
    return keys.filter(({ revokedAt, scopes }) => revokedAt === null && scopes.includes('invoices:write'))
  }
}

interface Owned {
  device: Device
  company: Company
}

const FURTHER = ['ISU numbers', 'ISU registration', 'API keys'] as const

function numbersCheck(devices: Owned[]): Check {
  const name = 'ISU numbers'
  const attended = ({ device, company }: Owned) =>
    (device.deviceConfig.sale_type ?? company.fiscalConfig.sale_type) === 'attended'
  const without = devices.filter((owned) => owned.device.isuNumber === null && !attended(owned))
  if (without.length === 0) return fine(name, 'every device that needs one has one')
  const fix =
    'register the premises of the device in the portal of the tax authority (ePorezna), which gives the number; ' +
    'then: fisk isu set LABEL NUMBER'
  const labels = few(without.map(({ device }) => device.label))
  if (without.length === devices.length) return failure(name, `no device can sell, all lack theirs: ${labels}`, fix)
  return warning(name, `cannot sell for want of theirs: ${labels}`, fix)
}

function registrationCheck(devices: Device[]): Check {
  const name = 'ISU registration'
  const refused = devices.filter(({ isuStatus }) => isuStatus === 'mismatch')
  if (refused.length === 0) return fine(name, 'CIS has objected to none')
  const which = refused.map((device) => `${device.label} (premises ${device.premisesCode}, ISU ${device.isuNumber})`)
  return failure(
    name,
    `CIS knows other data (codes 182 to 184) of ${few(which)}`,
    'compare premises code and ISU number with the portal of the tax authority (ePorezna), correct what is wrong, and ' +
      'enter the right number: fisk isu set LABEL NUMBER; a sale that was refused keeps what it was made with: if the ' +
      'portal was wrong, then: fisk invoice retry --failed --code upstream_rejected',
  )
}

function keysCheck(devices: Owned[], keys: ApiKey[]): Check {
  const name = 'API keys'
  // A fleet has as many keys as machines, so look up each machine instead of comparing it with all keys.
  const places = new Set(keys.map(({ tenantId, mode, deviceId }) => JSON.stringify([tenantId, mode, deviceId])))
  const hasKey = ({ device, company }: Owned) =>
    [null, device.id].some((id) => places.has(JSON.stringify([device.tenantId, company.mode, id])))
  const without = devices.filter((owned) => !hasKey(owned))
  if (without.length === 0) return fine(name, 'there is one for every device')
  const modes = [...new Set(without.map(({ company }) => company.mode))]
  const labels = few(without.map(({ device }) => device.label))
  const fix = modes.map((mode) => `fisk key create --mode ${mode}`).join(', ')
  return warning(name, `no key lets the firmware of these sell: ${labels}`, fix)
}
