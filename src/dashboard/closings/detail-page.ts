import { shownPeriod } from '../../domain/sale/closing-period.ts'
import type { MailForm } from '../mail-form.ts'
import type { PageContext } from '../page-routes.ts'
import { type ClosingPageDeps, LIST } from './list-page.ts'
import { texts } from './texts.ts'
import { sumsView } from './view.ts'

/** One closing: its sums, its numbers, on paper and by mail. */
export async function detailPage(
  { office }: ClosingPageDeps,
  context: PageContext,
  refused?: Pick<MailForm, 'to' | 'error'>,
): Promise<unknown> {
  const { closings, closingReceipts, closingMails } = office
  const { principal, language } = context
  const t = texts[language]
  const closing = await closings.get(principal, context.params.id ?? '')
  const { id, document } = closing
  const period = shownPeriod(document, language)
  const mayAct = context.may('operator')
  const form = { to: context.user.email ?? '', ...refused, action: `${LIST}/${id}/mail` }
  const difference = context.query.verify === 'yes' ? await closings.verify(principal, id) : undefined
  const view = {
    title: document.number === 1 ? t.closingOf(period) : t.supplementOf(period),
    shownMode: document.mode,
    t,
    ...{ id, closing: document, period },
    ...sumsView(document, t),
    printer: mayAct ? await closingReceipts.printerOf(closing) : undefined,
    // Null where it was checked and is right.
    verdict: difference === null ? null : difference?.[language],
    mail: closingMails.isSet && mayAct ? form : null,
    mails: await closingMails.sent(principal, { ...document, companyId: document.company.id, closingId: id }),
  }
  return context.show('closings/detail', view, refused ? 422 : 200)
}
