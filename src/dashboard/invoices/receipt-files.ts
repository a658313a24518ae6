import { invoiceIdOf } from '../ids.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'

type Deps = Pick<DashboardDeps, 'admin'>

/** The receipt as its printer prints it. */
export async function receiptPicture({ admin }: Deps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const picture = await admin.receiptPicture(context.principal, id)
  if (context.query.download !== undefined) attach(context, `${id}.png`)
  return context.reply.type('image/png').send(picture)
}

/** A copy for people, on A4. */
export async function receiptPdf({ admin }: Deps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const pdf = await admin.receiptPdf(context.principal, id)
  attach(context, `${id}.pdf`)
  return context.reply.type('application/pdf').send(pdf)
}

export async function receiptText({ admin }: Deps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const text = await admin.receiptText(context.principal, id)
  attach(context, `${id}.txt`)
  return context.reply.type('text/plain; charset=utf-8').send(text)
}

function attach({ reply }: PageContext, name: string): void {
  reply.header('content-disposition', `attachment; filename="${name}"`)
}
