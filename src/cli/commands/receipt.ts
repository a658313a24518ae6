import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Option } from 'commander'
import {
  ClosedPeriodSchema,
  type ClosedPeriodView,
  ClosingPrintSchema,
  type ClosingPrintView,
} from '../../contract/admin/closings.ts'
import { PrintJobSchema, type PrintJobView, ReceiptTextSchema } from '../../contract/admin/printers.ts'
import { PAPER_COLUMNS } from '../../domain/printer.ts'
import { periodName, readPeriod } from '../../domain/sale/closing-period.ts'
import type { Command, Flags, Given } from '../command.ts'
import { orByGateway } from '../daemon/by-gateway.ts'
import type { Client } from '../daemon/client.ts'
import { companyId, deviceNamed } from '../daemon/references.ts'
import { missing, wrongUse } from '../failure.ts'
import { whenOver } from '../progress.ts'
import type { Session } from '../session.ts'
import { lines, paragraph } from '../text/columns.ts'
import { jobText } from '../text/printer-text.ts'

type PreviewOptions = Given<'png' | 'columns'>

const LOOK_MS = 300

export function register(program: Command, session: Session): void {
  const receipt = program.command('receipt').description('Receipts of sales')
  receipt
    .command('print')
    .description(
      'Print a copy, marked KOPIJA, on the printer of the device that sold; copies are counted and audited. ' +
        'Waits for it. Exit code 1 when it does not come out.',
    )
    .argument('<id>', 'the id of the sale, inv_...')
    .examples('fisk receipt print inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6')
    .action((id: string) => print(id, session))
  receipt
    .subcommand('pdf', 'Write a copy, marked KOPIJA, as PDF on A4.')
    .argument('<id>', 'the id of the sale, inv_...')
    .option('--out <file>', 'the file; ID.pdf when left out')
    .examples('fisk receipt pdf inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6 --out copy.pdf')
    .action((id: string, { out }: { out?: string }) => pdf(id, out ?? `${id}.pdf`, session))
  receipt
    .subcommand('preview', 'Show a receipt as it looks on paper.')
    .argument('<id>', 'the id of the sale, inv_...')
    .option('--png <file>', 'write it as a picture')
    .choice('--columns <n>', "other paper than the printer's", PAPER_COLUMNS.map(String))
    .examples('fisk receipt preview inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6 --png receipt.png')
    .action((id: string, options: PreviewOptions) => preview(id, options, session))
  receipt
    .command('closing')
    .description(
      'Show the closing of a day or month as it looks on paper: the day before when none is named. ' +
        'A closing is not a fiscal receipt. Exit code 1 when the period is not closed, or a print does not come out.',
    )
    .addOption(new Option('--day <yyyy-mm-dd>', 'of this day').conflicts('month'))
    .option('--month <yyyy-mm>', 'of this month')
    .option('--company <oib-or-id>', 'of one company')
    .option('--premises <code>', 'of one premises')
    .choice('--mode <mode>', 'live as soon as a company is', ['test', 'live'])
    .choice('--columns <n>', "other paper than the printer's", PAPER_COLUMNS.map(String))
    .option('--close', 'close what is not closed yet first; this cannot be taken back')
    .option('--print', 'print each on the printer at its premises')
    .option('--device <label-or-id>', 'with --print: on the printer of this device')
    .examples('fisk receipt closing --day 2026-11-22 --premises POSL1 --print')
    .action((options: ClosingOptions) => closing(options, session))
}

async function pdf(id: string, out: string, session: Session): Promise<void> {
  const client = await session.client()
  const { body } = await client.download(`/admin/invoices/${encodeURIComponent(id)}/receipt.pdf`)
  await write(out, body, 'out')
  await session.show({ file: out }, () => `${out} is a copy of the receipt.\n`)
}

async function write(file: string, body: Readable, option: string): Promise<void> {
  await writeFile(file, body).catch((error: Error) => {
    throw wrongUse(option, `${file} cannot be written: ${error.message}`)
  })
}

async function print(id: string, session: Session): Promise<void> {
  const client = await session.client()
  const path = `/admin/invoices/${encodeURIComponent(id)}/copies`
  const queued = await orByGateway(client, { invoice_id: id }, ['copy', '--invoice', id], () =>
    client.post(path, PrintJobSchema),
  )
  // Every job ends, because one that cannot be printed expires.
  const goesOn = ({ status }: PrintJobView) => status === 'queued' || status === 'sending'
  const job = await whenOver(queued, goesOn, () => client.get(`${path}/${queued.copy}`, PrintJobSchema), LOOK_MS)
  await session.show(job, (done) => lines(jobText(done), 80).join('\n').concat('\n'))
  if (job.status === 'failed' || job.status === 'expired') session.exitCode = 1
}

async function preview(id: string, { png, columns }: PreviewOptions, session: Session): Promise<void> {
  const client = await session.client()
  const path = `/admin/invoices/${encodeURIComponent(id)}/receipt`
  const query = columns === undefined ? '' : `?columns=${columns}`
  if (png === undefined) {
    await session.show(await client.get(`${path}${query}`, ReceiptTextSchema), ({ text }) => text)
    return
  }
  const { body } = await client.download(`${path}.png${query}`)
  await write(png, body, 'png')
  await session.show({ file: png }, () => `${png} shows the receipt.\n`)
}

type ClosingOptions = Given<'day' | 'month' | 'company' | 'premises' | 'mode' | 'columns' | 'device'> &
  Flags<'close' | 'print'>

const CLOSED_LOOK_MS = 500

async function closing(options: ClosingOptions, session: Session): Promise<void> {
  const { company, premises, mode, columns } = options
  if (options.device !== undefined && !options.print) throw wrongUse('device', '--device is for --print.')
  const named = {
    ...periodOf(options),
    ...(mode !== undefined && { mode }),
    ...(company !== undefined && { company_id: companyId(company) }),
    ...(premises !== undefined && { premises_code: premises }),
  }
  const client = await session.client()
  if (options.close) await client.post('/admin/closings', ClosedPeriodSchema, named)
  const path = `/admin/closings?${new URLSearchParams({ ...named, ...(columns !== undefined && { columns }) })}`
  const look = () => client.get(path, ClosedPeriodSchema)
  const goesOn = ({ running }: ClosedPeriodView) => options.close === true && running
  const closed = await whenOver(await look(), goesOn, look, CLOSED_LOOK_MS)
  const prints = options.print ? await printAll(client, closed, options.device) : undefined
  await session.show(prints ? { ...closed, prints } : closed, () => closedText(closed, prints))
  const failed = prints?.some(({ status }) => status === 'failed' || status === 'expired')
  if (closed.open.invoices > 0 || closed.premises === 0 || failed) session.exitCode = 1
}

function periodOf({ day, month }: ClosingOptions): { period?: string } {
  const given = day ?? month
  if (given === undefined) return {}
  const unit = day === undefined ? 'month' : 'day'
  const read = readPeriod(given)
  if (read?.unit === unit) return { period: periodName(read) }
  throw wrongUse(unit, unit === 'day' ? 'A day is written 2026-11-22.' : 'A month is written 2026-11.')
}

async function printAll(client: Client, { data }: ClosedPeriodView, reference: string | undefined) {
  if (data.length === 0) throw missing('closing', 'There is no closing to print.', 'See what `--close` closes.')
  const order = reference === undefined ? {} : { device_id: (await deviceNamed(client, reference)).id }
  const prints: ClosingPrintView[] = []
  for (const { id } of data) prints.push(await client.post(`/admin/closings/${id}/print`, ClosingPrintSchema, order))
  return prints
}

const PRINTED: Record<string, string> = {
  printed: 'Printed',
  unconfirmed: 'Sent; the printer does not say whether it is out',
  failed: 'Did not come out',
  expired: 'Was not sent',
}

function closedText(closed: ClosedPeriodView, prints: readonly ClosingPrintView[] | undefined): string {
  const texts = closed.data.map(({ text }) => text)
  const printed = prints?.map(({ status, detail, device }) =>
    paragraph('', `${PRINTED[status] ?? status}, ${device.label}${detail === null ? '.' : `: ${detail}`}`),
  )
  return [...texts, ...(printed ?? []), stateText(closed)].filter(Boolean).join('\n')
}

/** What is not as it should be, and what to do; empty when all of it is closed. */
function stateText({ period, premises, open, is_over: isOver, running, has_more: hasMore }: ClosedPeriodView): string {
  if (premises === 0) return `There are no sales in ${period}.\n`
  const more = hasMore ? 'There are more closings: name a company or premises.\n' : ''
  if (running) return `${more}${period} is being closed. Look again in a while.\n`
  if (open.invoices === 0) return more
  const what = `Not closed yet: ${open.invoices} invoices of ${open.premises} premises in ${period}.`
  const then = isOver ? 'Close them with --close.' : 'It can be closed when it is over.'
  return `${more}${what}\n${then}\n`
}
