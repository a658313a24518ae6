import type { AlertView } from '../../fiscal/alerts/alerts.ts'
import { type GatewayState, type GatewaySummary, heardAt } from '../../fiscal/gateways/gateways.ts'
import type { GatewayTexts } from './texts.ts'

export const pathOf = (name: string) => `/dashboard/gateways/${encodeURIComponent(name)}`

const KINDS: Record<GatewayState, 'ok' | 'warn' | 'bad' | 'plain'> = {
  awaiting_token: 'warn',
  connected: 'ok',
  silent: 'bad',
  duplicated: 'bad',
  left: 'plain',
  revoked: 'plain',
}

export const STATES = Object.keys(KINDS) as GatewayState[]

export const stateBadge = (state: GatewayState, t: GatewayTexts) => ({ kind: KINDS[state], text: t.states[state] })

/** A row of the list. */
export function rowOf(summary: GatewaySummary, alerts: readonly AlertView[], t: GatewayTexts) {
  const { gateway, state } = summary
  const { name, heartbeat, enrolledAt } = gateway
  const isHeard = enrolledAt !== null
  return {
    name,
    path: pathOf(name),
    state: stateBadge(state, t),
    /** What it said last, which may be long ago. */
    sells: heartbeat && state === 'connected' ? heartbeat.can_sell : null,
    version: heartbeat?.version ?? null,
    waiting: heartbeat && heartbeat.queue.pending + heartbeat.queue.retrying,
    failed: heartbeat?.queue.failed ?? 0,
    unsent: heartbeat?.outbox.waiting ?? null,
    heardAt: isHeard ? heardAt(gateway) : null,
    alerts: alertsOf(summary, alerts).length,
  }
}

/** The alerts that it has sent, and those about it. */
export function alertsOf({ gateway }: GatewaySummary, alerts: readonly AlertView[]): AlertView[] {
  return alerts.filter(({ gatewayId, subject }) => gatewayId === gateway.id || subject === gateway.id)
}
