import * as Type from 'typebox'
import { Moment, Nullable, Titled } from '../common.ts'

export const QueueSchema = Titled('Queue', {
  pending: Type.Integer(),
  retrying: Type.Integer(),
  failed: Type.Integer(),
  expired: Type.Integer(),
  next_deadline_at: Nullable(Moment),
})

const sweep = {
  running: Type.Boolean(),
  ended_at: Nullable(Moment),
  unreachable: Type.Boolean({ description: 'The tax authority is: the next pass comes by itself' }),
  queue: QueueSchema,
}

const Told = Type.Object({ code: Type.String(), message: Type.String({ description: 'Verbatim' }) })

/** What fiskd and the tax authority find in a sale, were it delivered now. */
export const InvoiceCheckSchema = Titled('InvoiceCheck', {
  invoice: Type.String(),
  ours: Type.Array(Type.String({ description: 'As in `findings` of an invoice' })),
  authority: Nullable(Type.Array(Told, { description: 'null when no answer was believed' })),
  agree: Nullable(Type.Boolean({ description: 'null when they cannot be compared' })),
  problem: Nullable(Type.String({ description: 'Why no answer was believed' })),
  claimed: Type.Array(Told, { description: 'What an answer says that is not believed' }),
})
export type InvoiceCheckView = Type.Static<typeof InvoiceCheckSchema>

export const SweepSchema = Type.Object(sweep, { title: 'Sweep' })
export type SweepView = Type.Static<typeof SweepSchema>

/** What was put back into the queue, and the sweep that takes it up. */
export const RequeuedSchema = Titled('Requeued', {
  requeued: Type.Integer(),
  asked_gateways: Type.Integer({ description: 'Of a server: gateways that were asked to do the same' }),
  ...sweep,
})
