import type { AlertState } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { JsonObject } from './model.ts'
import type { Realm, Slice } from './rows/lists.ts'

/** A problem that an operator should know about. It is raised once and stays until it is resolved. */
export interface Alert {
  id: string
  tenantId: string
  /** The gateway that reported it, as `Invoice.gatewayId`. */
  gatewayId: string
  /** The kind of problem, such as `gateway_silent`. */
  kind: string
  /** The id of the object that has the problem. */
  subject: string
  /** By `company_id` or `device_id` of the detail; null for none or several. Limited users only see their own. */
  companyId: string | null
  detail: JsonObject
  raisedAt: EpochMs
  acknowledgedAt: EpochMs | null
  acknowledgedBy: string | null
  resolvedAt: EpochMs | null
}

export interface AlertFilter {
  tenantId: string
  /** Only alerts about these companies; null for all alerts. */
  companyIds: readonly string[] | null
  state?: AlertState | undefined
  kind?: string | undefined
  /** An id in the detail, such as that of a device. */
  about?: string | undefined
}

export interface Alerts {
  /** @returns false when the same alert is already raised; then nothing changes */
  raise(alert: Pick<Alert, 'id' | 'tenantId' | 'kind' | 'subject' | 'detail' | 'raisedAt'>): Promise<boolean>
  /** Replaces the detail of an own alert that is not resolved. */
  restate(id: string, detail: JsonObject): Promise<void>
  /** @returns false when no such alert was raised */
  resolve(kind: string, subject: string, at: EpochMs): Promise<boolean>
  /** Own alerts that are not resolved, the oldest first. @param tenantId null for all tenants */
  open(tenantId: string | null): Promise<Alert[]>
  /** Alerts of one kind that are not resolved, own ones and those from gateways. */
  goingOn(tenantId: string, kind: string): Promise<Alert[]>
  get(id: string): Promise<Alert | undefined>
  /** Own alerts and alerts from gateways, the latest first. */
  list(filter: AlertFilter, slice: Slice): Promise<Alert[]>
  /** Alerts in the state `open`, own ones and those from gateways. */
  standing(of: Pick<Realm, 'tenantId' | 'companyIds'>): Promise<Pick<Alert, 'kind' | 'detail'>[]>
  /** The latest own alert of the kind and subject, resolved or not; reads the tenant's alerts backwards to find one. */
  latest(tenantId: string, kind: string, subject: string): Promise<Alert | undefined>
  /** Stores who has seen it; only the first call counts. @returns false when acknowledged before, or resolved */
  acknowledge(id: string, by: string, at: EpochMs): Promise<boolean>
}
