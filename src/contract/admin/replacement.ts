import * as Type from 'typebox'
import { Dictionary, Mode, Moment, Nullable, Rows, Titled } from '../common.ts'

/** This machine may replace another one. */
export const FreshSchema = Type.Object({ fresh: Type.Boolean() }, { title: 'Fresh' })
export type FreshView = Type.Static<typeof FreshSchema>

/** What a machine that replaces another one has taken over from the central server. */
export const TakenOverSchema = Titled('TakenOver', {
  is_new: Type.Boolean({ description: 'False when an earlier run had taken it over already' }),
  companies: Type.Array(Type.Object({ id: Type.String(), oib: Type.String(), name: Type.String(), mode: Mode })),
  devices: Rows({
    id: Type.String(),
    company_id: Type.String(),
    label: Type.String(),
    premises_code: Type.String(),
    isu_number: Nullable(Type.String()),
    last_success_at: Nullable(Moment),
    printer: Nullable(
      Type.Object({
        line: Type.String(),
        profile: Type.String(),
        settings: Dictionary(Type.Union([Type.String(), Type.Number()])),
        expire_after_s: Type.Integer(),
      }),
    ),
  }),
  certificates: Type.Array(
    Type.Object({
      company_id: Type.String(),
      subject_cn: Type.String(),
      issuer: Type.String(),
      serial: Type.String(),
      not_after: Moment,
    }),
    { description: 'What the companies signed with; the keys are at no server' },
  ),
  numbers: Rows({
    company: Type.String({ description: 'Its OIB' }),
    mode: Mode,
    premises_code: Type.String(),
    year: Type.Integer(),
    register: Type.String({ description: 'Empty where the premises numbers as one' }),
    seen: Nullable(Type.String({ description: 'The highest that the server has seen; null for none' })),
    after: Type.String({ description: 'The last number that is never given out here; 0 for none' }),
    why: Type.Enum(['stated', 'gap']),
  }),
  gap: Nullable(
    Type.Object({
      count: Type.Integer({ description: 'Skipped wherever no number was stated' }),
      days: Nullable(Type.Integer({ description: 'Started days that it covers; null where it was stated or unknown' })),
    }),
  ),
  without_jir: Type.Integer({ description: 'Invoices of the machine before that have no JIR' }),
  left_out: Type.Array(Type.Object({ premises_code: Type.String(), message: Type.String() }), {
    description: 'Premises that another one sells at now',
  }),
  last_seen_at: Nullable(Moment),
})
export type TakenOverView = Type.Static<typeof TakenOverSchema>
