import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { explainCodes } from '../../domain/sale/refusal.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { failedTexts } from './failed-texts.ts'

/** What was refused, by cause, with a way to send all of a cause again as a bulk job. */
export async function failedPage({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const { language, principal } = context
  const t = failedTexts[language]
  const causes = await office.search.failures(principal)
  const parked = await office.search.parked(principal)
  return context.show('invoices/failed', {
    t,
    mayRetry: context.may('operator'),
    causes: causes.map((cause) => ({
      ...cause,
      ...t.causes[cause.code ?? 'unknown'],
      explained: explainCodes(cause.restrictiveCodes, language, 'office'),
      believedAgain: cause.code === UNPROVEN_JIR && parked.maySend,
    })),
  })
}
