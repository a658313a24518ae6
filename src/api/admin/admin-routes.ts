import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { formatInstant } from '../../domain/instant.ts'
import type { TrustBundle, TrustedCertificate } from '../../fiscal/ports.ts'
import type { Principal } from '../../fiscal/principal.ts'
import { Closed, IdParams, Mode } from '../schemas/common.ts'
import type { AdminUseCases } from '../use-cases.ts'
import { certificateView, deviceView } from '../views/fleet.ts'
import { wholeList } from '../views/list.ts'
import { accessRoutes } from './access-routes.ts'
import { type ProgramFacts, statusView } from './status-view.ts'

const TrustBody = Closed({ mode: Mode, certificates: Type.String({ description: 'A PEM or DER file, base64' }) })

export interface AdminOptions {
  useCases: AdminUseCases
  facts: ProgramFacts
  /** Whoever may open the admin socket. */
  identify: (request: FastifyRequest) => Promise<Principal>
}

/** What the technician's command needs beyond `/v1`; served on the admin socket only. */
export const adminRoutes: FastifyPluginAsyncTypebox<AdminOptions> = async (app, { useCases, facts, identify }) => {
  app.addHook('onRequest', async (request) => {
    request.principal = await identify(request)
  })
  await app.register(accessRoutes, { useCases })

  app.get('/status', async () => statusView(await useCases.status(), facts))

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
    schema: { body: TrustBody },
    handler: async ({ body }) => {
      return changeView(await useCases.trust.add(body.mode, Buffer.from(body.certificates, 'base64')))
    },
  })

  app.post('/trust/fetch', {
    schema: { body: Closed({ mode: Mode }) },
    handler: async ({ body }) => changeView(await useCases.trust.fetch(body.mode)),
  })
}

const trustedView = ({ subject, fingerprint, notAfter }: TrustedCertificate) => ({
  subject,
  fingerprint,
  not_after: formatInstant(notAfter),
})

const bundleView = ({ mode, path, certificates }: TrustBundle) => ({
  mode,
  path,
  certificates: certificates.map(trustedView),
})

const changeView = ({ added, ...bundle }: TrustBundle & { added: TrustedCertificate[] }) => ({
  ...bundleView(bundle),
  added: added.map(trustedView),
})
