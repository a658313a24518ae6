import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { adminRoutes } from '../../api/admin/admin-routes.ts'
import { createApp } from '../../api/app.ts'
import { isLocal, metricsRoute } from '../../api/metrics/metrics-route.ts'
import { createRateWindows, createUploadLimit } from '../../api/rate-limits.ts'
import { lazyDashboard } from '../../dashboard/lazy-dashboard.ts'
import { sessionRoutes } from '../../dashboard/session-routes.ts'
import { MINUTE_MS } from '../../domain/instant.ts'
import type { ListenState } from '../../fiscal/ports/machine.ts'
import { RECEIPT_PAGE_BOUNDS } from '../../receipt-pages/bounds.ts'
import { syncRoutes } from '../../sync/server/routes.ts'
import type { Service } from '../compose/service.ts'
import type { Config } from '../config.ts'
import { withLog } from '../lifecycle/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { VERSION } from '../version.ts'
import { clientNetwork } from './connection-limit.ts'
import { listenSocket } from './listeners.ts'
import { trustedCa } from './published-ca.ts'
import { docsUrlOf, refusalsOf, type ServeClock, serve } from './serve.ts'

export interface ApplicationsDeps {
  config: Config
  log: Logger
  service: Service
  clock: ServeClock
  metrics: Metrics
  uptimeMs: () => number
}

export async function createApplications({ config, log, service, clock, metrics, uptimeMs }: ApplicationsDeps) {
  let docsUrl = docsUrlOf(config)
  let outside: Awaited<ReturnType<typeof serve>> | undefined
  const listened = (): ListenState[] => outside?.state() ?? []
  const countUpload = createUploadLimit(config.rateLimits)
  const common = { useCases: service.useCases, log, underLog: withLog, docsUrl: () => docsUrl, version: VERSION }
  const options = { ...common, countUpload }
  const scrape = () => metrics.scrape(service.facts)

  const ca = () => trustedCa(config)
  const open = { limits: config.rateLimits, networkOf: clientNetwork, caPem: async () => (await ca())?.pem ?? null }
  const app = await createApp({ ...options, identify: service.identifyCaller, open })
  await app.register(sessionRoutes, { useCases: service.sessions })
  await app.register(lazyDashboard, {
    log,
    deps: {
      v1: service.useCases,
      admin: service.adminUseCases,
      office: service.office,
      sessions: service.sessions,
      role: config.role,
      version: VERSION,
      now: clock.now,
      countUpload,
    },
  })
  await app.register(metricsRoute, { scrape, mayLook: isLocal })
  if (service.sync) await app.register(syncRoutes, { prefix: '/sync/v1', ...service.sync.routes })

  const adminApp = await createApp({ ...options, identify: service.identifyOperator, open: null })
  await adminApp.register(adminRoutes, {
    prefix: '/admin',
    useCases: service.adminUseCases,
    office: service.office,
    facts: { version: VERSION, role: config.role, uptimeMs, now: clock.now, listened, ca },
    identify: service.identifyOperator,
    countUpload,
  })
  await adminApp.register(metricsRoute, { scrape, mayLook: () => true })
  const receipts = service.receiptPages && (await receiptPagesOf(config, service.receiptPages, log))
  await Promise.all([app.ready(), adminApp.ready(), receipts?.ready()])

  const listeners: { close(): Promise<void> }[] = []
  return {
    /** The configured addresses, each with its problem if it is not reachable; empty before `open`. */
    listened,
    /** Where receipts are shown; empty before `open`, and where none are. */
    receiptUrls: (): string[] => outside?.receiptUrls ?? [],
    async open(): Promise<string[]> {
      const refusals = refusalsOf(() => docsUrl)
      listeners.push(await listenSocket(config.socketPath, handlerOf(adminApp), refusals))
      outside = await serve(config, log, clock, handlerOf(app), refusals, receipts && handlerOf(receipts))
      listeners.push(outside)
      docsUrl = docsUrlOf(config, outside.urls[0])
      return outside.urls
    },
    /** Accepts no new connections, answers the requests under way, then resolves. */
    async close(): Promise<void> {
      for (const listener of listeners.reverse()) await listener.close()
      await Promise.all([app.close(), adminApp.close(), receipts?.close()])
    },
  }
}

function handlerOf(app: FastifyInstance): RequestListener {
  return (request, response) => app.routing(request, response)
}

/** Loaded only where receipts are shown. */
async function receiptPagesOf(
  { rateLimits }: Config,
  pages: NonNullable<Service['receiptPages']>,
  log: Logger,
): Promise<FastifyInstance> {
  const { createReceiptPages } = await import('../../receipt-pages/receipt-pages.ts')
  const { ASSETS } = await import('../../dashboard/views.ts')
  const [ofAddress, ofAll] = [createRateWindows(MINUTE_MS), createRateWindows(MINUTE_MS)]
  const { perAddress, inAll } = RECEIPT_PAGE_BOUNDS
  const mayAsk = (address: string) =>
    !rateLimits.enabled ||
    (ofAddress(clientNetwork(address)).current <= perAddress.most && ofAll('').current <= inAll.most)
  const tokensCss = await readFile(join(ASSETS, 'tokens.css'), 'utf8')
  return createReceiptPages({ ...pages, mayAsk, tokensCss }, log)
}
