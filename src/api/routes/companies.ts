import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../contract/common.ts'
import { CompaniesQuery, CompanyBody, CompanyChangesBody, CompanyList, CompanySchema } from '../../contract/v1/fleet.ts'
import { readSlice } from '../../fiscal/list-page.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe, SETTING_ERRORS } from '../docs/describe.ts'
import { answerOnce } from '../replay-answer.ts'
import { companyView } from '../views/fleet.ts'
import { inside, pageList } from '../views/view.ts'
import { refuseFields } from '../wrong-requests.ts'

/** Companies (docs/spec/interface.md, GET and POST /v1/companies, PATCH /v1/companies/{id}). */
export const companyRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.get('/companies', {
    schema: describe('listCompanies', 'List companies, the oldest first', 'companies', {
      response: { 200: CompanyList },
      querystring: CompaniesQuery,
    }),
    config: { scope: 'fleet:read' },
    handler: async ({ principal, query }) => {
      const filter = { status: query.status, allTenants: query.all_tenants === 'true' }
      const page = await useCases.listCompanies(principal, filter, readSlice('companies', query))
      const certificates = await useCases.companyCertificates(page.items.map(({ id }) => id))
      return pageList('companies', page, (company) => companyView(company, certificates(company.id)))
    },
  })

  app.post('/companies', {
    schema: describe('createCompany', 'Register a company', 'companies', {
      response: { 201: CompanySchema },
      body: CompanyBody,
    }),
    config: {
      scope: 'fleet:write',
      refusals: [409],
      errors: [...SETTING_ERRORS, 'mode_mismatch', 'idempotency_key_reused'],
    },
    handler: async (request, reply) => {
      const { principal, body } = request
      return answerOnce(useCases.once, request, reply, {
        status: 201,
        view: (company: Company) => companyView(company, { status: 'missing', notAfter: null, daysLeft: null }),
        work: (keep) =>
          useCases.addCompany(
            principal,
            inside({ vat_registered: true, address: {}, fiscal_config: {}, ...body, mode: body.mode ?? 'test' }),
            keep,
          ),
      })
    },
  })

  app.patch('/companies/:id', {
    schema: describe('updateCompany', 'Change a company', 'companies', {
      description:
        'Only fields that are present change; `address` and `fiscal_config` are replaced as a whole. ' +
        'Going live needs a certificate that is valid and trusted there.',
      response: { 200: CompanySchema },
      params: IdParams,
      body: CompanyChangesBody,
    }),
    config: {
      scope: 'fleet:write',
      refusals: [404],
      errors: [...SETTING_ERRORS, 'company_missing_certificate', 'device_owned_by_gateway', 'mode_mismatch'],
    },
    preValidation: async ({ body }) =>
      refuseFields(body, ['oib', 'country_code'], 'register another company and archive this one'),
    handler: async ({ principal, params, body }) => {
      const company = await useCases.changeCompany(principal, params.id.toLowerCase(), inside(body))
      const certificates = await useCases.companyCertificates([company.id])
      return companyView(company, certificates(company.id))
    },
  })
}
