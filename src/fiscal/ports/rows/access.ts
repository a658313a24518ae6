import type { EpochMs } from '../../../domain/instant.ts'
import type { ApiKey, AuditEntry, Session, User } from '../model.ts'
import type { Slice } from './lists.ts'

/** The tenant that the first start makes and that the local operator works for; its id and its name. */
export const DEFAULT_TENANT = 'default'

export interface ApiKeyRows {
  insert(key: ApiKey): Promise<void>
  byHash(hash: string): Promise<ApiKey | undefined>
  get(id: string): Promise<ApiKey | undefined>
  /** The oldest first. */
  list(tenantId: string): Promise<ApiKey[]>
  /** Its first revocation counts. */
  revoke(id: string, at: EpochMs): Promise<void>
}

export interface TenantRows {
  insert(tenant: Tenant): Promise<void>
  get(id: string): Promise<Tenant | undefined>
  list(): Promise<Tenant[]>
}

export interface UserRows {
  insert(user: User): Promise<void>
  get(id: string): Promise<User | undefined>
  named(name: string): Promise<User | undefined>
  list(tenantId: string): Promise<User[]>
  update(id: string, changes: Partial<Omit<User, 'id' | 'tenantId' | 'name' | 'createdAt'>>): Promise<void>
  /** @returns false when this step or a later one was taken already */
  takeTotpStep(id: string, step: number): Promise<boolean>
  /** Its sessions end with it. */
  remove(id: string): Promise<void>
}

export interface SessionRows {
  insert(session: Session): Promise<void>
  get(hash: string): Promise<Session | undefined>
  /** Counts a code that is tried. @returns false when so many were tried already */
  countCode(hash: string, most: number): Promise<boolean>
  /** Every session of a user but this one. */
  removeOthers(userId: string, hash: string): Promise<void>
  remove(hash: string): Promise<void>
  removeExpired(now: EpochMs): Promise<void>
}

export interface AuditRows {
  insert(entry: AuditEntry): Promise<void>
  /** The newest first. */
  list(tenantId: string, slice: Slice): Promise<AuditEntry[]>
  /** When something was last done, by any tenant; null for never. Reads the whole log. */
  latest(action: string): Promise<EpochMs | null>
  /** How often something was done, by any tenant, in entries of this id or a later one. Reads what was logged since. */
  countFrom(action: string, firstId: string): Promise<number>
}

/** Whose companies, devices, keys and users they are. Tenants know nothing of each other. */
export interface Tenant {
  id: string
  name: string
  createdAt: EpochMs
}
