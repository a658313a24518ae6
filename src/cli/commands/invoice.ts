import type { Command } from 'commander'
import type { Invoice } from '../answers.ts'
import type { Session } from '../session.ts'
import { fields } from '../text.ts'
import { localTime } from '../times.ts'

export function register(program: Command, session: Session): void {
  const invoice = program.command('invoice').description('Sales and what became of them')
  invoice
    .command('show')
    .description('Show one sale.')
    .argument('<id>', 'its id, inv_...')
    .addHelpText('after', '\nExample:\n  fisk invoice show inv_01JD5X')
    .action((id: string) => show(id, session))
  invoice
    .command('retry')
    .description('Send a sale that lacks its JIR again, now. Exit code 1 when it still has none.')
    .argument('<id>', 'its id, inv_...')
    .addHelpText('after', '\nExample:\n  fisk invoice retry inv_01JD5X')
    .action((id: string) => retry(id, session))
}

async function show(id: string, session: Session): Promise<void> {
  const client = await session.client()
  await session.show(await client.get<Invoice>(`/v1/invoices/${encodeURIComponent(id)}`), invoiceText)
}

async function retry(id: string, session: Session): Promise<void> {
  const client = await session.client()
  const sent = await client.post<Invoice>(`/v1/invoices/${encodeURIComponent(id)}/retry`)
  await session.show(sent, invoiceText)
  if (sent.status !== 'confirmed') session.exitCode = 1
}

function invoiceText(invoice: Invoice): string {
  const { fiscal_error: error } = invoice
  return fields([
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
    ['next', error ? (error.retry_scheduled ? 'fiskd sends it again by itself' : 'somebody has to act') : null],
  ])
}
