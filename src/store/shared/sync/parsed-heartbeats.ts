import type { Heartbeat } from '../../../fiscal/ports/gateways.ts'

/** Beyond this many gateways all are forgotten. */
const MOST = 10_000

const known = new Map<string, { text: string; heartbeat: Heartbeat }>()

/** Parses the heartbeat of a gateway, each text once: a list of all gateways is read far more often than they report. */
export function parsedHeartbeat(gatewayId: string, text: string | null): Heartbeat | null {
  if (text === null) return null
  const before = known.get(gatewayId)
  if (before?.text === text) return before.heartbeat
  if (known.size >= MOST) known.clear()
  const heartbeat = JSON.parse(text) as Heartbeat
  known.set(gatewayId, { text, heartbeat })
  return heartbeat
}
