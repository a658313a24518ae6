import type { Reason } from '../../domain/errors.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import { realmOf } from '../access/realm.ts'
import type { Context } from '../context.ts'
import { type Page, pageOf } from '../list-page.ts'
import { type Company, type Device, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Realm, Slice } from '../ports/rows/lists.ts'
import type { CertificateInUse, DeviceCount, DeviceFilter } from '../ports/rows/registry.ts'
import type { ChainValidator, RevocationLists, TrustBundles } from '../ports/trust.ts'
import { findCompany, liveRefusal } from '../registry/companies.ts'
import { findDevice } from '../registry/devices.ts'

/** The owner of a row: the name of a gateway, or null for this database. */
export interface Owned {
  gateway: string | null
}

export interface DeviceFile extends Owned {
  device: Device
  company: Company
}

export interface ListedDevice extends Owned {
  device: Device
  companyName: string
}

export interface CompanyFile extends Owned {
  company: Company
  /** Devices of every status, including those from gateways. */
  devices: DeviceCount[]
  /** The gateways that sell for it, by name. */
  sellers: { id: string; name: string }[]
  /** What it signs with, here and at its gateways. */
  inUse: CertificateInUse[]
}

/** What a company still needs to go live. */
export interface LiveReadiness {
  /** Why the certificate is not suitable; null when it is. */
  certificate: Reason | null
  /** Unrevoked API keys of the live mode; test keys cannot access a live company. */
  liveKeys: number
}

export interface FleetDeps extends Context {
  chains: ChainValidator
  trust: TrustBundles & RevocationLists
}

/** More choices would not be usable in a list. */
const MOST_CHOICES = 500

export type FleetUseCases = ReturnType<typeof createFleet>

export function createFleet(deps: FleetDeps) {
  const { store } = deps
  const ownerOf = async ({ gatewayId }: { gatewayId: string }) =>
    gatewayId === LOCAL_GATEWAY ? null : ((await store.gateways.names([gatewayId])).get(gatewayId) ?? gatewayId)

  return {
    /** The oldest first. */
    async listDevices(
      principal: Principal,
      { allTenants, ...filter }: Omit<DeviceFilter, 'id' | keyof Realm> & { allTenants: boolean },
      slice: Slice,
    ): Promise<Page<ListedDevice>> {
      requireScope(principal, 'fleet:read')
      const realm = await realmOf(deps, principal, allTenants, 'devices')
      const { items, next } = await pageOf(
        slice,
        (wanted) => store.devices.list({ ...realm, ...filter }, wanted),
        ({ createdAt, id }) => ({ at: createdAt, id }),
      )
      const names = await store.gateways.names([...new Set(items.map(({ gatewayId }) => gatewayId))].filter(Boolean))
      const companies = new Map<string, string>()
      for (const id of new Set(items.map(({ companyId }) => companyId))) {
        companies.set(id, (await store.companies.get(id))?.name ?? id)
      }
      const listed = items.map((device) => ({
        device,
        companyName: companies.get(device.companyId) ?? device.companyId,
        gateway: device.gatewayId === LOCAL_GATEWAY ? null : (names.get(device.gatewayId) ?? device.gatewayId),
      }))
      return { items: listed, next }
    },

    /** @throws FiskError 404 */
    async findDevice(principal: Principal, deviceId: string): Promise<DeviceFile> {
      requireScope(principal, 'fleet:read')
      const device = await findDevice(store, principal, deviceId)
      const company = await store.companies.get(device.companyId)
      if (!company) throw new Error(`company ${device.companyId} is missing`)
      return { device, company, gateway: await ownerOf(device) }
    },

    /** @throws FiskError 404 */
    async findCompany(principal: Principal, companyId: string): Promise<CompanyFile> {
      requireScope(principal, 'fleet:read')
      const company = await findCompany(store, principal, companyId, 'id')
      const devices = await store.devices.counts(company.id)
      const sellers = new Set(devices.map(({ gatewayId }) => gatewayId))
      if (company.gatewayId !== LOCAL_GATEWAY) sellers.add(company.gatewayId)
      const names = await store.gateways.names([...sellers].filter((id) => id !== LOCAL_GATEWAY))
      return {
        company,
        gateway: await ownerOf(company),
        devices,
        sellers: [...names].map(([id, name]) => ({ id, name })).sort((a, b) => (a.name < b.name ? -1 : 1)),
        inUse: await store.certificates.inUse([company.id]),
      }
    },

    /** The companies that a new device may be assigned to, the oldest first. */
    async choices(principal: Principal): Promise<(Owned & { company: Company })[]> {
      requireScope(principal, 'fleet:read')
      const { tenantId, mode, companyIds } = principal
      const all = await store.companies.list({ tenantId, mode, companyIds }, { limit: MOST_CHOICES })
      const open = all.filter(({ status }) => status !== 'archived')
      return Promise.all(open.map(async (company) => ({ company, gateway: await ownerOf(company) })))
    },

    /** @throws FiskError 404 */
    async liveReadiness(principal: Principal, companyId: string): Promise<LiveReadiness> {
      requireScope(principal, 'fleet:read')
      const company = await findCompany(store, principal, companyId, 'id')
      const refusal = await liveRefusal(deps, store, company)
      const keys = await store.apiKeys.list(principal.tenantId)
      const liveKeys = keys.filter(({ mode, revokedAt }) => mode === 'live' && revokedAt === null).length
      return { certificate: refusal?.reason ?? null, liveKeys }
    },
  }
}
