import { printedNumber } from '../../domain/sale/receipt-number.ts'
import { letterHtml } from '../../domain/texts/letter-html.ts'
import type { InvoiceFile } from '../../fiscal/office/search.ts'
import { LANGUAGES } from '../../fiscal/ports/model.ts'
import type { OfficeMail } from '../../fiscal/ports/office-mail.ts'
import type { ReceiptLetter } from '../../fiscal/printing/mail-receipt.ts'
import { invoiceIdOf } from '../ids.ts'
import { addressIn, refusedMail } from '../mail-form.ts'
import type { PageContext } from '../page-routes.ts'
import { type DetailDeps, detailPage } from './detail-page.ts'
import { detailTexts } from './detail-texts.ts'

/** Sends a customer the copy as PDF. */
export async function mailCopy(deps: DetailDeps, context: PageContext): Promise<unknown> {
  const { office, formats } = deps
  const { principal } = context
  const id = invoiceIdOf(context)
  const letter = letterOf(addressIn(context), await office.search.file(principal, id), formats)
  return context.once<OfficeMail>((keep) => office.receiptMails.send(principal, id, letter, keep), {
    to: `/dashboard/invoices/${id}`,
    notice: 'mail_ready',
    refused: (errors) => detailPage(deps, context, refusedMail(context, errors)),
  })
}

/** In both languages: nobody knows which one the customer reads. */
function letterOf(to: string, { invoice, company }: InvoiceFile, formats: DetailDeps['formats']): ReceiptLetter {
  const { number, premisesCode, registerMark, total } = invoice.document
  const printed = printedNumber(number, premisesCode, registerMark)
  const letters = LANGUAGES.map((language) => {
    const f = formats(language)
    return detailTexts[language].letter(printed, f.time(invoice.occurredAt), f.money(total))
  })
  const paragraphs = [...letters, company.name]
  return {
    to,
    subject: detailTexts.hr.letterSubject(printed),
    text: `${paragraphs.join('\n\n')}\n`,
    html: letterHtml(paragraphs),
  }
}
