import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { formatInstant } from '../../domain/instant.ts'
import type { TrustBundle, TrustedCertificate } from '../../fiscal/ports.ts'
import { DEFAULT_SCOPES, type Principal } from '../../fiscal/principal.ts'
import { Closed, Id, Mode, Nullable, Text } from '../schemas/common.ts'
import type { AdminUseCases } from '../use-cases.ts'
import { deviceView } from '../views/fleet.ts'
import { wholeList } from '../views/list.ts'
import { type ProgramFacts, statusView } from './status-view.ts'

const KeyBody = Closed({
  mode: Mode,
  scopes: Type.Optional(Type.Array(Type.String())),
  device_id: Type.Optional(Nullable(Id('Bind the key to one device'))),
  name: Type.Optional(Nullable(Text(1, 200, 'For people'))),
})

const TrustBody = Closed({ mode: Mode, certificates: Type.String({ description: 'A PEM or DER file, base64' }) })

export interface AdminOptions {
  useCases: AdminUseCases
  facts: ProgramFacts
  /** Whoever may open the admin socket. */
  operator: Principal
}

/** What the technician's command needs beyond `/v1`; served on the admin socket only. */
export const adminRoutes: FastifyPluginAsyncTypebox<AdminOptions> = async (app, { useCases, facts, operator }) => {
  app.get('/status', async () => statusView(await useCases.status(), facts))

  app.post('/keys', {
    schema: { body: KeyBody },
    handler: async ({ body }, reply) => {
      reply.status(201)
      return useCases.createApiKey(operator, {
        mode: body.mode,
        scopes: body.scopes ?? DEFAULT_SCOPES,
        deviceId: body.device_id?.toLowerCase() ?? null,
        name: body.name ?? null,
      })
    },
  })

  app.get('/devices', {
    schema: { querystring: Type.Object({ ref: Type.String() }) },
    handler: async ({ query }) => {
      return wholeList((await useCases.devicesNamed(operator, query.ref)).map(deviceView))
    },
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

const certificateView = ({ subject, fingerprint, notAfter }: TrustedCertificate) => ({
  subject,
  fingerprint,
  not_after: formatInstant(notAfter),
})

const bundleView = ({ mode, path, certificates }: TrustBundle) => ({
  mode,
  path,
  certificates: certificates.map(certificateView),
})

const changeView = ({ added, ...bundle }: TrustBundle & { added: TrustedCertificate[] }) => ({
  ...bundleView(bundle),
  added: added.map(certificateView),
})
