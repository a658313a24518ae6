import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { QueueView, RequeuedView, SweepView } from '../../contract/admin/queue.ts'
import { Closed } from '../../contract/common.ts'
import { FISCAL_ERRORS, type FiscalErrorCode } from '../../domain/sale/invoice.ts'
import type { Queue } from '../../fiscal/ports/rows/sales.ts'
import type { AdminUseCases, SweepState } from '../../fiscal/use-cases.ts'
import { moment } from '../views/moment.ts'

const RequeueBody = Closed({
  code: Type.Optional(Type.Enum(Object.keys(FISCAL_ERRORS) as FiscalErrorCode[])),
})

/** What waits for its JIR: putting failed invoices back, and how the sweep gets on. */
export const queueRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  app.post('/invoices/requeue', {
    schema: { body: RequeueBody },
    handler: async ({ principal, body }): Promise<RequeuedView> => {
      const { requeued, askedGateways } = await useCases.requeueFailed(principal, body.code)
      return { requeued, asked_gateways: askedGateways, ...sweepView(await useCases.sweepState()) }
    },
  })

  app.get('/sweep', async () => sweepView(await useCases.sweepState()))
}

export function queueView(queue: Queue): QueueView {
  const { pending, retrying, failed, expired } = queue
  return { pending, retrying, failed, expired, next_deadline_at: moment(queue.nextDeadlineAt) }
}

function sweepView({ running, endedAt, unreachable, queue }: SweepState): SweepView {
  return { running, ended_at: moment(endedAt), unreachable, queue: queueView(queue) }
}
