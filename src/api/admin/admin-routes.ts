import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { MachineAcceptedView } from '../../contract/admin/status.ts'
import type {
  RevocationListView,
  TrustBundleView,
  TrustChangeView,
  TrustedCertificateView,
} from '../../contract/admin/trust.ts'
import { Closed, Id, IdParams, Mode } from '../../contract/common.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import type { AlertUseCases } from '../../fiscal/alerts/read-alerts.ts'
import type { RevocationListSummary, TrustBundle, TrustChange, TrustedCertificate } from '../../fiscal/ports/trust.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import type { CountUpload } from '../rate-limits.ts'
import { certificateView, deviceView } from '../views/fleet.ts'
import { wholeList } from '../views/list.ts'
import { moment } from '../views/moment.ts'
import { accessRoutes } from './access-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { backupRoutes } from './backup-routes.ts'
import { ADMIN_BOUNDS } from './bounds.ts'
import { type ClosingRoutesOptions, closingRoutes } from './closing-routes.ts'
import { commandRoutes } from './command-routes.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { numberRoutes } from './number-routes.ts'
import { printerRoutes } from './printer-routes.ts'
import { queueRoutes } from './queue-routes.ts'
import { type ProgramFacts, statusView } from './status-view.ts'
import { adminSyncRoutes } from './sync-routes.ts'

const TrustBody = Closed({
  mode: Mode,
  certificates: Type.String({
    description: 'A PEM or DER file with CA certificates, revocation lists or both, base64',
  }),
})

export interface AdminOptions {
  useCases: AdminUseCases
  office: ClosingRoutesOptions['office'] & { alerts: AlertUseCases }
  facts: ProgramFacts
  /** The principal of a caller of the admin socket. */
  identify: (request: FastifyRequest) => Promise<Principal>
  countUpload: CountUpload
}

/** What the technician's command needs beyond `/v1`; served on the admin socket only. */
export const adminRoutes: FastifyPluginAsyncTypebox<AdminOptions> = async (
  app,
  { useCases, office, facts, identify, countUpload },
) => {
  app.addHook('onRequest', async (request, reply) => {
    request.principal = await identify(request)
    if (request.routeOptions.config.budget === 'upload') countUpload(request.principal.id, reply)
  })
  await app.register(accessRoutes, { useCases })
  await app.register(backupRoutes, { useCases })
  await app.register(queueRoutes, { useCases })
  await app.register(numberRoutes, { useCases })
  await app.register(printerRoutes, { useCases })
  await app.register(adminSyncRoutes, { useCases })
  await app.register(gatewayRoutes, { useCases: useCases.gateways })
  await app.register(alertRoutes, { useCases: office.alerts })
  await app.register(closingRoutes, { office, now: facts.now })
  await app.register(commandRoutes, { useCases: useCases.commands })

  app.get('/status', {
    schema: { querystring: Closed({ device_id: Type.Optional(Id('Whether this device can sell')) }) },
    handler: async ({ principal, query }) =>
      statusView(await useCases.status(principal, query.device_id?.toLowerCase()), facts),
  })

  app.post('/machine/accept', async ({ principal }): Promise<MachineAcceptedView> => {
    return { accepted: await useCases.acceptMachine(principal) }
  })

  app.get('/devices', {
    schema: { querystring: Type.Object({ ref: Type.String() }) },
    handler: async ({ principal, query }) => {
      return wholeList((await useCases.devicesNamed(principal, query.ref)).map(deviceView))
    },
  })

  app.post('/certificates/:id/revoke', {
    schema: { params: IdParams },
    handler: async ({ principal, params }) =>
      certificateView(await useCases.revokeCertificate(principal, params.id.toLowerCase()), facts.now()),
  })

  app.get('/trust', async () =>
    wholeList((['test', 'live'] as const).map((mode) => bundleView(useCases.trust.list(mode)))),
  )

  app.post('/trust', {
    bodyLimit: ADMIN_BOUNDS.trust.most,
    schema: { body: TrustBody },
    handler: async ({ principal, body }) => {
      return changeView(await useCases.trust.add(principal, body.mode, Buffer.from(body.certificates, 'base64')))
    },
  })

  app.post('/trust/fetch', {
    schema: { body: Closed({ mode: Mode }) },
    handler: async ({ principal, body }) => changeView(await useCases.trust.fetch(principal, body.mode)),
  })
}

const trustedView = ({ subject, fingerprint, notAfter }: TrustedCertificate): TrustedCertificateView => ({
  subject,
  fingerprint,
  not_after: formatInstant(notAfter),
})

const listView = ({ issuer, thisUpdate, nextUpdate, entries }: RevocationListSummary): RevocationListView => ({
  issuer,
  this_update: formatInstant(thisUpdate),
  next_update: moment(nextUpdate),
  entries,
})

const bundleView = ({ mode, path, certificates, revocationLists }: TrustBundle): TrustBundleView => ({
  mode,
  path,
  certificates: certificates.map(trustedView),
  revocation_lists: revocationLists.map(listView),
})

const changeView = ({ added, addedLists, ...bundle }: TrustChange): TrustChangeView => ({
  ...bundleView(bundle),
  added: added.map(trustedView),
  added_revocation_lists: addedLists.map(listView),
})
