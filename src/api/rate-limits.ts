import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_BOUNDS } from '../contract/v1/bounds.ts'
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
  /** Before the principal is known. */
  address: Count
  /** As soon as the principal is known. */
  principal: Count
}

const MINUTE_MS = 60_000
const UPLOADS_PER_MINUTE = API_BOUNDS.uploads.most

/** What a limit says of one request. */
interface Counted {
  max: number
  remaining: number
  ttlInSeconds: number
  isExceeded: boolean
}

/** @throws FiskError `rate_limited` */
function tell(reply: FastifyReply, { max, remaining, ttlInSeconds, isExceeded }: Counted): void {
  reply.headers({ 'RateLimit-Limit': max, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': ttlInSeconds })
  if (!isExceeded) return
  throw new FiskError('rate_limited', `more than ${max} requests: wait ${ttlInSeconds} seconds`, {
    retryAfterS: ttlInSeconds,
  })
}

/** Counts an upload of a principal and says so in the headers of its answer. @throws FiskError `rate_limited` */
export type CountUpload = (principalId: string, reply: FastifyReply) => void

/** One budget for the uploads of a principal, wherever they come in: `/v1`, the pages or the admin socket. */
export function createUploadLimit({ enabled }: Pick<RateLimits, 'enabled'>): CountUpload {
  const windows = new WindowStore()
  return (principalId, reply) => {
    if (!enabled) return
    windows.incr(
      principalId,
      (_error, { current, ttl }) =>
        tell(reply, {
          max: UPLOADS_PER_MINUTE,
          remaining: Math.max(0, UPLOADS_PER_MINUTE - current),
          ttlInSeconds: Math.ceil(ttl / 1000),
          isExceeded: current > UPLOADS_PER_MINUTE,
        }),
      MINUTE_MS,
    )
  }
}

/** Counts in memory; IPv6 by /56, the usual range of one customer of a provider. */
export async function createRateLimiters(
  app: FastifyInstance,
  limits: RateLimits,
  countUpload: CountUpload,
): Promise<RateLimiters> {
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
      tell(reply, count)
    }
  }

  const perAddress = limiter(limits.perAddressPerMinute, MINUTE_MS)
  const perPrincipal = limiter(limits.perMinute, MINUTE_MS, { by: 'principal' })
  const signIns = limiter(limits.signInsPer15Minutes, 15 * MINUTE_MS)
  return {
    async address(request, reply) {
      const budget = request.routeOptions.config?.budget
      if (limits.enabled && budget !== 'fleet') await perAddress(request, reply)
      if (budget === 'sign-in') await signIns(request, reply)
    },
    async principal(request, reply) {
      if (request.routeOptions.config.budget === 'upload') countUpload(request.principal.id, reply)
      else if (limits.enabled) await perPrincipal(request, reply)
    },
  }
}

/** For the admin socket, where only the operator can be. */
export function onlyUploads(countUpload: CountUpload): RateLimiters {
  return {
    address: async () => {},
    async principal(request, reply) {
      if (request.routeOptions.config.budget === 'upload') countUpload(request.principal.id, reply)
    },
  }
}
