import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import files from '@fastify/static'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { FiskError } from '../domain/errors.ts'
import { accountPages } from './account/routes.ts'
import { alertPages } from './alerts/routes.ts'
import { appearanceRoutes } from './appearance-routes.ts'
import { ASSETS } from './asset-files.ts'
import { auditPages } from './audit/routes.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'
import { brandingPages, logoRoute } from './branding/routes.ts'
import { closingPages } from './closings/routes.ts'
import { schedulePages } from './closings/schedules/routes.ts'
import { allCompanyPages } from './companies/routes.ts'
import { CONTENT_SECURITY_POLICY, takeSecurityReports } from './content-security-policy.ts'
import { allDevicePages } from './devices/routes.ts'
import { exportPages } from './export/routes.ts'
import { parseForms } from './forms.ts'
import { gatewayPages } from './gateways/routes.ts'
import { invoicePages } from './invoices/routes.ts'
import { jobPages } from './jobs/routes.ts'
import { keyPages } from './keys/routes.ts'
import { overviewPages } from './overview/routes.ts'
import { createPages, type DashboardDeps, type Pages } from './page-routes.ts'
import { handleRefusals, refusalPage } from './refusals.ts'
import { savedViewPages } from './saved-views/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { userPages } from './users/routes.ts'
import { createViews } from './views.ts'

const PAGES: ((pages: Pages, deps: DashboardDeps) => void)[] = [
  overviewPages,
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

/** The pages, as an app of their own. */
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
  logoRoute(app, deps)
  const pages = createPages(app, deps, views)
  for (const add of PAGES) add(pages, deps)
  await app.ready()
  return { app, refusal: (error, request) => refusalPage(views, error, request) }
}
