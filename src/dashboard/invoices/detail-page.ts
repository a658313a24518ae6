import { formatMoney } from '../../domain/money.ts'
import { findingsOfInvoice } from '../../domain/sale/findings.ts'
import { isAnsweredUnproven, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { authorityWordsIn } from '../../domain/sale/refusal.ts'
import { type Part, partsOf } from '../../domain/sale/turnover.ts'
import { findingAdvice, findingText } from '../../domain/texts/finding-texts.ts'
import type { InvoiceFile, MessageSlice } from '../../fiscal/office/search.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { MessageOutline } from '../../fiscal/ports/invoice-lookups.ts'
import type { Invoice, PrintJob } from '../../fiscal/ports/model.ts'
import type { LinkState } from '../../fiscal/receipt-links/look.ts'
import { isOvertaxed } from '../../fiscal/sales/recent-findings.ts'
import type { Formats } from '../formats.ts'
import { standingsFor, viewOfStandings } from '../gateways/standing-view.ts'
import { invoiceIdOf } from '../ids.ts'
import type { RefusedMail } from '../mail-form.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { correctionRow, correctTexts, isCorrectable } from './correct-view.ts'
import { type DetailTexts, detailTexts } from './detail-texts.ts'
import { explain } from './explanation.ts'
import { rowOf } from './list-view.ts'
import { texts } from './texts.ts'

/** The page of an invoice: its state, its parts, its prints and its messages. */
export async function detailPage(deps: DashboardDeps, context: PageContext, refused?: RefusedMail): Promise<unknown> {
  const { admin, office, now } = deps
  const { language, principal, f } = context
  const t = detailTexts[language]
  const file = await office.search.file(principal, invoiceIdOf(context))
  const { invoice, company, device, gateway, breaks } = file
  const row = rowOf(invoice, new Map([[device.id, device.label]]), texts[language])
  const printers = gateway === null ? await admin.listPrinters(principal, false) : []
  const about = (command: GatewayCommand) => command.body.invoice_id === invoice.id
  const standings = gateway === null ? [] : await standingsFor(deps, context, [invoice.gatewayId], about)
  const findings = findingsOn(file, context)
  // What the authority said last; what we say ourselves is in the explanation.
  const answer = authorityWordsIn(file.messages.items[0]?.errorMessage ?? null)
  const view = {
    standing: viewOfStandings(standings, context, `/dashboard/invoices/${invoice.id}`),
    title: t.title(row.number),
    headline: 'invoices/headline',
    shownMode: invoice.mode,
    t,
    row,
    invoice,
    company,
    device,
    gateway: gateway?.name ?? null,
    explanation: explain(
      { invoice, hasFindings: findings.found.length > 0, gateway, breaks, answer },
      { t, f, now: now(), language },
    ),
    remedy: remedyOf(invoice, t),
    findings,
    canRetry: context.may('operator') && (invoice.status === 'retrying' || invoice.status === 'failed'),
    canCopy: context.may('operator') && (gateway !== null || printers.some((one) => one.device.id === device.id)),
    corrections: (await office.corrections.of(invoice.id)).map((one) => correctionRow(one, language)),
    canCorrect: context.may('operator') && isCorrectable(invoice, now()),
    correctionTexts: correctTexts[language],
    parts: partsOf(invoice.document).map((part) => partRow(part, t)),
    prints: file.prints.map((job) => printRow(job, t)),
    trail: trailOf(invoice.id, file.messages, t),
    link: linkOn(await office.receiptLinks?.stateOf(principal, invoice.id), t, f),
    mail:
      office.receiptMails.isSet && context.may('operator')
        ? { to: '', ...refused, action: `/dashboard/invoices/${invoice.id}/mail` }
        : null,
    mails: await office.receiptMails.sent(principal, invoice.id),
  }
  return context.show('invoices/detail', view, refused ? 422 : 200)
}

/** What the tax authority will find, and the company whose setting is why. */
function findingsOn({ invoice, company, device }: InvoiceFile, { language }: PageContext) {
  const codes = findingsOfInvoice(invoice)
  const cause = isOvertaxed(invoice, company, device) ? company : null
  return {
    found: codes.map((code) => ({ code, text: findingText(code)[language] })),
    advice: findingAdvice(codes, cause?.name)[language],
    cause,
  }
}

/** Where the cause of a failure can be removed. */
function remedyOf({ status, errorCode, companyId, deviceId }: Invoice, t: DetailTexts) {
  if (status !== 'failed') return null
  if (errorCode === 'upstream_rejected') return { url: `/dashboard/devices/${deviceId}`, text: t.toDevice }
  const isCertificate = errorCode !== null && /certificate/.test(errorCode)
  return isCertificate ? { url: `/dashboard/companies/${companyId}`, text: t.toCertificates } : null
}

/** Older messages, which are put below those that are shown. */
export async function olderMessages({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const t = detailTexts[context.language]
  const id = invoiceIdOf(context)
  const before = Number(context.query.before)
  const slice = await office.search.messages(context.principal, id, Number.isSafeInteger(before) ? before : 0)
  const view = { t, trail: trailOf(id, slice, t) }
  return context.isFragment
    ? context.fragment('invoices/message-list', view)
    : context.show('invoices/message-list', { title: t.trail, ...view })
}

function trailOf(invoiceId: string, { items, next }: MessageSlice, t: DetailTexts) {
  const base = `/dashboard/invoices/${invoiceId}/messages`
  return {
    rows: items.map((message) => ({ ...message, url: `${base}/${message.id}`, outcome: outcomeOf(message, t) })),
    older: next === null ? null : `${base}?before=${next}`,
  }
}

export function outcomeOf(
  { errorCode, errorMessage, httpStatus }: MessageOutline,
  t: DetailTexts,
): { kind: 'ok' | 'bad' | 'warn'; text: string; said: string | null } {
  if (errorCode === null) return { kind: 'ok', text: t.gotJir, said: null }
  const words = authorityWordsIn(errorMessage)
  if (words !== null) return { kind: 'bad', text: t.answered(httpStatus ?? 0), said: `${t.said} ${words}` }
  if (httpStatus === null) return { kind: 'warn', text: t.noAnswer, said: null }
  const isUnproven = errorCode === UNPROVEN_JIR || isAnsweredUnproven({ errorMessage })
  return { kind: 'bad', text: t.answered(httpStatus), said: isUnproven ? t.unproven : t.couldNotAnswer }
}

/** How the link of the customer is; the address only while it works. */
function linkOn(link: (LinkState & { url: string }) | null | undefined, t: DetailTexts, f: Formats) {
  if (!link) return null
  if (link.kind === 'open') return { text: t.linkStates.open(f.date(link.until)), url: link.url }
  return {
    text: link.kind === 'archived' ? t.linkStates.archived : t.linkStates[link.kind](f.inText(link.at)),
    url: null,
  }
}

function partRow({ kind, rate, name, base, tax, amount }: Part, t: DetailTexts) {
  return {
    name: name === null ? t.partNames[kind] : `${t.partNames[kind]}: ${name}`,
    rate: rate === null ? null : Number(rate) / 100,
    base: formatMoney(base),
    tax: formatMoney(tax),
    amount: formatMoney(amount),
  }
}

function printRow({ copy, status, createdAt, endedAt, detail }: PrintJob, t: DetailTexts) {
  return {
    name: copy === 0 ? t.original : t.copyNo(copy),
    at: endedAt ?? createdAt,
    status: t.printStatuses[status],
    detail,
  }
}
