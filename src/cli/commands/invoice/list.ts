import { type Command, Option } from 'commander'
import { InvoiceSchema, type InvoiceView } from '../../../contract/v1/invoice.ts'
import { INVOICE_STATUSES } from '../../../domain/sale/invoice.ts'
import { type PageOptions, pageOptions, showPages, tableOf } from '../../daemon/lists.ts'
import { companyId, deviceNamed } from '../../daemon/references.ts'
import type { Session } from '../../session.ts'
import { localTime } from '../../text/times.ts'

interface Options extends PageOptions {
  company?: string
  device?: string
  premises?: string
  status?: string
  from?: string
  to?: string
}

export function register(invoice: Command, session: Session): void {
  const list = invoice
    .command('list')
    .description('List sales, the latest first.')
    .option('--company <oib-or-id>', 'of one company')
    .option('--device <label-or-id>', 'of one device')
    .option('--premises <code>', 'of one premises')
    .addOption(new Option('--status <status>', 'in one status').choices(INVOICE_STATUSES))
    .option('--from <time>', 'sold then or later, such as 2026-07-21T00:00:00Z')
    .option('--to <time>', 'sold before that')
    .addHelpText(
      'after',
      '\nExample:\n  fisk invoice list --status failed\n  fisk invoice list --from 2026-07-01T00:00:00Z --all --json > july.json',
    )
    .action((options: Options) => listInvoices(options, session))
  for (const option of pageOptions()) list.addOption(option)
}

async function listInvoices({ company, device, premises, ...options }: Options, session: Session): Promise<void> {
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

/** The id is what the other commands take: nothing of it is cut. */
const LAYOUT = [{ head: 'Id', width: 36 }, { head: 'Sold', width: 16 }, { head: 'Total' }, { head: 'Status', width: 9 }]

const ROWS = tableOf<InvoiceView>(LAYOUT, 'There is no such sale.', ({ id, occurred_at, total, status }) => [
  id,
  localTime(occurred_at)?.slice(0, 16) ?? '',
  total,
  status,
])
