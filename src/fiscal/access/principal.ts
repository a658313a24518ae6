import { FiskError, notFound } from '../../domain/errors.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Role } from '../ports/model.ts'

export const SCOPES = [
  'invoices:write',
  'invoices:read',
  'fleet:read',
  'fleet:write',
  'certificates:write',
  'sync',
] as const
export type Scope = (typeof SCOPES)[number]

/** A firmware key only sells and looks up its sales. */
export const DEFAULT_SCOPES: readonly Scope[] = ['invoices:write', 'invoices:read']

export const ROLE_SCOPES: Record<Role, readonly Scope[]> = {
  viewer: ['invoices:read', 'fleet:read'],
  operator: ['invoices:read', 'fleet:read', 'invoices:write', 'fleet:write'],
  admin: ['invoices:read', 'fleet:read', 'invoices:write', 'fleet:write', 'certificates:write'],
}

export interface Principal {
  /** The API key or signed-in user, `operator` on the admin socket; also the scope of idempotency keys. */
  id: string
  tenantId: string
  /** The only mode it can access; null for both. */
  mode: Mode | null
  scopes: readonly string[]
  /** The only device it may sell for; null for any. */
  deviceId: string | null
  /** The only companies it may see and change (`reachesCompany`); null for all. Only signed-in users are limited. */
  companyIds: readonly string[] | null
  /** A signed-in user who may see companies and devices of all tenants; never an API key. */
  isPlatformAdmin: boolean
  /** The bulk job whose row it does. */
  jobId?: string
}

/** Of one that is limited by its scopes alone. */
export const UNLIMITED = { mode: null, deviceId: null, companyIds: null, isPlatformAdmin: false } as const

/** Whether the caller uses the admin socket; ids of users and keys are UUIDs. */
export const isLocalOperator = ({ id }: Pick<Principal, 'id'>): boolean => id.startsWith('operator')

/** Scopes that cannot be restricted to one device. */
const FLEET_WIDE: readonly string[] = ['fleet:write', 'certificates:write', 'sync'] satisfies Scope[]

export const isFleetWide = (scope: string): boolean => FLEET_WIDE.includes(scope)

/** @throws FiskError `insufficient_scope` */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.deviceId !== null && isFleetWide(scope)) {
    throw new FiskError('insufficient_scope', 'this key is bound to one device', { param: 'Authorization' })
  }
  if (!principal.scopes.includes(scope)) {
    throw new FiskError('insufficient_scope', `the scope ${scope} is needed for this`, { param: 'Authorization' })
  }
}

/** @throws FiskError `mode_mismatch` when the key's prefix selects the other mode. */
export function requireMode(principal: Principal, mode: Mode, param: string): void {
  if (principal.mode !== null && principal.mode !== mode) {
    throw new FiskError('mode_mismatch', `a ${principal.mode} key cannot reach a company in ${mode} mode`, { param })
  }
}

/** @throws FiskError `insufficient_scope` when the key is bound to another device. */
export function requireDevice(principal: Principal, deviceId: string): void {
  if (principal.deviceId !== null && principal.deviceId !== deviceId) {
    throw new FiskError('insufficient_scope', 'this key is bound to another device', { param: 'device_id' })
  }
}

type Limited = Pick<Principal, 'companyIds'>

/** Whether the rows of a company are shown to the principal; a row of no company (null) only without a limit. */
export function reachesCompany({ companyIds }: Limited, companyId: string | null): boolean {
  return companyIds === null || (companyId !== null && companyIds.includes(companyId))
}

/** Refuses another company's row exactly as a missing one, so that nothing is told about it. @throws FiskError 404 */
export function requireReach(principal: Limited, companyId: string, what: string, param = 'id'): void {
  if (!reachesCompany(principal, companyId)) throw notFound(param, `there is no such ${what}`)
}

/** A row of the principal's tenant and companies; others are refused as by `requireReach`. @throws FiskError 404 */
export function requireTheirs<Row extends { tenantId: string; companyId: string | null }>(
  principal: Pick<Principal, 'tenantId' | 'companyIds'>,
  row: Row | undefined,
  what: string,
  param = 'id',
): Row {
  if (row?.tenantId === principal.tenantId && reachesCompany(principal, row.companyId)) return row
  throw notFound(param, `there is no such ${what}`)
}

/** For what concerns all companies, such as users, keys and gateways. @throws FiskError `insufficient_scope` */
export function requireAllCompanies({ companyIds }: Limited): void {
  if (companyIds === null) return
  throw new FiskError('insufficient_scope', 'this account is limited to some companies', { param: 'Cookie' })
}

/** The key of a cached result that depends on the limit. */
export const limitKey = ({ companyIds }: Limited): string => (companyIds === null ? '*' : [...companyIds].sort().join())
