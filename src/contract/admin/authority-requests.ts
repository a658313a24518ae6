import * as Type from 'typebox'
import { Anything, Closed, Moment, Nullable, Rows, Titled } from '../common.ts'

const State = Type.Enum(['sent', 'done', 'refused', 'unknown'])

/** What was asked of the tax authority beside sales, and what it answered. */
export const AuthorityRequestSchema = Titled('Authority request', {
  id: Type.String(),
  state: State,
  code: Nullable(Type.String({ description: 'Of the answer, such as p003 or s103' })),
  message: Nullable(Type.String({ description: 'The words of the tax authority, or why nothing is known' })),
  premises_code: Type.String(),
  invoice_id: Nullable(Type.String()),
  requested_by: Type.String(),
  sent_at: Moment,
  answered_at: Nullable(Moment),
  asked: Anything,
})
export type AuthorityRequestView = Type.Static<typeof AuthorityRequestSchema>

export const HoursSchema = Titled('Working hours', {
  state: State,
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  regular: Rows({
    from: Type.String(),
    until: Type.Optional(Type.String()),
    hours: Type.String(),
    note: Type.Optional(Type.String()),
  }),
  exceptions: Type.Array(Type.Object({ date: Type.String(), hours: Type.String() })),
})
export type HoursView = Type.Static<typeof HoursSchema>

const place = {
  device_id: Type.Optional(Type.String()),
  company_id: Type.Optional(Type.String()),
  premises_code: Type.Optional(Type.String()),
}
export const HoursQuery = Closed(place)

export const HoursBody = Closed({
  ...place,
  regular: Type.Array(Closed({ from: Type.String(), hours: Type.String(), note: Type.Optional(Type.String()) })),
  exceptions: Type.Array(Closed({ date: Type.String(), hours: Type.String() })),
})

export const HoursDatesBody = Closed({
  ...place,
  regular: Type.Array(Type.String()),
  exceptions: Type.Array(Type.String()),
})

export const CorrectionBody = Closed({
  payment_method: Type.Optional(Type.Enum(['G', 'K', 'O', 'T'])),
  recipient_oib: Type.Optional(Nullable(Type.String())),
})

/** A bulk job, and how many of its rows are in which state. */
export const JobSchema = Titled('Job', {
  id: Type.String(),
  total: Type.Integer(),
  todo: Type.Integer(),
  waiting: Type.Integer(),
  done: Type.Integer(),
  unchanged: Type.Integer(),
  refused: Type.Integer(),
  refusals: Type.Array(Type.Object({ label: Type.String(), message: Type.String() }), {
    description: 'The first of them',
  }),
  ended_at: Nullable(Moment),
})
export type JobView = Type.Static<typeof JobSchema>
