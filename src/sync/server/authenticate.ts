import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { GatewayRecord } from '../../fiscal/ports/gateways.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { CREDENTIAL, SESSION_HEADER } from '../wire/messages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The gateway that is asking; of every route of `/sync/v1` that wants a credential. */
    gateway: GatewayRecord
    /** Which of its processes is asking. */
    gatewaySession: string
  }
  interface FastifyContextConfig {
    /** What a route of `/sync/v1` asks for: nothing, the credential, or a session that has said hello as well. */
    sync?: 'open' | 'credential' | 'session'
  }
}

const STRIKES = 3
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MINUTE_MS = 60_000

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

export interface IdentifyDeps {
  store: Pick<StoreTransaction, 'gateways'>
  now: () => EpochMs
  perMinute: number
  /** Two machines have been found to use one identity. */
  onDuplicated: (gateway: GatewayRecord) => Promise<void>
}

/**
 * Finds out who is asking, with each request anew, so that a revocation holds from the next one on at every process.
 * @throws FiskError `gateway_unknown`, `gateway_revoked`, `gateway_duplicated`, `sync_session_replaced`, `rate_limited`
 */
export function createIdentify({ store, now, perMinute, onDuplicated }: IdentifyDeps) {
  const requests = createCounts(MINUTE_MS)

  return async (request: FastifyRequest): Promise<void> => {
    const wanted = request.routeOptions.config.sync ?? 'session'
    if (wanted === 'open') return
    const [scheme, credential = ''] = (request.headers.authorization ?? '').split(' ')
    const gateway =
      scheme === 'Bearer' && CREDENTIAL.test(credential)
        ? await store.gateways.byCredentialHash(hashOf(credential))
        : undefined
    if (!gateway) throw new FiskError('gateway_unknown', 'this server knows no gateway with this credential')
    if (gateway.revokedAt !== null) throw new FiskError('gateway_revoked', `the gateway ${gateway.name} was revoked`)
    const wait = requests.waitS(gateway.id, perMinute)
    if (wait !== null) {
      throw new FiskError('rate_limited', `more than ${perMinute} requests: wait ${wait} seconds`, {
        retryAfterS: wait,
      })
    }
    requests.add(gateway.id)
    if (gateway.duplicatedAt !== null) throw duplicated(gateway)
    const session = request.headers[SESSION_HEADER]
    if (typeof session !== 'string' || !UUID.test(session)) throw replaced('send the session of this process')
    request.gateway = gateway
    request.gatewaySession = session
    if (session === gateway.session) return
    const strikes = session === gateway.sessionBefore ? await store.gateways.strike(gateway.id, session) : 0
    if (strikes >= STRIKES) {
      await store.gateways.update(gateway.id, { duplicatedAt: now() })
      await onDuplicated(gateway)
      throw duplicated(gateway)
    }
    if (wanted === 'session') throw replaced('another process of this gateway has said hello since, or none has')
  }
}

const replaced = (why: string) => new FiskError('sync_session_replaced', why)

const duplicated = ({ name }: GatewayRecord) =>
  new FiskError(
    'gateway_duplicated',
    `two machines use the identity of the gateway ${name}: nothing is taken from either`,
  )

/** So many are remembered at a time; the longest silent are forgotten first. */
const REMEMBERED = 20_000

interface Window {
  count: number
  startedAt: number
}

/** Counts by key, in windows that begin with the first; in time that never goes back. */
export function createCounts(windowMs: number) {
  const windows = new Map<string, Window>()
  const current = (key: string): Window | undefined => {
    const window = windows.get(key)
    return window && performance.now() - window.startedAt < windowMs ? window : undefined
  }
  return {
    add(key: string): void {
      const window = current(key) ?? { count: 0, startedAt: performance.now() }
      window.count++
      windows.delete(key)
      windows.set(key, window)
      if (windows.size > REMEMBERED) windows.delete(windows.keys().next().value ?? '')
    },
    /** Seconds until the window ends in which so many are reached; null while they are not. */
    waitS(key: string, most: number): number | null {
      const window = current(key)
      if (!window || window.count < most) return null
      return Math.ceil((window.startedAt + windowMs - performance.now()) / 1000)
    },
  }
}
