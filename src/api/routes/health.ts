import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../domain/instant.ts'
import type { FiscalHealth } from '../../fiscal/probe.ts'
import type { UseCases } from '../use-cases.ts'

/** The two keyless health checks (interface.md, GET /v1/health and GET /v1/health/fiscal). */
export const healthRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases; version: string }> = async (
  app,
  { useCases, version },
) => {
  const startedAt = performance.now()

  app.get('/health', async (request, reply) => {
    const database = await useCases.pingDatabase().then(
      (latency) => ({ status: 'ok', latency_ms: Math.round(latency) }),
      (error: unknown) => {
        request.log.error({ err: error }, 'the database does not answer')
        return { status: 'down', latency_ms: null }
      },
    )
    reply.status(database.status === 'ok' ? 200 : 503)
    return {
      status: database.status,
      version,
      uptime_s: Math.floor((performance.now() - startedAt) / 1000),
      checks: { database },
      checked_at: formatInstant(useCases.now()),
    }
  })

  app.get('/health/fiscal', async () => fiscalHealthView(await useCases.fiscalHealth()))
}

export function fiscalHealthView(health: FiscalHealth) {
  return {
    reachable: health.reachable,
    latency_ms: health.latencyMs,
    endpoint: health.endpoint,
    mode: health.mode,
    checked_at: formatInstant(health.checkedAt),
    detail: health.detail,
  }
}
