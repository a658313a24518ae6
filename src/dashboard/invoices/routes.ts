import { FiskError, notFound } from '../../domain/errors.ts'
import { answerSignatureIn } from '../../domain/sale/answer-signature.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { explainCodes } from '../../domain/sale/refusal.ts'
import type { PaymentMethod } from '../../domain/sale/sale.ts'
import { letterHtml } from '../../domain/texts/letter-html.ts'
import type { InvoiceFile } from '../../fiscal/office/search.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { OfficeMail } from '../../fiscal/ports/mail.ts'
import { type Invoice, LANGUAGES, type Language, type PrintJob } from '../../fiscal/ports/model.ts'
import type { ReceiptForm } from '../../fiscal/ports/printing.ts'
import type { AskedRequest } from '../../fiscal/ports/rows/authority-requests.ts'
import type { ReceiptLetter } from '../../fiscal/printing/give-receipt.ts'
import { type CorrectionBody, correctedFields, correctionIn } from '../../fiscal/requests/correct-invoice.ts'
import { addressOf } from '../addresses.ts'
import { createFormats, type Formats } from '../formats.ts'
import { invoiceIdOf, messageIdOf } from '../ids.ts'
import { showList } from '../lists/list.ts'
import { addressIn, refusedMail } from '../mail-form.ts'
import {
  type DashboardDeps,
  type Notice,
  OPERATOR,
  type PageContext,
  type Pages,
  requireLinks,
  type ShowAgain,
} from '../page-routes.ts'
import { changeText, correctTexts } from './correct-view.ts'
import { detailPage, olderMessages, outcomeOf } from './detail-page.ts'
import { detailTexts } from './detail-texts.ts'
import { failedTexts } from './failed-texts.ts'
import { isAmount } from './filter.ts'
import { invoiceList, suggestDevices } from './list-page.ts'
import { numberOf } from './list-view.ts'
import { prettyXml } from './pretty-xml.ts'
import { texts } from './texts.ts'

export function invoicePages(pages: Pages, deps: DashboardDeps): void {
  // A wrong filter filters nothing: the list is there all the same.
  pages.get('/invoices', async (context) => {
    const { q = '', ...filter } = context.query
    if (isAmount(q.trim())) return context.go(addressOf('/dashboard/invoices', { ...filter, amount: q.trim() }))
    return showList(context, await invoiceList(deps, context))
  })
  pages.get('/invoices/devices', (context) => suggestDevices(deps, context))
  pages.get('/invoices/failed', (context) => failedPage(deps, context))
  pages.get('/invoices/:id', (context) => detailPage(deps, context))
  pages.post('/invoices/:id/retry', OPERATOR, (context) => retryInvoice(deps, context))
  pages.post('/invoices/:id/copy', OPERATOR, (context) => copyReceipt(deps, context))
  pages.post('/invoices/:id/link/withdraw', OPERATOR, (context) => withdrawLink(deps, context))
  correctionPages(pages, deps)
  pages.post('/invoices/:id/mail', OPERATOR, (context) => mailCopy(deps, context))
  for (const ending of ['png', 'pdf', 'txt'] as const)
    pages.get(`/invoices/:id/receipt.${ending}`, (context) => receiptFile(deps, context, ending))
  pages.get('/invoices/:id/messages', (context) => olderMessages(deps, context))
  pages.get('/invoices/:id/messages/:message', (context) => messagePage(deps, context))
  pages.get('/invoices/:id/messages/:message/:file', (context) => messageFile(deps, context))
}

/** What was refused, by cause, with a way to send all of a cause again as a bulk job. */
async function failedPage({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
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

async function mailCopy(deps: DashboardDeps, context: PageContext): Promise<unknown> {
  const { office, now } = deps
  const { principal } = context
  const id = invoiceIdOf(context)
  const letter = letterOf(addressIn(context), await office.search.file(principal, id), createFormats(now))
  return context.once<OfficeMail>((keep) => office.receiptMails.send(principal, id, letter, keep), {
    to: `/dashboard/invoices/${id}`,
    notice: 'mail_ready',
    refused: (errors) => detailPage(deps, context, refusedMail(context, errors)),
  })
}

/** In both languages: nobody knows which one the customer reads. */
function letterOf(
  to: string,
  { invoice, company }: InvoiceFile,
  formats: (language: Language) => Formats,
): ReceiptLetter {
  const printed = numberOf(invoice)
  const letters = LANGUAGES.map((language) => {
    const f = formats(language)
    return detailTexts[language].letter(printed, f.inText(invoice.occurredAt), f.money(invoice.document.total))
  })
  const paragraphs = [...letters, company.name]
  return {
    to,
    subject: detailTexts.hr.letterSubject(printed),
    text: `${paragraphs.join('\n\n')}\n`,
    html: letterHtml(paragraphs),
  }
}

/** A longer message is cut on the page; the whole of it is a file. */
const SHOWN = 20_000

async function messagePage({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const t = detailTexts[context.language]
  const id = invoiceIdOf(context)
  const message = await office.search.message(context.principal, id, messageIdOf(context))
  const number = numberOf((await office.search.file(context.principal, id)).invoice)
  const { requestXml, responseXml } = message
  const url = `/dashboard/invoices/${id}/messages/${message.id}`
  const shown = (title: string, xml: string | null, file: string, missing: string) => ({
    title,
    missing,
    url: `${url}/${file}`,
    xml: xml === null ? null : prettyXml(xml.slice(0, SHOWN)),
    isCut: (xml?.length ?? 0) > SHOWN,
  })
  return context.show('invoices/message', {
    title: t.messageTitle(message.attemptNo, number),
    t,
    message,
    outcome: outcomeOf(message, t),
    back: `/dashboard/invoices/${id}#messages`,
    signature: answerSignatureIn(responseXml),
    parts: [
      shown(t.request, requestXml, 'request.xml', t.notKept),
      shown(t.response, responseXml, 'response.xml', message.httpStatus === null ? t.noResponse : t.notKept),
    ],
  })
}

/** What was sent or answered, byte for byte. @throws FiskError 404 */
async function messageFile({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const message = await office.search.message(context.principal, id, messageIdOf(context))
  const { file } = context.params
  const xml = file === 'request.xml' ? message.requestXml : file === 'response.xml' ? message.responseXml : null
  if (xml === null) throw notFound('file', 'this was not kept')
  const name = `${id}-${message.attemptNo}-${file}`
  return context.reply
    .type('application/xml')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Buffer.from(xml, 'utf8'))
}

const FILES = {
  png: { form: 'png', type: 'image/png' },
  pdf: { form: 'pdf', type: 'application/pdf' },
  txt: { form: 'text', type: 'text/plain; charset=utf-8' },
} as const satisfies Record<string, { form: ReceiptForm; type: string }>

/** The receipt as its printer prints it; the PDF is a copy for people. The picture is shown unless it is downloaded. */
async function receiptFile(
  { admin }: DashboardDeps,
  context: PageContext,
  ending: keyof typeof FILES,
): Promise<unknown> {
  const id = invoiceIdOf(context)
  const { form, type } = FILES[ending]
  const content = await admin.previewReceipt(context.principal, id, { form })
  if (ending !== 'png' || context.query.download !== undefined) {
    context.reply.header('content-disposition', `attachment; filename="${id}.${ending}"`)
  }
  return context.reply.type(type).send(content)
}

async function retryInvoice(deps: DashboardDeps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const { gateway } = await deps.office.search.file(context.principal, id)
  if (gateway !== null) return command(deps, context, gateway.name, { type: 'invoice.retry' })
  return context.once<Invoice>((keep) => deps.v1.retry(context.principal, id, keep), {
    to: ({ jir }) => `${pageOf(id)}?notice=${jir === null ? 'invoice_still_waits' : 'invoice_confirmed'}`,
    // Another user, or the sweep, was quicker: the page of the invoice says what has become of it.
    refused: afterConflict(context, id, 'invoice_settled'),
  })
}

async function copyReceipt(deps: DashboardDeps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const { gateway } = await deps.office.search.file(context.principal, id)
  if (gateway !== null) return command(deps, context, gateway.name, { type: 'receipt.copy' })
  return context.once<PrintJob>((keep) => deps.admin.printCopy(context.principal, id, keep), {
    to: pageOf(id),
    notice: 'copy_queued',
    refused: afterConflict(context, id, 'copy_without_printer'),
  })
}

/** The phone of the customer shows the receipt no longer. */
async function withdrawLink({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  return context.once<void>(async (keep) => requireLinks(office).withdrawLink(context.principal, id, keep), {
    to: pageOf(id),
    notice: 'link_withdrawn',
  })
}

function command(
  { admin }: DashboardDeps,
  context: PageContext,
  gateway: string,
  { type, body }: { type: string; body?: CorrectionBody },
  refused?: ShowAgain,
): Promise<unknown> {
  const id = invoiceIdOf(context)
  const order = { type, body: { invoice_id: id, ...body } }
  return context.once<GatewayCommand>((keep) => admin.commands.sendCommand(context.principal, gateway, order, keep), {
    to: (sent) => addressOf(pageOf(id), { sent: sent.id }),
    refused: refused ?? afterConflict(context, id, 'gateway_out_of_reach'),
  })
}

/** The page of the invoice says what a conflict means; any other refusal is thrown on. */
function afterConflict({ go }: PageContext, id: string, notice: Notice): ShowAgain {
  return async (_errors, error) => {
    if (error instanceof FiskError && error.code === 'invalid_request' && error.status === 409)
      return go(pageOf(id), notice)
    throw error
  }
}

const pageOf = (id: string) => `/dashboard/invoices/${id}`

const METHODS: readonly PaymentMethod[] = ['G', 'K', 'O', 'T']

/** The correction of an invoice: the choice, then a question with machine, number, old and new, then the message. */
function correctionPages(pages: Pages, deps: DashboardDeps): void {
  const { office } = deps
  pages.get('/invoices/:id/correct', OPERATOR, (context) => ask(context, context.query))

  pages.post('/invoices/:id/correct', OPERATOR, async (context) => {
    const id = invoiceIdOf(context)
    const { gateway } = await office.search.file(context.principal, id)
    const body = chosenIn(context.form)
    const refused: ShowAgain = (errors) => ask(context, context.form, errors)
    if (gateway !== null) return command(deps, context, gateway.name, { type: 'invoice.correct', body }, refused)
    const { correct } = office.corrections
    return context.once<AskedRequest>((keep) => correct(context.principal, id, correctionIn(body), keep), {
      to: pageOf(id),
      refused,
    })
  })

  async function ask(context: PageContext, given: Record<string, string>, errors: Record<string, string> = {}) {
    const { language, principal } = context
    const t = correctTexts[language]
    const file = await office.search.file(principal, invoiceIdOf(context))
    const from = correctedFields(file.invoice, await office.corrections.of(file.invoice.id))
    const to = { ...from, ...correctionIn(chosenIn(given)) }
    const change = changeText(from, to, language)
    const number = numberOf(file.invoice)
    const it = {
      title: `${t.correct}: ${number}`,
      shownMode: file.invoice.mode,
      t,
      base: `/dashboard/invoices/${file.invoice.id}`,
      errors,
      question: change === '' ? null : t.question(file.device.label, number, change),
      to,
      methods: METHODS.map((value) => ({ value, text: texts[language].payments[value] })),
    }
    return context.show('invoices/correct', it)
  }
}

/** A field that is left out, or an empty recipient, changes nothing. */
function chosenIn(given: Record<string, string>): CorrectionBody {
  const method = METHODS.find((one) => one === given.payment_method)
  const recipient = given.recipient_oib?.trim()
  return { ...(method && { payment_method: method }), ...(recipient && { recipient_oib: recipient }) }
}
