import { invalidRequest } from '../../domain/errors.ts'
import { FISCAL_ERRORS, type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { explainCodes } from '../../domain/sale/refusal.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import { addressOf } from '../addresses.ts'
import { standingsFor, viewOfStandings } from '../gateways/standing-view.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { failedTexts } from './failed-texts.ts'

/** What was refused, by cause, with a way to send all of a cause again, and how that gets on. */
export async function failedPage(deps: DashboardDeps, context: PageContext): Promise<unknown> {
  const { office } = deps
  const { language, principal } = context
  const t = failedTexts[language]
  const { causes, total } = await office.search.failures(principal)
  const parked = await office.search.parked(principal)
  const gatewayIds = [...new Set(causes.flatMap((cause) => cause.gatewayIds))]
  const isRequeue = ({ type }: GatewayCommand) => type === 'invoices.requeue'
  const standings = await standingsFor(deps, context, gatewayIds, isRequeue)
  return context.show('invoices/failed', {
    t,
    total,
    progress: await progressOf(office, context),
    standing: viewOfStandings(standings, context, '/dashboard/invoices/failed'),
    mayRetry: context.may('operator'),
    causes: causes.map((cause) => ({
      ...cause,
      ...t.causes[cause.code ?? 'unknown'],
      explained: explainCodes(cause.restrictiveCodes, language, 'office'),
      believedAgain: cause.code === UNPROVEN_JIR && parked.maySend,
    })),
  })
}

/** The progress of sending again; a browser polls it until all were sent. */
export async function failedProgress({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const t = failedTexts[context.language]
  return context.fragment('invoices/progress', { t, progress: await progressOf(office, context) })
}

async function progressOf(office: DashboardDeps['office'], { principal, query }: PageContext) {
  const asked = Number(query.of)
  if (!Number.isSafeInteger(asked) || asked < 0) return null
  const waiting = await office.search.notSentYet(principal)
  const of = Math.max(asked, waiting)
  return of === 0 ? null : { of, waiting, done: of - waiting, url: `/dashboard/invoices/failed/progress?of=${of}` }
}

/** The page after it names at most so many commands. */
const MOST_NAMED = 20

/** Puts all invoices of a cause back into the queue, here and at their gateways. A second click finds none. */
export async function retryFailed({ admin }: DashboardDeps, context: PageContext): Promise<unknown> {
  const { code } = context.form
  if (!isFiscalError(code)) throw invalidRequest('code', 'there is no such cause')
  const { requeued, commands } = await admin.requeueFailed(context.principal, code)
  const sent = commands.slice(0, MOST_NAMED).join(',')
  return context.go(addressOf('/dashboard/invoices/failed', { of: String(requeued), sent }))
}

function isFiscalError(code: string | undefined): code is FiscalErrorCode {
  return code !== undefined && Object.hasOwn(FISCAL_ERRORS, code)
}
