import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_BOUNDS } from '../contract/v1/bounds.ts'
import { FiskError } from '../domain/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counted apart from the budget of everything else; gateways by themselves, for many come from one address. */
    budget?: 'upload' | 'sign-in' | 'fleet'
  }
}

/** How many requests are taken (docs/spec/interface.md, Limits). */
export interface RateLimits {
  /** False lifts all limits but the one on signing in. */
  enabled: boolean
  perMinute: number
  perAddressPerMinute: number
  signInsPer15Minutes: number
}

/** Counts a request and says so in its headers. @throws FiskError `rate_limited` */
export type Count = (request: FastifyRequest, reply: FastifyReply) => void

export interface RateLimiters {
  address: Count
  principal: Count
}

const MINUTE_MS = 60_000
const UPLOADS_PER_MINUTE = API_BOUNDS.uploads.most

function limiter(max: number, windowMs: number): CountUpload {
  const count = createRateWindows(windowMs)
  return (key, reply) => {
    const { current, ttlMs } = count(key)
    const ttlInSeconds = Math.ceil(ttlMs / 1000)
    reply.header('RateLimit-Limit', max)
    reply.header('RateLimit-Remaining', Math.max(0, max - current))
    reply.header('RateLimit-Reset', ttlInSeconds)
    if (current <= max) return
    throw new FiskError('rate_limited', `more than ${max} requests: wait ${ttlInSeconds} seconds`, {
      retryAfterS: ttlInSeconds,
    })
  }
}

/** Counts an upload of a principal and says so in the headers of its answer. @throws FiskError `rate_limited` */
export type CountUpload = (principalId: string, reply: FastifyReply) => void

/** One budget for the uploads of a principal, wherever they come in: `/v1`, the pages or the admin socket. */
export function createUploadLimit({ enabled }: Pick<RateLimits, 'enabled'>): CountUpload {
  const count = limiter(UPLOADS_PER_MINUTE, MINUTE_MS)
  return (principalId, reply) => {
    if (enabled) count(principalId, reply)
  }
}

/** The part of the network that counts as one caller, by an address of it. */
export type NetworkOf = (address: string) => string

export function createRateLimiters(limits: RateLimits, networkOf: NetworkOf, countUpload: CountUpload): RateLimiters {
  const perAddress = limiter(limits.perAddressPerMinute, MINUTE_MS)
  const perPrincipal = limiter(limits.perMinute, MINUTE_MS)
  const signIns = limiter(limits.signInsPer15Minutes, 15 * MINUTE_MS)
  return {
    address(request, reply) {
      const budget = request.routeOptions.config?.budget
      if (limits.enabled && budget !== 'fleet') perAddress(networkOf(request.ip), reply)
      if (budget === 'sign-in') signIns(networkOf(request.ip), reply)
    },
    principal(request, reply) {
      if (request.routeOptions.config.budget === 'upload') countUpload(request.principal.id, reply)
      else if (limits.enabled) perPrincipal(request.principal.id, reply)
    },
  }
}

/** For the admin socket, where only the operator can be. */
export function onlyUploads(countUpload: CountUpload): RateLimiters {
  return {
    address() {},
    principal(request, reply) {
      if (request.routeOptions.config.budget === 'upload') countUpload(request.principal.id, reply)
    },
  }
}

/** How many addresses or principals are remembered at a time; the longest silent are forgotten first. */
const REMEMBERED = 5000

/**
 * The windows begin with the first one, in time that never goes back: the clock of a kiosk is set when its network
 * comes up. @returns counts one more, and says how many there are in the window, and how long it lasts yet
 */
export function createRateWindows(windowMs: number) {
  const windows = new Map<string, { current: number; startedAt: number }>()
  return (key: string): { current: number; ttlMs: number } => {
    const now = performance.now()
    const known = windows.get(key)
    const window = known && now - known.startedAt < windowMs ? known : { current: 0, startedAt: now }
    window.current++
    windows.delete(key)
    windows.set(key, window)
    if (windows.size > REMEMBERED) windows.delete(windows.keys().next().value ?? '')
    return { current: window.current, ttlMs: windowMs - (now - window.startedAt) }
  }
}
