import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FiscalHealthSchema, HealthSchema } from '../../contract/v1/service.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe } from '../docs/describe.ts'
import { view } from '../views/view.ts'

/** The two keyless health checks (docs/spec/interface.md, GET /v1/health and GET /v1/health/fiscal). */
export const healthRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases; version: string }> = async (
  app,
  { useCases, version },
) => {
  const startedAt = performance.now()

  app.get('/health', {
    schema: describe('getHealth', 'Whether this service works', 'service', {
      description: 'Says nothing about the tax authority. 503 when a sale could not be stored.',
      response: { 200: HealthSchema, 503: HealthSchema },
    }),
    config: { keyless: true, quiet: true },
    handler: async (_request, reply) => {
      const { status, database, clock, ...others } = await useCases.health()
      reply.status(status === 'down' ? 503 : 200)
      const latencyMs = database.latencyMs === null ? null : Math.round(database.latencyMs)
      return view(HealthSchema, {
        status,
        version,
        uptimeS: Math.floor((performance.now() - startedAt) / 1000),
        checks: {
          ...others,
          database: { ...database, latencyMs },
          clock: { ...clock, status: clock.trusted ? 'ok' : 'degraded', detail: clock.detail?.en ?? null },
        },
        checkedAt: useCases.now(),
      })
    },
  })

  app.get('/health/fiscal', {
    schema: describe('getFiscalHealth', 'Whether the tax authority answers', 'service', {
      description: 'Always HTTP 200: read `reachable`. Known for 15 seconds.',
      response: { 200: FiscalHealthSchema },
    }),
    config: { keyless: true, quiet: true },
    handler: async () => {
      const health = await useCases.fiscalHealth()
      return view(FiscalHealthSchema, { ...health, detail: health.detail?.en ?? null })
    },
  })
}
