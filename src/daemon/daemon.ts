import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance, RawServerDefault } from 'fastify'
import type { Logger } from 'pino'
import { adminRoutes } from '../api/admin/admin-routes.ts'
import { createApp } from '../api/app.ts'
import { errorBody } from '../api/errors.ts'
import { invalidRequest } from '../domain/errors.ts'
import { authenticate } from '../fiscal/api-keys.ts'
import type { Clock } from '../fiscal/ports.ts'
import { type Principal, SCOPES } from '../fiscal/principal.ts'
import { recoverPending } from '../fiscal/recover.ts'
import { DEFAULT_TENANT } from '../store/store.ts'
import type { Config } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { listenSocket, listenTls, type TlsListener, type TlsPair } from './listeners.ts'
import { serverTls } from './server-tls.ts'
import { startSweeper } from './sweeper.ts'
import { VERSION } from './version.ts'
import { wire } from './wire.ts'

export interface Daemon {
  /** Base addresses, e.g. `https://127.0.0.1:8443`; `/v1` follows. */
  urls: string[]
  /** The sweep, now. */
  sweep(): Promise<void>
  /** Takes nothing new, finishes what is under way, and lets go of the data directory. */
  close(): Promise<void>
}

/** Whoever may open the admin socket. */
const OPERATOR: Principal = { id: 'operator', tenantId: DEFAULT_TENANT, mode: null, scopes: SCOPES, deviceId: null }

/**
 * Starts everything, in the order in which it can fail harmlessly: sales are taken only when all else stands.
 * @throws Error that says what to do when something cannot be had; nothing is left running then
 */
export async function startDaemon(config: Config, log: Logger, clock: Clock = { now: Date.now }): Promise<Daemon> {
  const opened: (() => unknown)[] = []
  const close = async () => {
    while (opened.length > 0) await opened.pop()?.()
  }
  try {
    for (const name of config.unknownVariables) log.warn(`${name} is not a variable of fiskd: it has no effect`)
    const { store, vault, lock } = await openDataDir(config, clock.now())
    opened.push(
      () => lock.release(),
      () => store.close(),
    )
    const recovered = await recoverPending(store)
    if (recovered > 0) log.warn({ recovered }, 'sales that were being sent when fiskd stopped will be sent again')

    const house = wire({ config, store, vault, clock, log, newUuid: randomUUID, newInvoiceId })
    opened.push(() => house.close())
    const sweeper = startSweeper(house.sweep, config.sweepIntervalMs, log)
    opened.push(() => sweeper.close())

    const docsUrl = config.docsUrl ?? `https://${config.listen[0]?.host}:${config.listen[0]?.port}/docs`
    const options = { useCases: house.useCases, log, docsUrl, version: VERSION }
    const app = await createApp({
      ...options,
      identify: (request) => authenticate(store, request.headers.authorization),
    })
    const adminApp = await createApp({ ...options, identify: async () => OPERATOR })
    await adminApp.register(adminRoutes, {
      prefix: '/admin',
      useCases: house.adminUseCases,
      facts: { version: VERSION, role: config.role, startedAt: clock.now(), now: clock.now },
      operator: OPERATOR,
    })
    await Promise.all([app.ready(), adminApp.ready()])
    opened.push(() => Promise.all([app.close(), adminApp.close()]))

    const admin = await listenSocket(config.socketPath, handlerOf(adminApp))
    opened.push(() => admin.close())
    const refusal = JSON.stringify(errorBody(invalidRequest('scheme', 'use https: plain HTTP is refused'), docsUrl))
    const tls = await serverTls(config, clock.now())
    for (const name of tls.unusableNames) log.warn(`no certificate can carry the name ${name}: use another to connect`)
    const listeners = await listenAll(config, log, handlerOf(app), refusal, tls)
    opened.push(() => Promise.all(listeners.map((listener) => listener.close())))
    opened.push(keepTlsFresh(config, log, clock, listeners))
    return { urls: listeners.map(({ url }) => url), sweep: sweeper.sweep, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Time first, so that neighbours in time are neighbours in the index; the rest is random. */
function newInvoiceId(): string {
  return `inv_${Date.now().toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`
}

function handlerOf(app: FastifyInstance): FastifyInstance<RawServerDefault>['routing'] {
  return (request, response) => app.routing(request, response)
}

/** A daemon runs for years and its certificate does not: twice a day it is looked after, without a restart. */
function keepTlsFresh(config: Config, log: Logger, clock: Clock, listeners: readonly TlsListener[]): () => void {
  const look = async () => {
    try {
      const tls = await serverTls(config, clock.now())
      if (tls.renewed) for (const listener of listeners) listener.useCertificate(tls)
    } catch (error) {
      log.error({ err: error }, 'the TLS certificate could not be renewed')
    }
  }
  const timer = setInterval(look, TLS_CHECK_MS)
  return () => clearInterval(timer)
}

const TLS_CHECK_MS = 12 * 3_600_000

/** An address family that the host lacks is skipped when nobody asked for it. */
async function listenAll(
  config: Config,
  log: Logger,
  handler: ReturnType<typeof handlerOf>,
  refusal: string,
  tls: TlsPair,
): Promise<TlsListener[]> {
  const listeners: TlsListener[] = []
  try {
    for (const address of config.listen) {
      try {
        listeners.push(await listenTls(address, tls, handler, refusal))
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? ''
        const lacksFamily = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
        if (config.listenConfigured || !lacksFamily) {
          throw new Error(`cannot listen on ${address.host} port ${address.port}: ${code}`, { cause: error })
        }
        log.warn(`this host has no ${address.host}: not listening there`)
      }
    }
    return listeners
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()))
    throw error
  }
}
