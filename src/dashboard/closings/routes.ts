import { FiskError, notFound } from '../../domain/errors.ts'
import { isOver, periodAfter, periodName, periodText } from '../../domain/sale/closing-period.ts'
import type { ClosingPrint } from '../../fiscal/closings/closing-receipts.ts'
import type { OfficeMail } from '../../fiscal/ports/office-mail.ts'
import type { DashboardDeps, Notice, PageContext, Pages } from '../page-routes.ts'
import { salesChoices } from '../sales-choices.ts'
import { type ClosingChoice, queryOf, readClosingChoice, writeAfter } from './choice.ts'
import { closingsCsv } from './file.ts'
import { letterOf } from './letter.ts'
import { texts } from './texts.ts'
import { sumsView } from './view.ts'

const LIST = '/dashboard/closings'
const PER_PAGE = 50

/** Null for a form that was sent twice: the first one was told. */
function noticeOf(print: ClosingPrint | null): Notice {
  if (print === null) return 'closing_sent'
  return print.status === 'printed' || print.status === 'unconfirmed' ? 'closing_printed' : 'closing_not_printed'
}

/** Closings of a day or month, one closing, and closing what is open. */
export function closingPages(pages: Pages, { v1, office, now }: Pick<DashboardDeps, 'v1' | 'office' | 'now'>): void {
  const { closings, closingReceipts, closingMails } = office

  pages.get('/closings', async (context) => {
    const { principal, language } = context
    const { choices, choice } = await chosenBy(context)
    const { wanted, after } = choice
    const t = texts[language]
    const [state, sums, { items, next }] = await Promise.all([
      closings.state(principal, wanted),
      closings.sums(principal, wanted),
      closings.list(principal, wanted, { limit: PER_PAGE, after }),
    ])
    const here = (changes: Record<string, string> = {}) => `${LIST}?${queryOf(choice, changes)}`
    const last = periodAfter(wanted, -1)
    const following = periodAfter(wanted)
    return context.show('closings/list', {
      title: t.title,
      t,
      choices,
      values: choice.values,
      period: periodText(wanted),
      isOver: isOver(wanted, now()),
      state,
      openInvoices: state.open.reduce((sum, { invoices }) => sum + invoices, 0),
      sums: sums.closings === 0 ? null : sumsView(sums, t),
      closings: sums.closings,
      rows: items.map(({ id, document }) => ({ id, ...document, ...sumsView(document, t) })),
      here: here(),
      before: { url: here({ period: periodName(last) }), text: periodText(last) },
      following: isOver(wanted, now())
        ? { url: here({ period: periodName(following) }), text: periodText(following) }
        : null,
      units: (['day', 'month'] as const).map((unit) => ({
        text: t.units[unit],
        url: `${LIST}?${new URLSearchParams({ ...choice.values, unit, period: '' })}`,
        current: unit === wanted.unit,
      })),
      mayMail: closingMails.isSet && context.may('operator'),
      mailTo: context.user.email ?? '',
      mails: sums.closings === 0 ? [] : await closingMails.sent(principal, wanted),
      file: `${LIST}/file.csv?${queryOf(choice)}`,
      next: next && here({ after: writeAfter(next) }),
      first: after ? here() : null,
    })
  })

  pages.get('/closings/file.csv', async (context) => {
    const { choice } = await chosenBy(context)
    const { name, content } = closingsCsv(
      closings.all(context.principal, choice.wanted),
      choice,
      texts[context.language],
    )
    const attachment = `attachment; filename="${name}"`
    return context.reply.type('text/csv; charset=utf-8').header('content-disposition', attachment).send(content)
  })

  pages.post(
    '/closings/mail',
    async (context) => {
      const { principal, form } = context
      const { choice } = await chosenBy({ ...context, query: form })
      const t = texts[context.language]
      const sums = await closings.sums(principal, choice.wanted)
      if (!choice.isGiven || sums.closings === 0) throw notFound('period', 'there are no closings to send')
      const file = closingsCsv(closings.all(principal, choice.wanted), choice, t)
      const letter = await letterOf(form.to?.trim() ?? '', choice, sums, file, t)
      return context.once<OfficeMail>((keep) => closingMails.send(principal, choice.wanted, letter, keep), {
        to: `${LIST}?${queryOf(choice)}`,
        notice: 'mail_ready',
      })
    },
    { role: 'operator' },
  )

  pages.post(
    '/closings',
    async (context) => {
      const { principal, form } = context
      const { choice } = await chosenBy({ ...context, query: form })
      if (!choice.isGiven) throw new FiskError('invalid_request', 'the period is missing', { param: 'period' })
      return context.once<void>((keep) => closings.close(principal, choice.wanted, keep), {
        to: `${LIST}?${queryOf(choice)}`,
        notice: 'period_closed',
      })
    },
    { role: 'operator' },
  )

  pages.post(
    '/closings/:id/print',
    async (context) => {
      const id = context.params.id ?? ''
      const to = (print: ClosingPrint | null) => `${LIST}/${id}?notice=${noticeOf(print)}`
      return context.once<ClosingPrint | null>(
        (keep) => closingReceipts.print(context.principal, id, undefined, keep),
        { to },
      )
    },
    { role: 'operator' },
  )

  pages.get('/closings/:id', async (context) => {
    const t = texts[context.language]
    const closing = await closings.get(context.principal, context.params.id ?? '')
    const { id, document } = closing
    const isVerified = context.query.verify === 'yes'
    const it = { id, closing: document, period: periodText(document), ...sumsView(document, t) }
    return context.show('closings/detail', {
      title: document.number === 1 ? t.closingOf(periodText(document)) : t.supplementOf(periodText(document)),
      t,
      ...it,
      printer: context.may('operator') ? await closingReceipts.printerOf(closing) : undefined,
      verdict: isVerified ? await closings.verify(context.principal, id) : undefined,
    })
  })

  async function chosenBy({ principal, query }: PageContext) {
    const choices = await salesChoices(v1, principal)
    const choice: ClosingChoice = readClosingChoice(query, now(), choices.mode)
    return { choices, choice }
  }
}
