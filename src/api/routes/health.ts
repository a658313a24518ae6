import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FiscalHealthSchema, type FiscalHealthView, HealthSchema, type HealthView } from '../../contract/v1/service.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { FiscalHealth } from '../../fiscal/sales/authority-probe.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe } from '../docs/describe.ts'

/** The two keyless health checks (docs/spec/interface.md, GET /v1/health and GET /v1/health/fiscal). */
export const healthRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases; version: string }> = async (
  app,
  { useCases, version },
) => {
  const startedAt = performance.now()

  app.get('/health', {
    schema: describe({
      operationId: 'getHealth',
      summary: 'Whether this service works',
      description: 'Says nothing about the tax authority. 503 when a sale could not be stored.',
      tags: ['service'],
      response: { 200: HealthSchema, 503: HealthSchema },
    }),
    config: { keyless: true, quiet: true },
    handler: async (_request, reply): Promise<HealthView> => {
      const { status, database, disk, clock, printers, numbers, sales } = await useCases.health()
      reply.status(status === 'down' ? 503 : 200)
      return {
        status,
        version,
        uptime_s: Math.floor((performance.now() - startedAt) / 1000),
        checks: {
          database: {
            status: database.status,
            latency_ms: database.latencyMs === null ? null : Math.round(database.latencyMs),
            detail: database.detail,
          },
          disk: { status: disk.status, free_bytes: disk.freeBytes },
          clock: {
            status: clock.trusted ? 'ok' : 'degraded',
            synchronised: clock.synchronised,
            offset_ms: clock.offsetMs,
            detail: clock.detail?.en ?? null,
          },
          printers,
          numbers,
          sales,
        },
        checked_at: formatInstant(useCases.now()),
      }
    },
  })

  app.get('/health/fiscal', {
    schema: describe({
      operationId: 'getFiscalHealth',
      summary: 'Whether the tax authority answers',
      description: 'Always HTTP 200: read `reachable`. Known for 15 seconds.',
      tags: ['service'],
      response: { 200: FiscalHealthSchema },
    }),
    config: { keyless: true, quiet: true },
    handler: async () => fiscalHealthView(await useCases.fiscalHealth()),
  })
}

export function fiscalHealthView(health: FiscalHealth): FiscalHealthView {
  return {
    reachable: health.reachable,
    latency_ms: health.latencyMs,
    endpoint: health.endpoint,
    mode: health.mode,
    checked_at: formatInstant(health.checkedAt),
    detail: health.detail?.en ?? null,
  }
}
