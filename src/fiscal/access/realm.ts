import type { Context } from '../context.ts'
import type { Realm } from '../ports/rows/lists.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { audit } from './audit-log.ts'
import type { Principal } from './principal.ts'

/** `all_tenants` only counts for platform administrators, and is logged (docs/spec/interface.md, GET /v1/companies). */
export async function realmOf(
  { store, clock }: Context,
  principal: Principal,
  allTenants: boolean,
  list: string,
): Promise<Realm> {
  const { tenantId, mode, companyIds } = principal
  if (!allTenants || !principal.isPlatformAdmin) return { tenantId, mode, companyIds }
  await audit(store, principal, clock.now(), 'all_tenants.read', { list })
  return { tenantId: null, mode, companyIds }
}

/** The company of the device that a key is bound to; undefined for an unbound key. */
export async function boundCompanyOf(store: StoreTransaction, { deviceId }: Principal): Promise<string | undefined> {
  return deviceId === null ? undefined : (await store.devices.get(deviceId))?.companyId
}
