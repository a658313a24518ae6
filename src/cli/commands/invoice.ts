import { type Command, Option } from 'commander'
import { InvoiceSchema, type InvoiceView, Sale, type SaleView } from '../../contract/v1/invoice.ts'
import { FISCAL_ERRORS } from '../../domain/sale/invoice.ts'
import { restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { canBeConfirmed, explainCodes, type RestrictiveCode } from '../../domain/sale/restrictive-codes.ts'
import { orByGateway } from '../daemon/by-gateway.ts'
import { wrongUse } from '../failure.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { fields } from '../text/columns.ts'
import { inEnglish, type Screen } from '../text/screen.ts'
import { localTime } from '../text/times.ts'
import * as list from './invoice/list.ts'

export function register(program: Command, session: Session): void {
  const invoice = program.command('invoice').description('Sales and what became of them')
  list.register(invoice, session)
  invoice
    .command('show')
    .description('Show one sale.')
    .argument('<id>', 'its id, inv_...')
    .addHelpText('after', '\nExample:\n  fisk invoice show inv_01JD5X')
    .action((id: string) => show(id, session))
  invoice
    .command('retry')
    .description('Send sales that lack their JIR again, now. Exit code 1 when one still has none.')
    .argument('[id]', 'its id, inv_...')
    .option('--failed', 'every sale that failed, once the cause is fixed')
    .addOption(
      new Option('--code <code>', 'with --failed: only those that failed with this code').choices(
        Object.keys(FISCAL_ERRORS),
      ),
    )
    .addHelpText('after', '\nExample:\n  fisk invoice retry inv_01JD5X\n  fisk invoice retry --failed')
    .action((id: string | undefined, options: RetryOptions) => retry(id, options, session))
}

async function show(id: string, session: Session): Promise<void> {
  const client = await session.client()
  await session.show(await client.get(`/v1/invoices/${encodeURIComponent(id)}`, InvoiceSchema), invoiceText)
}

interface RetryOptions {
  failed?: boolean
  code?: string
}

async function retry(id: string | undefined, { failed = false, code }: RetryOptions, session: Session): Promise<void> {
  if (code !== undefined && !failed) throw wrongUse('code', '--code goes with --failed.')
  if (failed === (id !== undefined)) throw wrongUse('id', 'Name one sale by its id, or all that failed with --failed.')
  const client = await session.client()
  if (id === undefined) return (await import('../daemon/requeue.ts')).requeue(client, code, session)
  const sending = orByGateway(client, { invoice_id: id }, ['retry', '--invoice', id], () =>
    client.post(`/v1/invoices/${encodeURIComponent(id)}/retry`, Sale),
  )
  const sent = await during(session, 'Sending it to the tax authority', sending)
  await session.show(sent, invoiceText)
  if (sent.status !== 'confirmed') session.exitCode = 1
}

/** What is sent again is answered as a sale, which says less than an invoice. */
function invoiceText(invoice: Pick<InvoiceView, keyof SaleView> & Partial<InvoiceView>, screen: Screen): string {
  const { fiscal_error: error } = invoice
  const codes = restrictiveCodesIn(error?.message ?? null)
  return fields(
    [
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
      ...explainCodes(codes, 'en').map(({ label, means, fix }): [string, string] => [label, `${means} ${fix}`]),
      ['next', error ? (error.retry_scheduled ? 'fiskd sends it again by itself' : actionOf(invoice.id, codes)) : null],
    ],
    inEnglish(screen),
  )
}

function actionOf(id: string, codes: RestrictiveCode[]): string {
  const again = codes.length > 0 && codes.every(canBeConfirmed) ? `, and then: fisk invoice retry ${id}` : ''
  return `somebody has to act${again}`
}
