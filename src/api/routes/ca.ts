import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CA_TYPE, CaPem } from '../../contract/v1/service.ts'
import { FiskError } from '../../domain/errors.ts'
import { describe } from '../docs/describe.ts'

/** @param caPem the CA that clients pin, PEM; null where the operator has brought a certificate of another CA */
export const caRoutes: FastifyPluginAsyncTypebox<{ caPem: () => Promise<string | null> }> = async (app, { caPem }) => {
  app.get('/ca.pem', {
    schema: describe('getCa', 'The CA that clients of this daemon pin', 'service', {
      description:
        'One certificate, PEM. Fetch it once without a check, compare its SHA-256 fingerprint with that of `fisk status`, ' +
        'and trust it from then on. 404 where the operator has brought a server certificate (`FISKD_TLS_CERT`).',
      response: { 200: { content: { [CA_TYPE]: { schema: CaPem } } } },
    }),
    config: { keyless: true, tagged: true, refusals: [404] },
    handler: async (request, reply) => {
      const pem = await caPem()
      if (pem === null) throw new FiskError('invalid_request', NO_LOCAL_CA, { status: 404, param: 'ca.pem' })
      const tag = `"${createHash('sha256').update(pem).digest('base64url')}"`
      // A cache may keep it, but asks before each use whether it is still the one.
      reply.headers({ ETag: tag, 'Cache-Control': 'no-cache' })
      if (request.headers['if-none-match'] === tag) return reply.status(304).send()
      return reply.type(CA_TYPE).send(pem)
    },
  })
}

const NO_LOCAL_CA = 'this daemon serves a certificate of its operator (FISKD_TLS_CERT): trust the CA that has issued it'
