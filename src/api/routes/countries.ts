import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { CompanyBody, CompanyChangesBody, DeviceBody, DeviceChangesBody } from '../../contract/v1/fleet.ts'
import { documented } from '../../contract/v1/formats.ts'
import { SaleBody } from '../../contract/v1/invoice.ts'
import { CountrySchema, CountrySchemasSchema, type CountryView } from '../../contract/v1/service.ts'
import { notFound } from '../../domain/errors.ts'
import { FISCALIZATION_DEADLINE_DAYS } from '../../domain/sale/invoice.ts'
import { describe } from '../docs/describe.ts'

const CROATIA: CountryView = {
  code: 'HR',
  capabilities: ['unattended_sale', 'ordinary_receipt', 'echo'],
  fiscalization_deadline_days: FISCALIZATION_DEADLINE_DAYS,
}

/** The supported countries (docs/spec/interface.md, GET /v1/countries). */
export const countryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/countries', {
    schema: describe('listCountries', 'List supported countries', 'service', {
      description: 'An array without an envelope.',
      response: { 200: Type.Array(CountrySchema) },
    }),
    handler: async () => [CROATIA],
  })
}

const SCHEMAS = {
  code: CROATIA.code,
  schemas: documented({
    invoice: SaleBody,
    company: CompanyBody,
    company_changes: CompanyChangesBody,
    device: DeviceBody,
    device_changes: DeviceChangesBody,
  }),
}

export const countrySchemaRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/countries/:code/schemas', {
    schema: describe('getCountrySchemas', 'The JSON Schemas that request bodies are validated with', 'service', {
      description: 'By name: `invoice`, `company`, `company_changes`, `device`, `device_changes`.',
      response: { 200: CountrySchemasSchema },
      params: Type.Object({ code: Type.String({ description: '`HR`' }) }),
    }),
    config: { refusals: [404], keyless: true },
    handler: async ({ params }) => {
      if (params.code !== CROATIA.code) throw notFound('code', 'this country is not supported; HR is')
      return SCHEMAS
    },
  })
}
