import * as Type from 'typebox'
import { Instant, Mode, Moment, Nullable, Titled } from '../common.ts'

/** A row that a central server has not taken from a gateway. */
export const RefusalSchema = Titled('Refusal', {
  kind: Type.String(),
  id: Type.String(),
  version: Type.Integer(),
  code: Type.String(),
  message: Type.String(),
  refused_at: Moment,
})

const summary = {
  state: Type.Enum([
    ...['connecting', 'connected', 'unreachable', 'revoked', 'duplicated', 'replaced', 'incompatible', 'unreadable'],
  ] as const),
  server: Type.String({ description: 'Its address' }),
  waiting: Type.Integer({ description: 'Rows that the server does not have, with those that are set aside' }),
  refused: Type.Integer({ description: 'Rows that the server has refused, or has failed at: they are set aside' }),
  doubtful: Type.Integer({ description: 'Numbers that the server tells and that are not believed' }),
  last_push_at: Nullable(Moment),
  last_error: Nullable(Type.Object({ at: Moment, code: Type.String(), message: Type.String() })),
}

export const SyncSummarySchema = Type.Object(summary, { title: 'SyncSummary' })
export type SyncSummaryView = Type.Static<typeof SyncSummarySchema>

const EnrolledSchema = Type.Object({
  ...summary,
  since: Instant('Since when the state is as it is'),
  server_id: Nullable(Type.String()),
  server_program: Nullable(Type.String()),
  gateway: Type.Object({ id: Type.String(), name: Nullable(Type.String()) }),
  tenant: Type.String(),
  other_tenants: Type.Array(Type.String(), { description: 'Tenants of which the server is told nothing' }),
  enrolled_at: Moment,
  next_try_at: Nullable(Moment),
  tells_again: Type.Boolean({ description: 'Everything is about to be told again' }),
  heard: Type.Boolean({ description: 'The server has answered since it was last to be told at once' }),
  max_kbps: Nullable(Type.Number()),
  conflicts: Type.Array(Type.Object({ what: Type.String(), value: Type.String(), message: Type.String() })),
})

const DoubtfulNumberSchema = Type.Object({
  company_id: Type.String(),
  mode: Mode,
  premises_code: Type.String(),
  year: Type.Integer(),
  register: Type.String({ description: 'Empty where the premises numbers as one' }),
  highest: Type.String(),
  known: Nullable(Type.String({ description: 'The highest here; null for none' })),
  doubt: Type.Enum(['out_of_reach', 'unsigned']),
})
export type DoubtfulNumberView = Type.Static<typeof DoubtfulNumberSchema>

export const SyncSchema = Titled('Sync', {
  enrolled: Type.Boolean(),
  sync: Nullable(EnrolledSchema),
  doubtful_numbers: Type.Array(DoubtfulNumberSchema),
  refusals: Type.Array(RefusalSchema, { description: 'The latest ones' }),
})
export type SyncView = Type.Static<typeof SyncSchema>

/** A gateway that tells no server any more. */
export const LeftSchema = Titled('Left', {
  told: Type.Boolean({ description: 'Whether the server knows' }),
  server: Type.String(),
})
export type LeftView = Type.Static<typeof LeftSchema>
