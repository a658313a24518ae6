import { conflict } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import type { Tenant } from '../ports/rows/access.ts'
import { Duplicate } from '../ports/store.ts'
import type { WiredAll } from '../wired.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { audit, auditLog } from './audit-log.ts'
import type { Principal } from './principal.ts'
import { addUser, companiesWithOibs, listUsers, removeUser } from './users.ts'

/** Creates a tenant whose id is its name; no other sees its companies and keys. @throws FiskError 409 if it exists */
async function addTenant({ store, clock }: Context, operator: Principal, name: string): Promise<Tenant> {
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

const listTenants = ({ store }: Pick<Context, 'store'>): Promise<Tenant[]> => store.tenants.list()

export const ACCESS_ADMIN = {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  addUser,
  listUsers,
  removeUser,
  companiesWithOibs,
  addTenant,
  listTenants,
  auditLog,
}

export type AccessAdmin = WiredAll<typeof ACCESS_ADMIN>
