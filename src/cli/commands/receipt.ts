import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { PrintJobSchema, type PrintJobView, ReceiptTextSchema } from '../../contract/admin/printers.ts'
import { PAPER_COLUMNS } from '../../domain/printer.ts'
import { orByGateway } from '../daemon/by-gateway.ts'
import type { Client } from '../daemon/client.ts'
import { wrongUse } from '../failure.ts'
import type { Session } from '../session.ts'
import { lines } from '../text/columns.ts'
import { jobText } from '../text/printer-text.ts'
import * as closing from './receipt/closing.ts'

interface PdfOptions {
  out?: string
}

interface PreviewOptions {
  png?: string
  columns?: string
}

/** Between two looks at a copy that is on its way. */
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
    .addHelpText('after', '\nExample:\n  fisk receipt print inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6')
    .action((id: string) => print(id, session))
  receipt
    .command('pdf')
    .description('Write a copy, marked KOPIJA, as PDF on A4.')
    .argument('<id>', 'the id of the sale, inv_...')
    .option('--out <file>', 'the file; ID.pdf when left out')
    .addHelpText('after', '\nExample:\n  fisk receipt pdf inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6 --out copy.pdf')
    .action((id: string, options: PdfOptions) => pdf(id, options, session))
  receipt
    .command('preview')
    .description('Show a receipt as it looks on paper.')
    .argument('<id>', 'the id of the sale, inv_...')
    .option('--png <file>', 'write it as a picture')
    .addOption(new Option('--columns <n>', "other paper than the printer's").choices(PAPER_COLUMNS.map(String)))
    .addHelpText('after', '\nExample:\n  fisk receipt preview inv_0198c1f0a1b27d3e9f00a1b2c3d4e5f6 --png receipt.png')
    .action((id: string, options: PreviewOptions) => preview(id, options, session))
  closing.register(receipt, session)
}

async function pdf(id: string, { out = `${id}.pdf` }: PdfOptions, session: Session): Promise<void> {
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
  const job = await ended(client, path, queued)
  await session.show(job, (done) => lines(jobText(done), 80).join('\n').concat('\n'))
  if (job.status === 'failed' || job.status === 'expired') session.exitCode = 1
}

/** Waits until a print job ends. Every job ends, because one that cannot be printed expires. */
async function ended(client: Client, path: string, job: PrintJobView): Promise<PrintJobView> {
  if (job.status !== 'queued' && job.status !== 'sending') return job
  await delay(LOOK_MS)
  return ended(client, path, await client.get(`${path}/${job.copy}`, PrintJobSchema))
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
