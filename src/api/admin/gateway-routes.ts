import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import {
  type AcceptedInvoiceView,
  GatewayCompaniesSchema,
  GatewayDetailsSchema,
  GatewaySchema,
  NewGatewaySchema,
  RevokedGatewaySchema,
} from '../../contract/admin/gateways.ts'
import { Closed, IdParams, Nullable } from '../../contract/common.ts'
import type { AdminGateways } from '../../fiscal/gateways/gateway-admin.ts'
import type { GatewayDetails, GatewaySummary } from '../../fiscal/gateways/gateways.ts'
import type { FleetConflict } from '../../fiscal/ports/gateways.ts'
import { view, wholeList } from '../views/view.ts'

const CompaniesBody = Closed({ companies: Nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 200 })) })
const AcceptBody = Closed({ invoice_id: Type.String({ maxLength: 100 }), follow: Type.Optional(Type.Boolean()) })

export const gatewayRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminGateways }> = async (app, { useCases }) => {
  app.get('/gateways', async ({ principal }) =>
    wholeList((await useCases.listGateways(principal)).map((gateway) => view(GatewaySchema, facts(gateway)))),
  )

  app.post('/gateways', {
    schema: { body: Closed({ name: Type.String(), again: Type.Optional(Type.Boolean()) }) },
    handler: async ({ principal, body: { name, again = false } }, reply) => {
      const { gateway, token } = await useCases.addGateway(principal, { name, again })
      reply.status(201)
      return view(NewGatewaySchema, { ...gateway, token })
    },
  })

  app.get('/gateways/:id', { schema: { params: IdParams } }, async ({ principal, params }) =>
    detailsView(await useCases.showGateway(principal, params.id)),
  )

  app.patch('/gateways/:id', {
    schema: { params: IdParams, body: CompaniesBody },
    handler: async ({ principal, params, body }) =>
      view(GatewayCompaniesSchema, await useCases.setGatewayCompanies(principal, params.id, body.companies)),
  })

  app.post('/gateways/:id/revoke', {
    schema: { params: IdParams, body: Closed({ release: Type.Optional(Type.Boolean()) }) },
    handler: async ({ principal, params, body: { release = false } }) => {
      const gateway = await useCases.revokeGateway(principal, params.id, { release })
      return view(RevokedGatewaySchema, { ...gateway, released: release })
    },
  })

  app.post('/gateways/:id/accept', {
    schema: { params: IdParams, body: AcceptBody },
    handler: async ({ principal, params, body }): Promise<AcceptedInvoiceView> => {
      const { invoice_id: invoiceId, follow = false } = body
      const { gateway } = await useCases.acceptInvoice(principal, params.id, { invoiceId, follow })
      return { id: gateway.id, name: gateway.name, invoice_id: invoiceId, follow }
    },
  })
}

const facts = ({ gateway, state, refused }: GatewaySummary) => ({
  ...gateway,
  state,
  refused,
  version: gateway.heartbeat?.version ?? null,
})

const detailsView = ({ premises, refusals, conflicts, ...summary }: GatewayDetails) =>
  view(GatewayDetailsSchema, { ...facts(summary), premises, refusals, conflicts: conflicts.map(withOwners) })

const withOwners = ({ devices, ...conflict }: FleetConflict) => ({
  ...conflict,
  devices: devices.map((device) => ({ ...device, gatewayId: device.gatewayId || null })),
})
