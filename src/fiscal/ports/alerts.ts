import type { AlertState } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { JsonObject } from './model.ts'

/** Something that somebody should know: raised once, however often it is noticed, until it is resolved. */
export interface Alert {
  id: string
  tenantId: string
  /** Whose it is, as `Invoice.gatewayId`. */
  gatewayId: string
  /** What is wrong, such as `gateway_silent`. */
  kind: string
  /** What it is wrong with: an id. */
  subject: string
  detail: JsonObject
  raisedAt: EpochMs
  acknowledgedAt: EpochMs | null
  acknowledgedBy: string | null
  resolvedAt: EpochMs | null
}

export interface AlertFilter {
  tenantId: string
  state?: AlertState | undefined
  kind?: string | undefined
}

export interface Alerts {
  /** @returns false when it is raised already, and nothing is changed then */
  raise(alert: Pick<Alert, 'id' | 'tenantId' | 'kind' | 'subject' | 'detail' | 'raisedAt'>): Promise<boolean>
  /** Says more of one of our own that goes on. */
  restate(id: string, detail: JsonObject): Promise<void>
  /** @returns false when it was not raised */
  resolve(kind: string, subject: string, at: EpochMs): Promise<boolean>
  /** Our own that are not resolved, the oldest first. @param tenantId null for those of all tenants */
  open(tenantId: string | null): Promise<Alert[]>
  get(id: string): Promise<Alert | undefined>
  /** With those of gateways, the latest first. */
  list(filter: AlertFilter, slice: { limit: number; after?: { at: EpochMs; id: string } | undefined }): Promise<Alert[]>
  /** Of those in the state `open`, with those of gateways. @param tenantId null for those of all tenants */
  standing(tenantId: string | null): Promise<Pick<Alert, 'kind' | 'detail'>[]>
  /** The latest of our own, resolved or not. Reads the tenant's alerts backwards until it is found. */
  latest(tenantId: string, kind: string, subject: string): Promise<Alert | undefined>
  /** Somebody knows; the first one counts. @returns false when it was acknowledged or is over */
  acknowledge(id: string, by: string, at: EpochMs): Promise<boolean>
}
