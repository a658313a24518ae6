import type { Readable } from 'node:stream'
import { periodText } from '../../domain/sale/closing-period.ts'
import type { AddedClosings } from '../../fiscal/closings/closings.ts'
import type { ClosingLetter } from '../../fiscal/closings/mail-closings.ts'
import { OFFICE_MAIL_BOUNDS } from '../../fiscal/mail/office-mail.ts'
import { letterHtml } from '../letter-html.ts'
import type { ClosingChoice } from './choice.ts'
import type { Texts } from './texts.ts'

/** The sums of the chosen closings in words, and each of them in the CSV file. */
export async function letterOf(
  to: string,
  { wanted }: ClosingChoice,
  sums: AddedClosings,
  { name, content }: { name: string; content: Readable },
  t: Texts,
): Promise<ClosingLetter> {
  const subject = t.mailSubject(periodText(wanted))
  const { closings, invoices, total, payments, withoutJir } = sums
  const lines = [
    subject,
    ...(wanted.mode === 'test' ? [t.test] : []),
    t.mailSums(closings, invoices),
    ...payments.map((one) => `${t.payments[one.method]}: ${euros(one.total, t)}`),
    `${t.total}: ${euros(total, t)}`,
    ...(withoutJir.invoices > 0 ? [`${t.withoutJir}: ${withoutJir.invoices}`] : []),
    t.mailFile,
    t.notFiscal,
  ]
  const files = [{ name, type: 'text/csv', content: await read(content) }]
  return { to, subject, text: `${lines.join('\n')}\n`, html: letterHtml(lines), files }
}

const euros = (amount: string, t: Texts) => `${amount.replace('.', t.decimalSign)} EUR`

/** No more than a mail takes, and one byte: it is refused then. */
async function read(content: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of content) {
    const next = Buffer.from(piece)
    pieces.push(next)
    bytes += next.length
    if (bytes > OFFICE_MAIL_BOUNDS.fileBytes.most) break
  }
  return Buffer.concat(pieces)
}
