import { type Command, Option } from 'commander'
import { InvoiceSchema, type InvoiceView } from '../../../contract/v1/invoice.ts'
import { INVOICE_STATUSES } from '../../../domain/sale/invoice.ts'
import { type PageOptions, pageOptions, type Rows, showPages } from '../../daemon/lists.ts'
import { companyId, deviceNamed } from '../../daemon/references.ts'
import type { Session } from '../../session.ts'
import { amount } from '../../text/amount.ts'
import { clean } from '../../text/columns.ts'
import type { Screen } from '../../text/screen.ts'
import { tableHead, tableRows } from '../../text/table.ts'
import { localTime } from '../../text/times.ts'
import { translate } from '../../words/translate.ts'

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
      '\nExample:\n  fisk invoice list --status failed\n  fisk invoice list --from 2026-07-01T00:00:00Z --csv > july.csv',
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
    occurred_at: ({ occurred_at }) => occurred_at,
    total: ({ total }) => total,
    currency: ({ currency }) => currency,
    payment_method: ({ payment_method }) => payment_method,
    status: ({ status }) => status,
    zki: ({ zki }) => zki,
    jir: ({ jir }) => jir,
    confirmed_at: ({ confirmed_at }) => confirmed_at,
    late_delivery: ({ late_delivery }) => late_delivery,
    mode: ({ mode }) => mode,
    company_id: ({ company_id }) => company_id,
    device_id: ({ device_id }) => device_id,
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
