import { notFound } from '../../domain/errors.ts'
import type { OfficeMail } from '../../fiscal/ports/office-mail.ts'
import { closingLetter } from '../../reports/closings/letter.ts'
import { addressIn, refusedMail } from '../mail-form.ts'
import type { PageContext } from '../page-routes.ts'
import { queryOf } from './choice.ts'
import { detailPage } from './detail-page.ts'
import { type ClosingPageDeps, chosenBy, LIST, listPage } from './list-page.ts'

/** Mails the shown closings with their CSV file. */
export async function mailList(deps: ClosingPageDeps, context: PageContext): Promise<unknown> {
  const { closings, closingMails } = deps.office
  const { principal, language } = context
  const { choice } = await chosenBy(deps, context)
  const { wanted } = choice
  const { items } = await closings.list(principal, wanted, { limit: 1 })
  if (!choice.isGiven || items.length === 0) throw notFound('period', 'there are no closings to send')
  const letter = await closingLetter({ to: addressIn(context), language }, wanted, closings.all(principal, wanted))
  return context.once<OfficeMail>((keep) => closingMails.send(principal, wanted, letter, keep), {
    to: `${LIST}?${queryOf(choice)}`,
    notice: 'mail_ready',
    refused: (errors) => listPage(deps, context, refusedMail(context, errors)),
  })
}

/** Mails one closing, with the same file for it alone. */
export async function mailOne(deps: ClosingPageDeps, context: PageContext): Promise<unknown> {
  const { closings, closingMails } = deps.office
  const { principal, language } = context
  const closing = await closings.get(principal, context.params.id ?? '')
  const { unit, starts, mode, company, premisesCode } = closing.document
  const wanted = { unit, starts, mode, companyId: company.id, premisesCode, closingId: closing.id }
  const letter = await closingLetter({ to: addressIn(context), language }, wanted, [[closing]])
  return context.once<OfficeMail>((keep) => closingMails.send(principal, wanted, letter, keep), {
    to: `${LIST}/${closing.id}`,
    notice: 'mail_ready',
    refused: (errors) => detailPage(deps, context, refusedMail(context, errors)),
  })
}
