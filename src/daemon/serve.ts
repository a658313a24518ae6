import type { RequestListener } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Logger } from 'pino'
import { type DocsUrl, errorBody } from '../api/errors.ts'
import { invalidRequest } from '../domain/errors.ts'
import type { Config } from './config.ts'
import { LISTENER_LIMITS, SERVER_LIMITS } from './listener-limits.ts'
import { listenTls, type Refusals, type TlsListener } from './listeners.ts'
import { serverTls } from './server-tls.ts'

/**
 * Base address of the error pages: the configured one, or this daemon's own by a name its certificate carries, at the
 * port that the first listener has got.
 */
export function docsUrlOf({ docsUrl, listen }: Config, listeningAt = ''): string {
  const { host, port: wanted } = listen[0] ?? { host: 'localhost', port: 8443 }
  const port = /:(\d+)$/.exec(listeningAt)?.[1] ?? wanted
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return docsUrl ?? `https://${name}:${port}/docs`
}

export function refusalsOf(docsUrl: DocsUrl): Refusals {
  const write = (param: string, message: string) => JSON.stringify(errorBody(invalidRequest(param, message), docsUrl()))
  return {
    plainHttp: () => write('scheme', 'use https: plain HTTP is refused'),
    malformedHttp: () => write('request', 'this is not well-formed HTTP/1.1, or its headers are too large'),
  }
}

/** For how long certificates are valid. */
export interface ServeClock {
  now(): number
  /** A moment that is certainly past. */
  since(): number
}

/**
 * Listens on every configured address, and keeps the certificate fresh while it does. An address family that the host
 * lacks is skipped when nobody asked for it.
 * @throws Error that names the address which cannot be had; none is listened on then
 */
export async function serve(
  config: Config,
  log: Logger,
  clock: ServeClock,
  handler: RequestListener,
  refusals: Refusals,
) {
  const tls = await serverTls(config, clock.now(), clock.since())
  for (const name of tls.unusableNames) log.warn(`no certificate can carry the name ${name}: use another to connect`)
  const limits = config.role === 'server' ? SERVER_LIMITS : LISTENER_LIMITS
  const listeners: TlsListener[] = []
  const close = async () => {
    clearInterval(timer)
    await Promise.all(listeners.map((listener) => listener.close()))
  }
  const timer = setInterval(() => renewTls(config, log, clock, listeners), TLS_CHECK_MS)
  try {
    for (const address of config.listen) {
      try {
        listeners.push(await listenTls(address, tls, handler, refusals, limits))
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? ''
        const lacksFamily = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
        if (config.listenConfigured || !lacksFamily) {
          throw new Error(`cannot listen on ${address.host} port ${address.port}: ${code}`, { cause: error })
        }
        log.warn(`this host has no ${address.host}: not listening there`)
      }
    }
    return { urls: listeners.map(({ url }) => url), close }
  } catch (error) {
    await close()
    throw error
  }
}

const TLS_CHECK_MS = 12 * 3_600_000

/** A daemon runs for years and its certificate does not: twice a day it is looked after, without a restart. */
async function renewTls(
  config: Config,
  log: Logger,
  clock: ServeClock,
  listeners: readonly TlsListener[],
): Promise<void> {
  try {
    const tls = await serverTls(config, clock.now(), clock.since())
    if (tls.renewed) for (const listener of listeners) listener.useCertificate(tls)
  } catch (error) {
    log.error({ err: error }, 'the TLS certificate could not be renewed')
  }
}
