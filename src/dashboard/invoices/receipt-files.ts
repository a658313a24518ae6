import { invoiceIdOf } from '../ids.ts'
import type { DashboardDeps, Visit } from '../page-routes.ts'

type Deps = Pick<DashboardDeps, 'admin'>

/** The receipt as its printer prints it. */
export async function receiptPicture({ admin }: Deps, visit: Visit): Promise<unknown> {
  const id = invoiceIdOf(visit)
  const picture = await admin.receiptPicture(visit.principal, id)
  if (visit.query.download !== undefined) attach(visit, `${id}.png`)
  return visit.reply.type('image/png').send(picture)
}

export async function receiptText({ admin }: Deps, visit: Visit): Promise<unknown> {
  const id = invoiceIdOf(visit)
  const text = await admin.receiptText(visit.principal, id)
  attach(visit, `${id}.txt`)
  return visit.reply.type('text/plain; charset=utf-8').send(text)
}

function attach({ reply }: Visit, name: string): void {
  reply.header('content-disposition', `attachment; filename="${name}"`)
}
