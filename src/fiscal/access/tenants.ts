import { conflict } from '../../domain/errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tenant } from '../ports/rows/access.ts'
import { Duplicate, type Store } from '../ports/store.ts'
import { audit } from './audit-log.ts'
import type { Principal } from './principal.ts'

/**
 * Creates a tenant; other tenants cannot see its companies and keys. Its id is its name.
 * @throws FiskError 409 when it exists
 */
export async function addTenant(
  { store, clock }: { store: Pick<Store, 'transaction'>; clock: Clock },
  operator: Principal,
  name: string,
): Promise<Tenant> {
  const tenant = { id: name, name, createdAt: clock.now() }
  try {
    await store.transaction(async (tx) => {
      await tx.tenants.insert(tenant)
      await audit(tx, operator, tenant.createdAt, 'tenant.added', { name })
    })
  } catch (error) {
    if (error instanceof Duplicate) throw conflict('name', `there is already a tenant ${name}`)
    throw error
  }
  return tenant
}
