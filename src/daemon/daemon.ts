import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { adminRoutes } from '../api/admin/admin-routes.ts'
import { createApp } from '../api/app.ts'
import { sessionRoutes } from '../dashboard/session-routes.ts'
import type { Clock } from '../fiscal/ports.ts'
import { recoverPending } from '../fiscal/recover.ts'
import { timeOrderedId } from '../fiscal/time-ordered-id.ts'
import type { Config } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { identifyCaller, identifyOperator } from './identify.ts'
import { listenSocket } from './listeners.ts'
import { docsUrlOf, refusalsOf, serve } from './serve.ts'
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
    await house.revokeListed()
    const sweeper = startSweeper(house.sweep, config.sweepIntervalMs, log)
    opened.push(() => sweeper.close())

    let docsUrl = docsUrlOf(config)
    const refusals = refusalsOf(() => docsUrl)
    const options = { useCases: house.useCases, log, docsUrl: () => docsUrl, version: VERSION }
    const app = await createApp({
      ...options,
      identify: (request) => identifyCaller(request, store, house.sessions),
      open: { limits: config.rateLimits },
    })
    await app.register(sessionRoutes, { useCases: house.sessions })
    const identify = (request: FastifyRequest) => identifyOperator(request, store)
    const adminApp = await createApp({ ...options, identify, open: null })
    await adminApp.register(adminRoutes, {
      prefix: '/admin',
      useCases: house.adminUseCases,
      facts: { version: VERSION, role: config.role, startedAt: clock.now(), now: clock.now },
      identify,
    })
    await Promise.all([app.ready(), adminApp.ready()])
    opened.push(() => Promise.all([app.close(), adminApp.close()]))

    const admin = await listenSocket(config.socketPath, handlerOf(adminApp), refusals)
    opened.push(() => admin.close())
    const listeners = await serve(config, log, clock, handlerOf(app), refusals)
    opened.push(() => listeners.close())
    docsUrl = docsUrlOf(config, listeners.urls[0])
    // First of all at the end: no new message is sent while the sales under way are being answered.
    opened.push(() => sweeper.stop())
    return { urls: listeners.urls, sweep: sweeper.sweep, close }
  } catch (error) {
    await close()
    throw error
  }
}

function newInvoiceId(): string {
  return `inv_${timeOrderedId(Date.now())}`
}

function handlerOf(app: FastifyInstance): RequestListener {
  return (request, response) => app.routing(request, response)
}
