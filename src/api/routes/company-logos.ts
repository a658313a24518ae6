import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../contract/common.ts'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import { CompanySchema, LOGO_CONTENT, LogoForm } from '../../contract/v1/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe } from '../docs/describe.ts'
import { readUpload } from '../multipart.ts'
import { companyView } from '../views/fleet.ts'

export const companyLogoRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  const view = async (company: Company) =>
    companyView(company, (await useCases.companyCertificates([company.id]))(company.id))
  const changes = {
    scope: 'fleet:write',
    refusals: [404],
    errors: ['device_owned_by_gateway', 'mode_mismatch'],
  } as const

  app.get('/companies/:id/logo', {
    schema: describe('getLogo', "The logo on a company's receipts", 'companies', {
      description: 'As large as it is printed, eight dots to the millimetre. 404 for a company without one.',
      response: { 200: { content: LOGO_CONTENT } },
      params: IdParams,
    }),
    config: { scope: 'fleet:read', refusals: [404], errors: ['mode_mismatch'] },
    handler: async ({ principal, params }, reply) =>
      reply.type('image/png').send(await useCases.logoOf(principal, params.id.toLowerCase())),
  })

  app.put('/companies/:id/logo', {
    schema: describe('setLogo', "Set the logo on a company's receipts", 'companies', {
      description: 'From the next sale on; a copy of an earlier receipt has the logo of its time.',
      response: { 200: CompanySchema },
      params: IdParams,
    }),
    config: { ...changes, budget: 'upload', form: LogoForm, errors: [...changes.errors, 'file_too_large'] },
    handler: async (request) => {
      const { file, width_mm } = await readUpload(request, LogoForm, API_BOUNDS.logoFile.most)
      const logo = { file, widthMm: width_mm === undefined ? undefined : Number(width_mm) }
      return view(await useCases.setLogo(request.principal, request.params.id.toLowerCase(), logo))
    },
  })

  app.delete('/companies/:id/logo', {
    schema: describe('removeLogo', 'Print no logo any more', 'companies', {
      response: { 200: CompanySchema },
      params: IdParams,
    }),
    config: changes,
    handler: async ({ principal, params }) => view(await useCases.setLogo(principal, params.id.toLowerCase(), null)),
  })
}
