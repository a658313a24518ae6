import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FiskError } from '../domain/errors.ts'
import { WindowStore } from './rate-window.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counted apart from the budget of everything else; gateways by themselves, for many come from one address. */
    budget?: 'upload' | 'sign-in' | 'fleet'
  }
}

/** How many requests are taken (interface.md, Limits). */
export interface RateLimits {
  /** False lifts all limits but the one on signing in. */
  enabled: boolean
  perMinute: number
  perAddressPerMinute: number
  signInsPer15Minutes: number
}

/** Counts a request and says so in its headers. @throws FiskError `rate_limited` */
export type Count = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export interface RateLimiters {
  /** Before anybody knows who is asking. */
  address: Count
  /** As soon as it is known who is asking. */
  principal: Count
}

const MINUTE_MS = 60_000
const UPLOADS_PER_MINUTE = 60

/** Counts in memory; IPv6 by the /56 that one customer of a provider has. */
export async function createRateLimiters(app: FastifyInstance, limits: RateLimits): Promise<RateLimiters> {
  await app.register(rateLimit, { global: false, ipv6Subnet: 56, store: WindowStore })

  function limiter(max: number, timeWindow: number, options: { by?: 'principal' } = {}): Count {
    const check = app.createRateLimit({
      max,
      timeWindow,
      ...(options.by === 'principal' && { keyGenerator: (request: FastifyRequest) => request.principal.id }),
    })
    return async (request, reply) => {
      const count = await check(request)
      if (count.isAllowed) return
      reply.headers({
        'RateLimit-Limit': count.max,
        'RateLimit-Remaining': count.remaining,
        'RateLimit-Reset': count.ttlInSeconds,
      })
      if (!count.isExceeded) return
      reply.header('Retry-After', count.ttlInSeconds)
      throw new FiskError('rate_limited', `more than ${max} requests: wait ${count.ttlInSeconds} seconds`)
    }
  }

  const perAddress = limiter(limits.perAddressPerMinute, MINUTE_MS)
  const perPrincipal = limiter(limits.perMinute, MINUTE_MS, { by: 'principal' })
  const uploads = limiter(UPLOADS_PER_MINUTE, MINUTE_MS, { by: 'principal' })
  const signIns = limiter(limits.signInsPer15Minutes, 15 * MINUTE_MS)
  return {
    async address(request, reply) {
      const budget = request.routeOptions.config?.budget
      if (limits.enabled && budget !== 'fleet') await perAddress(request, reply)
      if (budget === 'sign-in') await signIns(request, reply)
    },
    async principal(request, reply) {
      if (!limits.enabled) return
      const count = request.routeOptions.config.budget === 'upload' ? uploads : perPrincipal
      await count(request, reply)
    },
  }
}

/** For the admin socket, where only the operator can be. */
export const NO_LIMITERS: RateLimiters = { address: async () => {}, principal: async () => {} }
