import { invalidRequest } from '../../domain/errors.ts'
import { FISCAL_ERRORS, type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { explainCodes } from '../../domain/sale/restrictive-codes.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { failedTexts } from './failed-texts.ts'

type Deps = Pick<DashboardDeps, 'admin' | 'office'>

/** What was refused, by cause, with a way to send all of a cause again, and how that gets on. */
export async function failedPage({ office }: Deps, context: PageContext): Promise<unknown> {
  const { language, principal } = context
  const t = failedTexts[language]
  const { causes, total } = await office.search.failures(principal)
  const parked = await office.search.parked(principal)
  return context.show('invoices/failed', {
    title: t.title,
    t,
    total,
    progress: await progressOf(office, context),
    mayRetry: context.may('operator'),
    causes: causes.map((cause) => ({
      ...cause,
      ...t.causes[cause.code ?? 'unknown'],
      explained: explainCodes(cause.restrictiveCodes, language),
      believedAgain: cause.code === UNPROVEN_JIR && parked.maySend,
    })),
  })
}

/** The progress of sending again; a browser polls it until all were sent. */
export async function failedProgress({ office }: Deps, context: PageContext): Promise<unknown> {
  const t = failedTexts[context.language]
  return context.fragment('invoices/progress', { t, progress: await progressOf(office, context) })
}

async function progressOf(office: Deps['office'], { principal, query }: PageContext) {
  const asked = Number(query.of)
  if (!Number.isSafeInteger(asked) || asked < 0) return null
  const waiting = await office.search.notSentYet(principal)
  const of = Math.max(asked, waiting)
  return of === 0 ? null : { of, waiting, done: of - waiting, url: `/dashboard/invoices/failed/progress?of=${of}` }
}

/** Puts all invoices of a cause back into the queue, here and at their gateways. A second click finds none. */
export async function retryFailed({ admin }: Deps, context: PageContext): Promise<unknown> {
  const { code } = context.form
  if (!isFiscalError(code)) throw invalidRequest('code', 'there is no such cause')
  const { requeued, askedGateways } = await admin.requeueFailed(context.principal, code)
  return context.go(`/dashboard/invoices/failed?of=${requeued}`, askedGateways > 0 ? 'sent_to_gateways' : undefined)
}

function isFiscalError(code: string | undefined): code is FiscalErrorCode {
  return code !== undefined && Object.hasOwn(FISCAL_ERRORS, code)
}
