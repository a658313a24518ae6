import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import files from '@fastify/static'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { FiskError } from '../domain/errors.ts'
import { PASSWORD_LINK_PATH } from '../fiscal/access/password-links.ts'
import { accountPages } from './account/routes.ts'
import { alertPages } from './alerts/routes.ts'
import { appearanceRoutes } from './appearance-routes.ts'
import { auditPages } from './audit/routes.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'
import { brandingPages } from './branding/routes.ts'
import { closingPages } from './closings/routes.ts'
import { schedulePages } from './closings/schedules/routes.ts'
import { allCompanyPages } from './companies/routes.ts'
import { allDevicePages } from './devices/routes.ts'
import { exportPages } from './export/routes.ts'
import { parseForms } from './forms.ts'
import { gatewayPages } from './gateways/routes.ts'
import { invoicePages } from './invoices/routes.ts'
import { jobPages } from './jobs/routes.ts'
import { keyPages } from './keys/routes.ts'
import { notEarningPage } from './not-earning/routes.ts'
import { overviewPages } from './overview/routes.ts'
import { createPages, type DashboardDeps, type Pages } from './page-routes.ts'
import { handleRefusals, refusalPage } from './refusals.ts'
import { savedViewPages } from './saved-views/routes.ts'
import { searchPage } from './search/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { userPages } from './users/routes.ts'
import { ASSETS, createViews } from './views.ts'

const PAGES: ((pages: Pages, deps: DashboardDeps) => void)[] = [
  overviewPages,
  notEarningPage,
  searchPage,
  invoicePages,
  exportPages,
  closingPages,
  schedulePages,
  gatewayPages,
  alertPages,
  jobPages,
  keyPages,
  userPages,
  auditPages,
  accountPages,
  allDevicePages,
  allCompanyPages,
  brandingPages,
  savedViewPages,
]

export interface Dashboard {
  app: FastifyInstance
  /** The page that says why a request was refused before it came to the dashboard. */
  refusal(error: FiskError, request: Parameters<typeof refusalPage>[2]): Promise<string>
}

export async function createDashboard(deps: DashboardDeps, log: FastifyBaseLogger): Promise<Dashboard> {
  const views = createViews(deps)
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: DASHBOARD_BOUNDS.pathText.most },
  })
  await app.register(helmet, {
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    referrerPolicy: { policy: 'same-origin' },
  })
  await app.register(cookie)
  await app.register(multipart)
  await app.register(files, {
    root: ASSETS,
    prefix: '/dashboard/assets/',
    maxAge: '365d',
    immutable: true,
    preCompressed: true,
  })
  // Pages are about the present state and for one reader: no browser and no proxy keeps them.
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  parseForms(app)
  handleRefusals(app, views)
  takeSecurityReports(app)
  signInRoutes(app, deps, views)
  appearanceRoutes(app, deps)
  const pages = createPages(app, deps, views)
  for (const add of PAGES) add(pages, deps)
  await app.ready()
  return { app, refusal: (error, request) => refusalPage(views, error, request) }
}

/** Nothing from elsewhere, nothing inline, nothing framed. */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'report-uri': ['/dashboard/csp-report'],
  },
}

/** Anybody may send reports: they are not to fill the log. */
const REPORT_EVERY_MS = 10_000

/** Browsers tell what they have refused: there should be nothing, so whatever there is goes into the log. */
function takeSecurityReports(app: FastifyInstance): void {
  const types = ['application/csp-report', 'application/reports+json']
  app.addContentTypeParser(
    types,
    { parseAs: 'string', bodyLimit: DASHBOARD_BOUNDS.report.most },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(String(body)))
      } catch {
        done(null, null)
      }
    },
  )
  let toldAt = Number.NEGATIVE_INFINITY
  app.post('/dashboard/csp-report', async (request, reply) => {
    reply.status(204)
    if (performance.now() - toldAt < REPORT_EVERY_MS) return reply.send()
    toldAt = performance.now()
    const report = (request.body as Record<string, unknown> | null)?.['csp-report'] as
      | Record<string, unknown>
      | undefined
    const told = (name: string) => withoutToken(String(report?.[name] ?? '')).slice(0, 200)
    request.log.warn(
      { directive: told('violated-directive'), blocked: told('blocked-uri'), source: told('source-file') },
      'a browser has refused something that a page asked for',
    )
    return reply.send()
  })
}

/** Extensions of browsers have refused scripts on any page: the address of a link to set a password stays out of the log. */
const withoutToken = (address: string) => address.replace(TOKEN, PASSWORD_LINK_PATH)
const TOKEN = new RegExp(`${PASSWORD_LINK_PATH}/[^?#]*`)
