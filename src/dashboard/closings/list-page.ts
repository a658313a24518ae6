import { isOver, periodAfter, periodName, shownPeriod } from '../../domain/sale/closing-period.ts'
import type { MailForm } from '../mail-form.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { salesChoices } from '../sales-choices.ts'
import { type ClosingChoice, queryOf, readClosingChoice, writeAfter } from './choice.ts'
import { texts } from './texts.ts'
import { sumsView } from './view.ts'

export type ClosingPageDeps = Pick<DashboardDeps, 'v1' | 'office' | 'now'>

export const LIST = '/dashboard/closings'
const PER_PAGE = 50

/** The closings of a day or month with their sums, and what is open in it. */
export async function listPage(
  deps: ClosingPageDeps,
  context: PageContext,
  refused?: Pick<MailForm, 'to' | 'error'>,
): Promise<unknown> {
  const { principal, language } = context
  const { closings, closingMails } = deps.office
  const { choices, choice } = await chosenBy(deps, context)
  const { wanted, values, after } = choice
  const t = texts[language]
  const [state, sums, { items, next }] = await Promise.all([
    closings.state(principal, wanted),
    closings.sums(principal, wanted),
    closings.list(principal, wanted, { limit: PER_PAGE, after }),
  ])
  const here = (changes: Record<string, string> = {}) => `${LIST}?${queryOf(choice, changes)}`
  const linkTo = (period: typeof wanted) => ({
    url: here({ period: periodName(period) }),
    text: shownPeriod(period, language),
  })
  const over = isOver(wanted, deps.now())
  const form = { to: context.user.email ?? '', ...refused, action: `${LIST}/mail`, hidden: values }
  const view = {
    title: t.title,
    t,
    choices,
    values,
    period: shownPeriod(wanted, language),
    isOver: over,
    state,
    openInvoices: state.open.reduce((sum, { invoices }) => sum + invoices, 0),
    sums: sums.closings === 0 ? null : sumsView(sums, t),
    closings: sums.closings,
    rows: items.map(({ id, document }) => ({ id, ...document, ...sumsView(document, t) })),
    here: here(),
    before: linkTo({ ...wanted, ...periodAfter(wanted, -1) }),
    following: over ? linkTo({ ...wanted, ...periodAfter(wanted) }) : null,
    units: (['day', 'month'] as const).map((unit) => ({
      text: t.units[unit],
      url: `${LIST}?${new URLSearchParams({ ...values, unit, period: '' })}`,
      current: unit === wanted.unit,
    })),
    mail: closingMails.isSet && context.may('operator') ? form : null,
    mails: sums.closings === 0 ? [] : await closingMails.sent(principal, wanted),
    file: `${LIST}/file.csv?${queryOf(choice)}`,
    next: next && here({ after: writeAfter(next) }),
    first: after ? here() : null,
  }
  return context.show('closings/list', view, refused ? 422 : 200)
}

/** Which closings a page, a form or a file is about. */
export async function chosenBy({ v1, now }: ClosingPageDeps, { principal, query, form, request }: PageContext) {
  const choices = await salesChoices(v1, principal)
  const asked = request.method === 'POST' ? form : query
  const choice: ClosingChoice = readClosingChoice(asked, now(), choices.mode)
  return { choices, choice }
}
