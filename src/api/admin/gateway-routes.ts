import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type {
  AcceptedInvoiceView,
  GatewayCompaniesView,
  GatewayDetailsView,
  GatewayView,
  NewGatewayView,
  RevokedGatewayView,
} from '../../contract/admin/gateways.ts'
import { Closed, IdParams } from '../../contract/common.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { GatewayDetails, GatewaySummary } from '../../fiscal/gateways/gateways.ts'
import type { FleetConflict } from '../../fiscal/ports/gateways.ts'
import type { AdminGateways } from '../../fiscal/use-cases.ts'
import { wholeList } from '../views/list.ts'
import { moment } from '../views/moment.ts'
import { refusalView } from './sync-view.ts'

const GatewayBody = Closed({ name: Type.String(), again: Type.Optional(Type.Boolean()) })
const CompaniesBody = Closed({
  companies: Type.Union([Type.Array(Type.String(), { minItems: 1, maxItems: 200 }), Type.Null()]),
})
const RevokeBody = Closed({ release: Type.Optional(Type.Boolean()) })
const AcceptBody = Closed({ invoice_id: Type.String({ maxLength: 100 }), follow: Type.Optional(Type.Boolean()) })

/** The gateways of a central server. */
export const gatewayRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminGateways }> = async (app, { useCases }) => {
  app.get('/gateways', async ({ principal }) => wholeList((await useCases.listGateways(principal)).map(summaryView)))

  app.post('/gateways', {
    schema: { body: GatewayBody },
    handler: async ({ principal, body: { name, again = false } }, reply): Promise<NewGatewayView> => {
      const { gateway, token } = await useCases.addGateway(principal, { name, again })
      reply.status(201)
      return { id: gateway.id, name: gateway.name, token, token_expires_at: moment(gateway.tokenExpiresAt) }
    },
  })

  app.get('/gateways/:id', {
    schema: { params: IdParams },
    handler: async ({ principal, params }) => detailsView(await useCases.showGateway(principal, params.id)),
  })

  app.patch('/gateways/:id', {
    schema: { params: IdParams, body: CompaniesBody },
    handler: async ({ principal, params, body }): Promise<GatewayCompaniesView> => {
      const { id, name, companies } = await useCases.setGatewayCompanies(principal, params.id, body.companies)
      return { id, name, companies: companies && [...companies] }
    },
  })

  app.post('/gateways/:id/revoke', {
    schema: { params: IdParams, body: RevokeBody },
    handler: async ({ principal, params, body: { release = false } }): Promise<RevokedGatewayView> => {
      const { id, name, revokedAt } = await useCases.revokeGateway(principal, params.id, { release })
      return { id, name, revoked_at: moment(revokedAt), released: release }
    },
  })

  app.post('/gateways/:id/accept', {
    schema: { params: IdParams, body: AcceptBody },
    handler: async ({
      principal,
      params,
      body: { invoice_id: invoiceId, follow = false },
    }): Promise<AcceptedInvoiceView> => {
      const { gateway } = await useCases.acceptInvoice(principal, params.id, { invoiceId, follow })
      return { id: gateway.id, name: gateway.name, invoice_id: invoiceId, follow }
    },
  })
}

function summaryView({ gateway, state, refused }: GatewaySummary): GatewayView {
  const { id, name, createdAt, enrolledAt, lastSeenAt, revokedAt, duplicatedAt, heartbeat } = gateway
  return {
    id,
    name,
    state,
    version: heartbeat?.version ?? null,
    created_at: formatInstant(createdAt),
    enrolled_at: moment(enrolledAt),
    last_seen_at: moment(lastSeenAt),
    revoked_at: moment(revokedAt),
    duplicated_at: moment(duplicatedAt),
    token_expires_at: moment(gateway.tokenExpiresAt),
    refused,
    heartbeat,
    companies: gateway.companies && [...gateway.companies],
  }
}

function detailsView({ premises, refusals, conflicts, ...summary }: GatewayDetails): GatewayDetailsView {
  return {
    ...summaryView(summary),
    premises: premises.map(({ companyId, premisesCode }) => ({ company_id: companyId, premises_code: premisesCode })),
    refusals: refusals.map(refusalView),
    conflicts: conflicts.map(conflictView),
  }
}

function conflictView({ what, value, companyId, devices }: FleetConflict) {
  return {
    what,
    value,
    company_id: companyId,
    devices: devices.map(({ id, gatewayId, label, premisesCode }) => ({
      id,
      gateway_id: gatewayId || null,
      label,
      premises_code: premisesCode,
    })),
  }
}
