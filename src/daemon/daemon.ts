import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { adminRoutes } from '../api/admin/admin-routes.ts'
import { createApp } from '../api/app.ts'
import { isLocal, metricsRoute } from '../api/metrics/metrics-route.ts'
import { sessionRoutes } from '../dashboard/session-routes.ts'
import type { SystemClock } from '../fiscal/ports.ts'
import { timeOrderedId } from '../fiscal/time-ordered-id.ts'
import { startClock } from './clock-start.ts'
import { systemClock } from './clock-system.ts'
import type { Config } from './config.ts'
import { withLog } from './current-log.ts'
import { claimDataDir, openDataDir } from './data-dir.ts'
import { listenSocket } from './listeners.ts'
import { createMetrics } from './metrics/metrics.ts'
import { refusingService } from './refusing.ts'
import { docsUrlOf, refusalsOf, type ServeClock, serve } from './serve.ts'
import { NoDatabase, reportDamage } from './sound-database.ts'
import { VERSION } from './version.ts'
import { type Service, wire } from './wire.ts'

export interface Daemon {
  /** Base addresses, e.g. `https://127.0.0.1:8443`; `/v1` follows. */
  urls: string[]
  /** The sweep, now. */
  sweep(): Promise<void>
  /** Stores how late it is. @throws when the database takes no writes */
  beat(): Promise<void>
  /** Asks whether the clock is synchronised, and stores how late it is: what happens each minute. */
  checkClock(): Promise<void>
  /** Resolves when the daemon can do its work no longer and has to be started again, with the reason. */
  failed: Promise<Error>
  /** Takes nothing new, finishes what is under way, and lets go of the data directory. */
  close(): Promise<void>
}

/**
 * Starts everything, in the order in which it can fail harmlessly: sales are taken only when all else stands.
 * @throws Error that says what to do when something cannot be had; nothing is left running then
 */
export async function startDaemon(config: Config, log: Logger, system: SystemClock = systemClock()): Promise<Daemon> {
  const startedAt = system.elapsed()
  /** Until there is a database that knows how late it was, the system's clock is all there is. */
  let clock: ServeClock = { now: system.now, since: system.now }
  let [beat, checkClock] = [async () => {}, async () => {}]
  const opened: (() => unknown)[] = []
  const close = async () => {
    while (opened.length > 0) await opened.pop()?.()
  }
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })

  const metrics = createMetrics({ version: VERSION, role: config.role })

  async function openService(): Promise<Service> {
    try {
      const { store, vault, close } = await openDataDir(config, system.now(), onDamage)
      opened.push(close)
      const watch = await startClock(system, store, log)
      opened.push(() => watch.close())
      clock = { now: watch.now, since: () => watch.state().provenAt ?? watch.now() }
      ;({ beat, check: checkClock } = watch)
      return wire({
        config,
        store,
        vault,
        clock: watch,
        log,
        newUuid: randomUUID,
        newInvoiceId,
        metrics,
      })
    } catch (error) {
      if (!(error instanceof NoDatabase)) throw error
      log.fatal(`${error.message}: nothing can be sold; ${error.fix}`)
      return refusingService(error, clock)
    }
  }

  function onDamage(problem: string): void {
    const report = () => fail(new Error(`the database is damaged: ${problem}`))
    reportDamage(config.dataDir, problem).then(report, report)
  }

  try {
    for (const name of config.unknownVariables) log.warn(`${name} is not a variable of fiskd: it has no effect`)
    const lock = await claimDataDir(config.dataDir)
    opened.push(() => lock.release())
    const service = await openService()
    opened.push(() => service.close())
    await service.recover()

    let docsUrl = docsUrlOf(config)
    const refusals = refusalsOf(() => docsUrl)
    const options = { useCases: service.useCases, log, underLog: withLog, docsUrl: () => docsUrl, version: VERSION }
    const app = await createApp({
      ...options,
      identify: service.identifyCaller,
      open: { limits: config.rateLimits },
    })
    await app.register(sessionRoutes, { useCases: service.sessions })
    const scrape = () => metrics.scrape(service.facts)
    await app.register(metricsRoute, { scrape, mayLook: isLocal })
    const adminApp = await createApp({ ...options, identify: service.identifyOperator, open: null })
    await adminApp.register(adminRoutes, {
      prefix: '/admin',
      useCases: service.adminUseCases,
      facts: { version: VERSION, role: config.role, uptimeMs: () => system.elapsed() - startedAt, now: clock.now },
      identify: service.identifyOperator,
    })
    await adminApp.register(metricsRoute, { scrape, mayLook: () => true })
    await Promise.all([app.ready(), adminApp.ready()])
    opened.push(() => Promise.all([app.close(), adminApp.close()]))

    const admin = await listenSocket(config.socketPath, handlerOf(adminApp), refusals)
    opened.push(() => admin.close())
    const listeners = await serve(config, log, clock, handlerOf(app), refusals)
    opened.push(() => listeners.close())
    docsUrl = docsUrlOf(config, listeners.urls[0])
    // First of all at the end: no new message is sent while the sales under way are being answered.
    opened.push(() => service.stop())
    service.start()
    return { urls: listeners.urls, sweep: service.sweep, beat, checkClock, failed, close }
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
