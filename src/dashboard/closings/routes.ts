import { dateAt } from '../../domain/calendar-date.ts'
import { FiskError, notFound } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { ClosingSums } from '../../domain/sale/closing.ts'
import { isOver, periodAfter, periodAt, periodName, readPeriod, shownPeriod } from '../../domain/sale/closing-period.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { AfterClosing } from '../../fiscal/closings/closings.ts'
import type { ClosingPrint } from '../../fiscal/closings/give-closings.ts'
import type { OfficeMail } from '../../fiscal/ports/mail.ts'
import { closingsCsv } from '../../reports/closings/file.ts'
import { closingLetter } from '../../reports/closings/letter.ts'
import { texts as reportTexts } from '../../reports/closings/texts.ts'
import { salesChoices } from '../company-choices.ts'
import { chosenId, UUID } from '../ids.ts'
import { correctionRow } from '../invoices/correct-view.ts'
import { addressIn, type RefusedMail, refusedMail } from '../mail-form.ts'
import { type DashboardDeps, type Notice, OPERATOR, type PageContext, type Pages } from '../page-routes.ts'
import { moneyPage, tabsOf } from './money.ts'
import { type Texts, texts } from './texts.ts'

/** Null for a form that was sent twice: the first one was told. */
function noticeOf(print: ClosingPrint | null): Notice {
  if (print === null) return 'closing_sent'
  return print.status === 'printed' || print.status === 'unconfirmed' ? 'closing_printed' : 'closing_not_printed'
}

export function closingPages(pages: Pages, deps: DashboardDeps): void {
  const { closings, closingReceipts } = deps.office
  pages.get('/closings', async (context) => {
    if (context.query.unit) return listPage(deps, context)
    return moneyPage(deps, context, (await chosenBy(deps, context)).choice.wanted)
  })
  pages.get('/closings/:id', (context) => detailPage(deps, context))
  pages.post('/closings/mail', OPERATOR, (context) => mailList(deps, context))
  pages.post('/closings/:id/mail', OPERATOR, (context) => mailOne(deps, context))

  pages.get('/closings/file.csv', async (context) => {
    const { choice, choices } = await chosenBy(deps, context)
    const { wanted } = choice
    const slices = closings.all(context.principal, wanted)
    const company = choices.companies.find(({ value }) => value === wanted.companyId)
    const { name, content } = closingsCsv(slices, wanted, reportTexts[context.language], company?.name)
    await deps.office.noteDownload(context.principal, name)
    const attachment = `attachment; filename="${name}"`
    return context.reply.type('text/csv; charset=utf-8').header('content-disposition', attachment).send(content)
  })

  pages.post('/closings', OPERATOR, async (context) => {
    const { choice } = await chosenBy(deps, context)
    if (!choice.isGiven) throw new FiskError('invalid_request', 'the period is missing', { param: 'period' })
    return context.once<void>((keep) => closings.close(context.principal, choice.wanted, keep), {
      to: `${LIST}?${queryOf(choice)}`,
      notice: 'period_closed',
    })
  })

  pages.post('/closings/:id/print', OPERATOR, async (context) => {
    const id = context.params.id ?? ''
    return context.once<ClosingPrint | null>((keep) => closingReceipts.print(context.principal, id, undefined, keep), {
      to: (print) => `${LIST}/${id}?notice=${noticeOf(print)}`,
    })
  })
}

async function mailList(deps: DashboardDeps, context: PageContext): Promise<unknown> {
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
async function mailOne(deps: DashboardDeps, context: PageContext): Promise<unknown> {
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

async function detailPage({ office }: DashboardDeps, context: PageContext, refused?: RefusedMail): Promise<unknown> {
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
    id,
    closing: document,
    period,
    ...sumsView(document, t),
    corrections: (await office.corrections.ofClosing(document)).map((one) => ({
      ...correctionRow(one, language),
      href: `/dashboard/invoices/${one.invoiceId}`,
    })),
    printer: mayAct ? await closingReceipts.printerOf(closing) : undefined,
    // Null where it was checked and is right.
    verdict: difference === null ? null : difference?.[language],
    mail: closingMails.isSet && mayAct ? form : null,
    mails: await closingMails.sent(principal, { ...document, companyId: document.company.id, closingId: id }),
  }
  return context.show('closings/detail', view, refused ? 422 : 200)
}

const LIST = '/dashboard/closings'
const PER_PAGE = 50

/** The closings of a day or month with their sums, and what is open in it. */
async function listPage(deps: DashboardDeps, context: PageContext, refused?: RefusedMail): Promise<unknown> {
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
    headline: 'closings/head',
    tabs: tabsOf(t, wanted.unit, wanted, wanted.mode),
    mail: closingMails.isSet && context.may('operator') ? form : null,
    mails: sums.closings === 0 ? [] : await closingMails.sent(principal, wanted),
    file: `${LIST}/file.csv?${queryOf(choice)}`,
    next: next && here({ after: `${next.companyId}/${next.premisesCode}/${next.number}` }),
    first: after ? here() : null,
  }
  return context.show('closings/list', view, refused ? 422 : 200)
}

async function chosenBy({ v1, now }: DashboardDeps, { principal, query, form, request, company }: PageContext) {
  const choices = await salesChoices(v1, principal)
  const asked = request.method === 'POST' ? form : query
  const narrowed = company ? { ...asked, company: company.id } : asked
  return { choices, choice: readClosingChoice(narrowed, now(), choices.mode) }
}

/** Sums in words: amounts stay as they are written, for the page to format. */
function sumsView(sums: Omit<ClosingSums, 'ranges' | 'fingerprint'>, t: Texts) {
  const paid = (method: string) => sums.payments.find((one) => one.method === method)?.total ?? null
  return {
    sums,
    payments: sums.payments.map((one) => ({ ...one, text: t.payments[one.method] })),
    cash: paid('G'),
    card: paid('K'),
    parts: sums.parts.map((part) => ({
      ...part,
      text: [t.parts[part.kind], part.rate && `${part.rate.replace(/\.00$/, '').replace('.', ',')} %`, part.name]
        .filter(Boolean)
        .join(' '),
    })),
  }
}

/** Which closings a page is about. @param mode when none was chosen */
function readClosingChoice(query: Record<string, string>, now: EpochMs, mode: Mode) {
  const unit = query.unit === 'day' ? 'day' : 'month'
  const read = readPeriod(query.period ?? '')
  const isGiven = read?.unit === unit
  const period = isGiven ? read : periodAfter(periodAt(unit, dateAt(now)), -1)
  const premises = (query.premises ?? '').trim()
  const { company = '' } = query
  const chosen = query.mode === 'live' || query.mode === 'test' ? query.mode : mode
  return {
    /** As the form shows it. */
    values: { unit, period: periodName(period), company, premises, mode: chosen },
    wanted: {
      ...period,
      mode: chosen,
      companyId: chosenId(company),
      premisesCode: premises === '' ? undefined : isPremisesCode(premises) ? premises : '-',
    },
    /** Whether the period was named and can be read; else it is the last one. */
    isGiven,
    after: readAfter(query.after ?? ''),
  }
}

function queryOf({ values }: ReturnType<typeof readClosingChoice>, changes: Record<string, string> = {}): string {
  return String(new URLSearchParams({ ...values, ...changes }))
}

function readAfter(text: string): AfterClosing | undefined {
  const [companyId = '', premisesCode = '', number = ''] = text.split('/')
  if (!UUID.test(companyId) || !isPremisesCode(premisesCode) || !/^\d{1,9}$/.test(number)) return undefined
  return { companyId, premisesCode, number: Number(number) }
}
