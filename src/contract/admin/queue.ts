import type { Static } from 'typebox'
import * as Type from 'typebox'
import { Moment, Nullable } from '../common.ts'

/** How many invoices lack their JIR. */
export const QueueSchema = Type.Object(
  {
    pending: Type.Integer(),
    retrying: Type.Integer(),
    failed: Type.Integer(),
    expired: Type.Integer(),
    next_deadline_at: Nullable(Moment),
  },
  { title: 'Queue' },
)
export type QueueView = Static<typeof QueueSchema>

const sweep = {
  running: Type.Boolean(),
  ended_at: Nullable(Moment),
  unreachable: Type.Boolean({ description: 'The tax authority is: the next pass comes by itself' }),
  queue: QueueSchema,
}

/** How the sweep gets on. */
export const SweepSchema = Type.Object(sweep, { title: 'Sweep' })
export type SweepView = Static<typeof SweepSchema>

/** What was put back into the queue, and the sweep that takes it up. */
export const RequeuedSchema = Type.Object(
  {
    requeued: Type.Integer(),
    asked_gateways: Type.Integer({ description: 'Of a server: gateways that were asked to do the same' }),
    ...sweep,
  },
  { title: 'Requeued' },
)

export type RequeuedView = Static<typeof RequeuedSchema>
