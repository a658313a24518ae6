import { AuthorityRequestSchema } from '../../contract/admin/authority-requests.ts'
import { InvoiceCheckSchema, type InvoiceCheckView } from '../../contract/admin/queue.ts'
import { InvoiceSchema, type InvoiceView, Sale, type SaleView } from '../../contract/v1/invoice.ts'
import { FINDING_CODES } from '../../domain/sale/findings.ts'
import { FISCAL_ERRORS, INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { canBeConfirmed, explainCodes, restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { findingText } from '../../domain/texts/finding-texts.ts'
import type { Command, Flags, Given } from '../command.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import { askAuthority, orByGateway } from '../daemon/by-gateway.ts'
import type { Client } from '../daemon/client.ts'
import { type PageOptions, pageOptions, type Rows, showPages } from '../daemon/lists.ts'
import { companyId, deviceNamed } from '../daemon/references.ts'
import { wrongUse } from '../failure.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { amount } from '../text/amount.ts'
import { clean, englishFields } from '../text/columns.ts'
import { columnsOf } from '../text/csv.ts'
import { requestText } from '../text/request-text.ts'
import type { Screen } from '../text/screen.ts'
import { tableHead, tableRows } from '../text/table.ts'
import { localTime } from '../text/times.ts'
import { translate } from '../words/translate.ts'

export function register(program: Command, session: Session): void {
  const invoice = program.command('invoice').description('Sales and what became of them')
  invoice
    .subcommand('list', 'List sales, the latest first.')
    .option('--company <oib-or-id>', 'of one company')
    .option('--device <label-or-id>', 'of one device')
    .option('--premises <code>', 'of one premises')
    .choice('--status <status>', 'in one status', INVOICE_STATUSES)
    .option('--from <time>', 'sold then or later, such as 2026-07-21T00:00:00Z')
    .option('--to <time>', 'sold before that')
    .examples('fisk invoice list --status failed', 'fisk invoice list --from 2026-07-01T00:00:00Z --csv > july.csv')
    .action((options: ListOptions) => listInvoices(options, session))
    .with(pageOptions())
  invoice
    .command('correct')
    .description(
      'Correct the payment method of an invoice at the tax authority, on the day of its sale. Exit code 1 unless it was done.',
    )
    .argument('<id>', 'its id, inv_...')
    .choice('--payment-method <method>', 'how it was paid', ['G', 'K', 'O', 'T'])
    .option('--recipient-oib <oib>', 'of an attended sale: the OIB of the recipient')
    .option('--no-recipient-oib', 'of an attended sale: it has no recipient')
    .addOption(yesOption())
    .examples('fisk invoice correct inv_01JD5X --payment-method K')
    .action((id: string, options: CorrectOptions) => correct(id, options, session))
  invoice
    .subcommand('show', 'Show one sale.')
    .argument('<id>', 'its id, inv_...')
    .examples('fisk invoice show inv_01JD5X')
    .action((id: string) => session.ask((client) => client.get(pathOf(id), InvoiceSchema), invoiceText))
  invoice
    .subcommand('retry', 'Send sales that lack their JIR again, now. Exit code 1 when one still has none.')
    .argument('[id]', 'its id, inv_...')
    .option('--failed', 'every sale that failed, once the cause is fixed')
    .choice('--code <code>', 'with --failed: only those that failed with this code', Object.keys(FISCAL_ERRORS))
    .examples('fisk invoice retry inv_01JD5X', 'fisk invoice retry --failed')
    .action((id: string | undefined, options: RetryOptions) => retry(id, options, session))
  invoice
    .command('check')
    .description(
      'In test mode: ask the tax authority what it finds in a sale, beside what fiskd finds. Nothing is delivered. ' +
        'Exit code 1 when the two differ, or no answer is believed.',
    )
    .argument('<id>', 'its id, inv_...')
    .examples('fisk invoice check inv_01JD5X')
    .action((id: string) => {
      const path = `/admin/invoices/${encodeURIComponent(id)}/check`
      const ask = (client: Client) => during(session, 'Asking the tax authority', client.post(path, InvoiceCheckSchema))
      return session.ask(ask, checkText, ({ agree }) => agree === true)
    })
}

const pathOf = (id: string) => `/v1/invoices/${encodeURIComponent(id)}`

type RetryOptions = Given<'code'> & { failed?: boolean }

async function retry(id: string | undefined, { failed = false, code }: RetryOptions, session: Session): Promise<void> {
  if (code !== undefined && !failed) throw wrongUse('code', '--code goes with --failed.')
  if (failed === (id !== undefined)) throw wrongUse('id', 'Name one sale by its id, or all that failed with --failed.')
  const client = await session.client()
  if (id === undefined) return (await import('../daemon/requeue.ts')).requeue(client, code, session)
  const sending = orByGateway(client, { invoice_id: id }, ['retry', '--invoice', id], () =>
    client.post(`${pathOf(id)}/retry`, Sale),
  )
  const sent = await during(session, 'Sending it to the tax authority', sending)
  await session.show(sent, invoiceText, ({ status }) => status === 'confirmed')
}

/** What is sent again is answered as a sale, which says less than an invoice. */
function invoiceText(invoice: Pick<InvoiceView, keyof SaleView> & Partial<InvoiceView>, screen: Screen): string {
  const { fiscal_error: error } = invoice
  const codes = restrictiveCodesIn(error?.message ?? null)
  const again = codes.length > 0 && codes.every(canBeConfirmed) ? `, and then: fisk invoice retry ${invoice.id}` : ''
  return englishFields(screen, [
    ['invoice', invoice.id],
    ['status', invoice.status],
    ['JIR', invoice.jir ?? 'none yet'],
    ['ZKI', invoice.zki],
    ['number', invoice.number],
    ['sold', localTime(invoice.occurred_at)],
    ['total', `${invoice.total} ${invoice.currency}`],
    ['paid by', invoice.payment_method ?? null],
    ['mode', invoice.mode ?? null],
    ['device', invoice.device_id ?? null],
    ['attempts', invoice.attempts?.toString() ?? null],
    ['late', invoice.late_delivery === undefined ? null : invoice.late_delivery ? 'yes' : 'no'],
    ['deadline', invoice.jir === null ? localTime(invoice.deadline_at ?? null) : null],
    ['confirmed', localTime(invoice.confirmed_at ?? null)],
    ['error', error ? `${error.code}: ${error.message}` : null],
    ...(invoice.findings ?? []).map((code): [string, string] => [`finding ${code}`, textOf(code)]),
    ...explainCodes(codes, 'en').map(({ label, means, fix }): [string, string] => [label, `${means} ${fix}`]),
    ['next', error ? (error.retry_scheduled ? 'fiskd sends it again by itself' : `somebody has to act${again}`) : null],
  ])
}

const DIFFER = 'they differ. Report it with the output of this command and the support bundle (fisk support-bundle)'

function checkText({ invoice, ours, authority, agree, problem, claimed }: InvoiceCheckView, screen: Screen): string {
  return englishFields(screen, [
    ['invoice', `${invoice}, as if it were delivered now`],
    ['fiskd', ours.length === 0 ? 'finds nothing' : 'finds'],
    ...ours.map((code): [string, string] => [`  ${code}`, textOf(code)]),
    ['authority', authority === null ? problem : authority.length === 0 ? 'finds nothing' : 'says'],
    ...(authority ?? claimed).map(({ code, message }): [string, string] => [`  ${code}`, message]),
    ['result', agree === null ? 'they cannot be compared' : agree ? 'they agree' : DIFFER],
  ])
}

/** Of a newer daemon there may be codes that are unknown here. */
function textOf(code: string): string {
  const known = FINDING_CODES.find((one) => one === code)
  return known === undefined ? 'a finding that this version of fisk does not know' : findingText(known).en
}

interface CorrectOptions extends Given<'paymentMethod'>, Flags<'yes'> {
  recipientOib?: string | false
}

async function correct(
  id: string,
  { paymentMethod, recipientOib, yes }: CorrectOptions,
  session: Session,
): Promise<void> {
  // Commander gives an option that may be negated the value true when it is left out.
  const recipient = typeof recipientOib === 'string' || recipientOib === false ? recipientOib : undefined
  if (paymentMethod === undefined && recipient === undefined)
    throw wrongUse('payment-method', 'Say what is to change: --payment-method or --recipient-oib.')
  requireSomebody(session, yes)
  const client = await session.client()
  const { country_data, payment_method: before } = await client.get(pathOf(id), InvoiceSchema)
  const change = [
    ...(paymentMethod === undefined ? [] : [`payment method ${before} to ${paymentMethod}`]),
    ...(recipient === undefined ? [] : [`recipient OIB to ${recipient === false ? 'none' : clean(recipient)}`]),
  ]
  await consent(session, yes, `Correct invoice ${clean(country_data.receipt_number)}: ${change.join(', ')}?`)
  const body = {
    ...(paymentMethod !== undefined && { payment_method: paymentMethod }),
    ...(recipient !== undefined && { recipient_oib: recipient === false ? null : recipient }),
  }
  const row = { invoice_id: id }
  const ask = () => client.post(`/admin/invoices/${encodeURIComponent(id)}/correct`, AuthorityRequestSchema, body)
  await askAuthority(session, row, { type: 'invoice.correct', body: { ...row, ...body } }, ask, requestText)
}

type ListOptions = PageOptions & Given<'company' | 'device' | 'premises' | 'status' | 'from' | 'to'>

async function listInvoices({ company, device, premises, ...options }: ListOptions, session: Session): Promise<void> {
  const { status, from, to, ...page } = options
  const query = {
    company_id: company === undefined ? undefined : companyId(company),
    device_id: device === undefined ? undefined : (await deviceNamed(await session.client(), device)).id,
    premises_code: premises,
    status,
    from,
    to,
  }
  await showPages(session, '/v1/invoices', InvoiceSchema, query, page, ROWS)
}

/** What fits beside the id, which is what the other commands take: nothing of it is cut. */
const LAYOUT = [
  { head: 'Receipt number' },
  { head: 'Sold', width: 16 },
  { head: 'Total', width: 13, isRight: true as const },
  { head: 'Status', width: 12 },
  { head: 'JIR', width: 3 },
]
const ID = { head: 'Id', width: 36 }

/** On a narrow screen the id is in a line of its own. */
const WIDE_COLUMNS = 116

const ROWS: Rows<InvoiceView> = {
  none: 'There is no such sale.',
  head: (screen) => tableHead(screen.columns < WIDE_COLUMNS ? LAYOUT : [...LAYOUT, ID], screen),
  rows: (data, screen) =>
    data
      .map((invoice) =>
        screen.columns < WIDE_COLUMNS
          ? `${tableRows(LAYOUT, [cellsOf(invoice, screen)], screen)}    ${clean(invoice.id)}\n`
          : tableRows([...LAYOUT, ID], [[...cellsOf(invoice, screen), invoice.id]], screen),
      )
      .join(''),
  sheet: {
    id: ({ id }) => id,
    receipt_number: ({ country_data }) => country_data.receipt_number,
    ...columnsOf('occurred_at', 'total', 'currency', 'payment_method', 'status', 'zki', 'jir', 'confirmed_at'),
    ...columnsOf('late_delivery', 'mode', 'company_id', 'device_id'),
  },
}

function cellsOf({ country_data, occurred_at, total, status, jir }: InvoiceView, { language }: Screen): string[] {
  return [
    country_data.receipt_number,
    localTime(occurred_at)?.slice(0, 'dd.MM.yyyy HH:mm'.length) ?? '',
    amount(total, language),
    translate(status, language),
    translate(jir === null ? 'no' : 'yes', language),
  ]
}
