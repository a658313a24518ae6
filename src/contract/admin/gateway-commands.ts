import * as Type from 'typebox'
import { Anything, Moment, Nullable, Titled } from '../common.ts'

export const GatewayCommandSchema = Titled('GatewayCommand', {
  id: Type.String(),
  number: Type.Integer(),
  type: Type.String(),
  body: Type.Unsafe<Type.Static<typeof Anything>>({ ...Anything, description: 'Without what is sealed' }),
  status: Type.Enum(['waiting', 'done', 'failed', 'refused', 'expired', 'interrupted', 'withdrawn']),
  issued_by: Type.String(),
  issued_at: Moment,
  expires_at: Moment,
  sent_at: Nullable(Moment),
  answered_at: Nullable(Moment),
  result: Nullable(Anything),
  attachment: Nullable(Type.Object({ name: Type.String(), bytes: Type.Integer() })),
  repeated: Type.Optional(
    Type.Boolean({ description: 'In the answer to a new command: it waits already, and nothing was queued' }),
  ),
  replaced: Type.Optional(
    Type.Array(Type.String(), { description: 'In the answer to a new command: the ids of those it has replaced' }),
  ),
})
export type GatewayCommandView = Type.Static<typeof GatewayCommandSchema>

/** The gateway that decides on a device or an invoice; null: this daemon does. */
export const OwnerSchema = Type.Object({ gateway: Nullable(Type.String()) }, { title: 'Owner' })
export type OwnerView = Type.Static<typeof OwnerSchema>
