import { groupBy } from './compare.ts'
import { type Kept, nameOf } from './database.ts'

/** Nobody knows what comes out of a printer that is a file: what was sent there is `unconfirmed`. */
export function paperProblems(paper: readonly string[], { invoices, receipts }: Kept, printersTell: boolean): string[] {
  const cameOut = printersTell ? ['printed', 'unconfirmed'] : ['unconfirmed']
  const byZki = new Map(invoices.map((invoice) => [invoice.zki, invoice]))
  const statusOf = new Map(receipts.map(({ invoiceId, status }) => [invoiceId, status]))
  const printed = [...groupBy(paper, (zki) => zki)].flatMap(([zki, times]) => {
    const invoice = byZki.get(zki)
    if (!invoice) return [`a receipt with ZKI ${zki} came out, and no such invoice is stored`]
    const status = statusOf.get(invoice.id)
    return [
      ...(times.length > 1 ? [`the receipt of ${nameOf(invoice)} came out ${times.length} times`] : []),
      ...(status && cameOut.includes(status)
        ? []
        : [`the receipt of ${nameOf(invoice)} came out, and is ${status ?? 'unknown'}`]),
    ]
  })
  const left = receipts.filter(({ status }) => status === 'queued' || status === 'sending')
  return [...printed, ...left.map(({ invoiceId, status }) => `the receipt of ${invoiceId} is ${status} for ever`)]
}
