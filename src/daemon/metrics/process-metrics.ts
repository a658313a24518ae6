import { collectDefaultMetrics, Registry } from 'prom-client'

/** The event loop is watched by a timer: ten times a second shows what customers would notice, and wakes no kiosk. */
const EVENT_LOOP_PRECISION_MS = 100

let registry: Registry | undefined

/** What the process itself uses, the same for every daemon in it. */
export function processMetrics(): Promise<string> {
  if (!registry) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  }
  return registry.metrics()
}
