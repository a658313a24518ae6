import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { FiskError } from '../../domain/errors.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'
import { checkOf } from '../wire/check-value.ts'
import { IdentityRequest } from '../wire/identity.ts'
import { EnrollRequest, HelloRequest, PushRequest, SkippedRequest } from '../wire/messages.ts'
import { createCounts, createIdentify, type IdentifyDeps } from './authenticate.ts'
import { bodyOf, createBodyMemoryLimit, keepBodies, readBodies } from './body.ts'
import { type CommandRoutesOptions, commandRoutes } from './commands-routes.ts'
import { enroll, type HandshakeDeps, hello } from './handshake.ts'
import { identityPage, keepSkippedNumbers } from './identity.ts'
import { type IngestDeps, ingest } from './ingest.ts'

export interface SyncServerDeps extends HandshakeDeps, IngestDeps, IdentifyDeps {
  store: Store
  /** What clients are to trust, PEM. */
  caPem: () => Promise<string>
  /** Wrong tokens that an address may send in 15 minutes. */
  wrongTokensPer15Minutes: number
  /** Whom an address belongs to. */
  neighbourOf: (address: string) => string
  commands: Omit<CommandRoutesOptions, 'takeRoom'>
}

const SMALL_BYTES = SYNC_BOUNDS.small.most
const PUSH_BYTES = SYNC_BOUNDS.push.most
const QUARTER_MS = 15 * 60_000

/** So many pushes are inflated, read and stored at a time: all others wait as the bytes that they came as. */
const AT_ONCE = 2

/** `/sync/v1`: what gateways tell the central server. */
export const syncRoutes: FastifyPluginAsync<SyncServerDeps> = async (app, deps) => {
  const wrongTokens = createCounts(QUARTER_MS)
  const gatewayOf = (request: FastifyRequest) => request.gateway.id
  const room = createBodyMemoryLimit()
  const takeStranger = createBodyMemoryLimit(SYNC_BOUNDS.strangersHeld.most)({
    bytes: SMALL_BYTES,
    bodies: SYNC_BOUNDS.strangers.most,
    senderOf: ({ ip }) => deps.neighbourOf(ip),
  })
  const inTurn = createSemaphore(AT_ONCE)
  const [checkEnroll, checkHello, checkPush] = [checkOf(EnrollRequest), checkOf(HelloRequest), checkOf(PushRequest)]
  const [checkIdentity, checkSkipped] = [checkOf(IdentityRequest), checkOf(SkippedRequest)]

  readBodies(app)
  // Many gateways may come from one address: each is counted by itself.
  app.addHook('onRoute', (route) => {
    route.config = { budget: 'fleet', ...route.config }
  })
  app.decorateRequest('gateway')
  app.decorateRequest('gatewaySession')
  app.addHook('onRequest', createIdentify(deps))

  app.get('/ca', { config: { sync: 'open' } }, async (_request, reply) => {
    reply.type('application/x-pem-file')
    return deps.caPem()
  })

  app.post('/enroll', {
    bodyLimit: SMALL_BYTES,
    config: { sync: 'open' },
    preParsing: takeStranger,
    handler: async (request) => {
      const from = deps.neighbourOf(request.ip)
      const wait = wrongTokens.waitS(from, deps.wrongTokensPer15Minutes)
      if (wait !== null) {
        throw new FiskError('rate_limited', `too many wrong tokens: wait ${wait} seconds`, { retryAfterS: wait })
      }
      try {
        return await enroll(deps, await bodyOf(request, checkEnroll))
      } catch (error) {
        if (error instanceof FiskError && error.code === 'sync_token_invalid') wrongTokens.add(from)
        throw error
      }
    },
  })

  app.post('/hello', {
    bodyLimit: SMALL_BYTES,
    config: { sync: 'credential' },
    handler: async (request) => hello(deps, request.gateway, request.gatewaySession, await bodyOf(request, checkHello)),
  })

  app.post('/identity', {
    bodyLimit: SMALL_BYTES,
    config: { sync: 'credential' },
    handler: async (request) => identityPage(deps.store, request.gateway, await bodyOf(request, checkIdentity)),
  })

  app.post('/identity/numbers', {
    bodyLimit: SMALL_BYTES,
    config: { sync: 'credential' },
    handler: async (request, reply) => {
      await keepSkippedNumbers(deps.store, request.gateway, await bodyOf(request, checkSkipped))
      return reply.status(204).send()
    },
  })

  await app.register(async (large) => {
    keepBodies(large)
    large.post('/push', {
      bodyLimit: PUSH_BYTES,
      config: { sync: 'session' },
      // One that is answered late may be sent again before the first is done with.
      preParsing: room({ bytes: PUSH_BYTES, bodies: SYNC_BOUNDS.pushes.most, senderOf: gatewayOf }),
      handler: (request) =>
        inTurn(async () => ingest(deps, request.gateway, request.gatewaySession, await bodyOf(request, checkPush))),
    })
  })

  app.post('/leave', {
    bodyLimit: SMALL_BYTES,
    config: { sync: 'credential' },
    handler: async (request, reply) => {
      const { id, credentialHash } = request.gateway
      await deps.store.transaction(async (tx) => {
        await tx.subjects.hold(`gateway ${id}`)
        // Another machine may have enrolled as this gateway meanwhile.
        if ((await tx.gateways.get(id))?.credentialHash !== credentialHash) return
        await tx.gateways.update(id, { credentialHash: null, session: null, sessionBefore: null })
      })
      return reply.status(204).send()
    },
  })

  await app.register(commandRoutes, {
    ...deps.commands,
    takeRoom: room({ bytes: SYNC_BOUNDS.file.most, bodies: SYNC_BOUNDS.files.most, senderOf: gatewayOf }),
  })
}

/** Lets so many do something at a time; the others wait in the order in which they came. */
function createSemaphore(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    return work().finally(() => {
      const next = waiting.shift()
      if (next) next()
      else running--
    })
  }
}
