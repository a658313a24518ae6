import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CompanyBody } from '../schemas/fleet.ts'
import type { UseCases } from '../use-cases.ts'
import { companyView } from '../views/fleet.ts'

/** Companies (interface.md, POST /v1/companies). */
export const companyRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.post('/companies', {
    schema: { body: CompanyBody },
    handler: async ({ principal, body }, reply) => {
      const company = await useCases.addCompany(principal, {
        name: body.name,
        oib: body.oib,
        vatRegistered: body.vat_registered ?? true,
        address: body.address ?? {},
        fiscalConfig: body.fiscal_config ?? {},
        mode: body.mode ?? 'test',
      })
      reply.status(201)
      return companyView(company, { status: 'missing', notAfter: null, daysLeft: null })
    },
  })
}
