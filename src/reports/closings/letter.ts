import type { Readable } from 'node:stream'
import { addClosings, type ClosingDocument } from '../../domain/sale/closing.ts'
import { shownPeriod, spanOf } from '../../domain/sale/closing-period.ts'
import { letterHtml } from '../../domain/texts/letter-html.ts'
import { shownMoney } from '../../domain/texts/shown-money.ts'
import type { ClosedPeriod, ClosingsWanted } from '../../fiscal/closings/closings.ts'
import type { ClosingLetter } from '../../fiscal/closings/give-closings.ts'
import { OFFICE_MAIL_BOUNDS } from '../../fiscal/mail/office-mail.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { type ClosedSlices, closingsCsv } from './file.ts'
import { type Texts, texts } from './texts.ts'

/** The sums of closings in words, and each of them in a CSV file; without closings only that nothing was sold. */
export async function closingLetter(
  { to, language }: { to: string; language: Language },
  wanted: ClosingsWanted,
  slices: ClosedSlices,
): Promise<ClosingLetter> {
  const t = texts[language]
  const closed: ClosedPeriod[] = []
  for await (const slice of slices) closed.push(...slice)
  const subject = t.mailSubject(shownPeriod(wanted, language), wanted.premisesCode ?? null)
  const said = closed.length === 0 ? [t.noSales] : [...sumsOf(closed, language), t.mailFile]
  const lines = [subject, ...(wanted.mode === 'test' ? [t.test] : []), ...said, t.notFiscal]
  const files = closed.length === 0 ? [] : [await csvFile(closed, wanted, t)]
  return { to, subject, text: `${lines.join('\n')}\n`, html: letterHtml(lines), files }
}

const MOST_NAMED = 20

/** Of each company its own: no sum is of several legal persons. */
function sumsOf(closed: readonly ClosedPeriod[], language: Language): string[] {
  const documents = closed.map(({ document }) => document)
  const companies = Map.groupBy(documents, ({ company }) => `${company.name}, OIB ${company.oib}`)
  return [...companies].flatMap(([company, theirs]) => [company, ...sumsOfCompany(theirs, language)])
}

function sumsOfCompany(documents: readonly ClosingDocument[], language: Language): string[] {
  const t = texts[language]
  const euros = (amount: string) => shownMoney(amount, language)
  const { invoices, total, payments, withoutJir } = addClosings(documents)
  const behind = [...new Set(documents.flatMap((one) => (isBehind(one) ? [one.gateway?.name ?? ''] : [])))]
  return [
    t.mailSums(documents.length, invoices),
    ...payments.map((one) => `${t.payments[one.method]}: ${euros(one.total)}`),
    `${t.total}: ${euros(total)}`,
    ...(withoutJir.invoices > 0
      ? [t.mailWithoutJir(withoutJir.invoices, euros(withoutJir.total), few(withoutJir.numbers, withoutJir.invoices))]
      : []),
    ...(behind.length > 0 ? [t.mailBehind(few(behind, behind.length))] : []),
  ]
}

/** Whether the gateway had not reported all of the period when it was closed. */
const isBehind = ({ gateway, ...period }: ClosingDocument) =>
  gateway !== null && ((gateway.waiting ?? 0) > 0 || (gateway.seenAt ?? 0) < spanOf(period).to)

const few = (names: readonly string[], all: number) =>
  `${names.slice(0, MOST_NAMED).join(', ')}${all > MOST_NAMED ? ', …' : ''}`

async function csvFile(closed: ClosedPeriod[], wanted: ClosingsWanted, t: Texts): Promise<ClosingLetter['files'][0]> {
  const { name, content } = closingsCsv([closed], wanted, t, wanted.companyId && closed[0]?.document.company.name)
  return { name, type: 'text/csv', content: await read(content) }
}

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
