import type { EpochMs } from '../../../domain/instant.ts'
import type { ApiKey, AuditEntry, PasswordLink, Session, User } from '../model.ts'
import type { Slice } from './lists.ts'

/** The tenant that the first start creates and that the local operator works for; its id and its name. */
export const DEFAULT_TENANT = 'default'

export interface ApiKeyRows {
  insert(key: ApiKey): Promise<void>
  byHash(hash: string): Promise<ApiKey | undefined>
  get(id: string): Promise<ApiKey | undefined>
  /** The oldest first. */
  list(tenantId: string): Promise<ApiKey[]>
  /** Stores the first revocation. @returns false when the key was revoked already */
  revoke(id: string, at: EpochMs): Promise<boolean>
}

export interface TenantRows {
  insert(tenant: Tenant): Promise<void>
  get(id: string): Promise<Tenant | undefined>
  list(): Promise<Tenant[]>
}

/** The name of the operator that the pages of a tenant show; null for none. */
export interface BrandingRows {
  get(tenantId: string): Promise<string | null>
  put(tenantId: string, name: string | null): Promise<void>
}

export interface UserRows {
  /**
   * A name is one user's over all tenants. That of a user of another tenant is stored too, and nobody signs in with it.
   * @returns the user of another tenant who has the name
   * @throws Duplicate when a user of the tenant has it
   */
  insert(user: User): Promise<User | undefined>
  get(id: string): Promise<User | undefined>
  named(name: string): Promise<User | undefined>
  /** The user of a tenant with a name, also one who cannot sign in with it. */
  namedIn(tenantId: string, name: string): Promise<User | undefined>
  list(tenantId: string): Promise<User[]>
  update(id: string, changes: Partial<Omit<User, 'id' | 'tenantId' | 'name' | 'createdAt'>>): Promise<void>
  /** @returns false when this step or a later one was already used */
  takeTotpStep(id: string, step: number): Promise<boolean>
  /** Removes the user, their sessions, link and recovery codes. */
  remove(id: string): Promise<void>
}

export interface SessionRows {
  insert(session: Session): Promise<void>
  get(hash: string): Promise<Session | undefined>
  /** Counts one try of a code. @returns false when `most` tries were already made */
  countCode(hash: string, most: number): Promise<boolean>
  /** Removes every session of a user except this one. */
  removeOthers(userId: string, hash: string): Promise<void>
  remove(hash: string): Promise<void>
  removeExpired(now: EpochMs): Promise<void>
}

export interface PasswordLinkRows {
  /** Replaces the user's earlier link. */
  put(link: PasswordLink): Promise<void>
  byHash(hash: string): Promise<PasswordLink | undefined>
  of(userId: string): Promise<PasswordLink | undefined>
  remove(userId: string): Promise<void>
}

/** Hashes of the codes that replace the phone of a user's second factor. */
export interface RecoveryCodeRows {
  replace(userId: string, hashes: readonly string[]): Promise<void>
  /** Uses a code up. @returns false when the user has no such code, or none any more */
  take(userId: string, hash: string): Promise<boolean>
  count(userId: string): Promise<number>
}

/** Filters combine with AND; undefined fields do not filter. */
export interface AuditFilter {
  actor?: string | undefined
  /** Beginnings of actions, such as `device`. */
  areas?: readonly string[] | undefined
  /** Ids: an entry has one of each group in its detail. */
  about?: readonly (readonly string[])[]
  from?: EpochMs | undefined
  to?: EpochMs | undefined
  /** Without what bulk jobs did row by row. */
  withoutJobs?: boolean
}

export interface AuditRows {
  insert(entry: AuditEntry): Promise<void>
  /** The newest first. */
  list(tenantId: string, filter: AuditFilter, slice: Slice): Promise<AuditEntry[]>
  /** When an action was last logged, for any tenant; null if never. Reads the whole log. */
  latest(action: string): Promise<EpochMs | null>
  /** How many entries with this action have this id or a later one, for any tenant. Reads only those entries. */
  countFrom(action: string, firstId: string): Promise<number>
}

/** The owner of companies, devices, keys and users. Tenants cannot see each other's data. */
export interface Tenant {
  id: string
  name: string
  createdAt: EpochMs
}
