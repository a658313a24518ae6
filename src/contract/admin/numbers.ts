import * as Type from 'typebox'
import { Mode, Moment, Nullable, Rows, Titled } from '../common.ts'
import { ListOf } from '../list.ts'

const sequence = {
  mode: Mode,
  premises_code: Type.String(),
  year: Type.Integer(),
  register: Nullable(Type.String({ description: 'null where the premises numbers as one' })),
}

/** How far the receipt numbers of a premises, or of one of its registers, have got. */
export const NumberStandingSchema = Titled('NumberStanding', {
  company: Type.Object({ id: Type.String(), name: Type.String(), oib: Type.String() }),
  ...sequence,
  highest: Nullable(Type.String()),
  left: Type.String(),
  ahead: Nullable(
    Type.Object({
      count: Type.Integer(),
      latest: Type.Object({ number: Type.String(), invoice_id: Nullable(Type.String()), noted_at: Moment }),
    }),
  ),
})
export type NumberStandingView = Type.Static<typeof NumberStandingSchema>

export const NumberStandingList = ListOf(NumberStandingSchema, 'NumberStandingList')

/** Sequences that count from a lower number on. */
export const HealedNumbersSchema = Titled('HealedNumbers', {
  dry_run: Type.Boolean(),
  healed: Rows({
    company_id: Type.String(),
    ...sequence,
    from: Type.String(),
    to: Type.String(),
    ahead: Type.Integer(),
    shortened: Type.Integer(),
  }),
})
export type HealedNumbersView = Type.Static<typeof HealedNumbersSchema>

/** Sequences that go on above the numbers of sales that the database lacks. */
export const SkippedNumbersSchema = Titled('SkippedNumbers', {
  dry_run: Type.Boolean(),
  skipped: Rows({
    company_id: Type.String(),
    ...sequence,
    from: Nullable(Type.String()),
    to: Type.String(),
    lost: Type.Array(Type.Object({ number: Type.String(), zki: Type.String(), jir: Nullable(Type.String()) })),
  }),
})
export type SkippedNumbersView = Type.Static<typeof SkippedNumbersSchema>
