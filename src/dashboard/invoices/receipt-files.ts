import type { ReceiptForm } from '../../fiscal/ports/printing.ts'
import { invoiceIdOf } from '../ids.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'

const FILES = {
  png: { form: 'png', type: 'image/png' },
  pdf: { form: 'pdf', type: 'application/pdf' },
  txt: { form: 'text', type: 'text/plain; charset=utf-8' },
} as const satisfies Record<string, { form: ReceiptForm; type: string }>

/** The receipt as its printer prints it; the PDF is a copy for people. The picture is shown unless it is downloaded. */
export async function receiptFile(
  { admin }: Pick<DashboardDeps, 'admin'>,
  context: PageContext,
  ending: keyof typeof FILES,
): Promise<unknown> {
  const id = invoiceIdOf(context)
  const { form, type } = FILES[ending]
  const content = await admin.previewReceipt(context.principal, id, { form })
  if (ending !== 'png' || context.query.download !== undefined) {
    context.reply.header('content-disposition', `attachment; filename="${id}.${ending}"`)
  }
  return context.reply.type(type).send(content)
}
