import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import {
  ClosedPeriodSchema,
  type ClosedPeriodView,
  ClosingPrintSchema,
  type ClosingPrintView,
} from '../../../contract/admin/closings.ts'
import { PAPER_COLUMNS } from '../../../domain/printer.ts'
import { periodName, readPeriod } from '../../../domain/sale/closing-period.ts'
import type { Client } from '../../daemon/client.ts'
import { companyId, deviceNamed } from '../../daemon/references.ts'
import { missing, wrongUse } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { paragraph } from '../../text/columns.ts'

interface Options {
  day?: string
  month?: string
  company?: string
  premises?: string
  mode?: string
  columns?: string
  close?: true
  print?: true
  device?: string
}

/** Between two looks at a closing that goes on in the background. */
const LOOK_MS = 500

export function register(receipt: Command, session: Session): void {
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
    .addOption(new Option('--mode <mode>', 'live as soon as a company is').choices(['test', 'live']))
    .addOption(new Option('--columns <n>', "other paper than the printer's").choices(PAPER_COLUMNS.map(String)))
    .option('--close', 'close what is not closed yet first; this cannot be taken back')
    .option('--print', 'print each on the printer at its premises')
    .option('--device <label-or-id>', 'with --print: on the printer of this device')
    .addHelpText('after', '\nExample:\n  fisk receipt closing --day 2026-11-22 --premises POSL1 --print')
    .action((options: Options) => closing(options, session))
}

async function closing(options: Options, session: Session): Promise<void> {
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
  const closed = await ended(look, await look(), options.close === true)
  const prints = options.print ? await printAll(client, closed, options.device) : undefined
  await session.show(prints ? { ...closed, prints } : closed, () => closedText(closed, prints))
  const failed = prints?.some(({ status }) => status === 'failed' || status === 'expired')
  if (closed.open.invoices > 0 || closed.premises === 0 || failed) session.exitCode = 1
}

function periodOf({ day, month }: Options): { period?: string } {
  const given = day ?? month
  if (given === undefined) return {}
  const unit = day === undefined ? 'month' : 'day'
  const read = readPeriod(given)
  if (read?.unit === unit) return { period: periodName(read) }
  throw wrongUse(unit, unit === 'day' ? 'A day is written 2026-11-22.' : 'A month is written 2026-11.')
}

async function ended(look: () => Promise<ClosedPeriodView>, closed: ClosedPeriodView, waits: boolean) {
  let latest = closed
  while (waits && latest.running) {
    await delay(LOOK_MS)
    latest = await look()
  }
  return latest
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
