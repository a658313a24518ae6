import * as Type from 'typebox'
import { Mode, Moment, Nullable, Titled } from '../common.ts'
import { PrintJobSchema } from './printers.ts'

export const ClosingSchema = Titled('Closing', {
  id: Type.String(),
  number: Type.Integer({ description: '1; from 2 for a supplementary closing' }),
  company: Type.Object({ id: Type.String(), name: Type.String(), oib: Type.String() }),
  premises_code: Type.String(),
  closed_at: Moment,
  invoices: Type.Integer(),
  total: Type.String(),
  without_jir: Type.Integer({ description: 'Invoices without a JIR when it was closed' }),
  text: Type.String(),
})
export type ClosingView = Type.Static<typeof ClosingSchema>

/** A day or month: what is closed and what is not. */
export const ClosedPeriodSchema = Titled('ClosedPeriod', {
  period: Type.String({ description: '`2026-11-22`, or `2026-11` for a month' }),
  mode: Mode,
  is_over: Type.Boolean({ description: 'Only then can it be closed' }),
  running: Type.Boolean({ description: 'It is being closed now' }),
  premises: Type.Integer({ description: 'Premises with sales in it' }),
  open: Type.Object({ premises: Type.Integer(), invoices: Type.Integer() }),
  data: Type.Array(ClosingSchema),
  has_more: Type.Boolean({ description: 'There are more closings: narrow them by company or premises' }),
})
export type ClosedPeriodView = Type.Static<typeof ClosedPeriodSchema>

export const ClosingPrintSchema = Titled('ClosingPrint', {
  status: PrintJobSchema.properties.status,
  detail: Nullable(Type.String()),
  device: Type.Object({ id: Type.String(), label: Type.String() }),
})
export type ClosingPrintView = Type.Static<typeof ClosingPrintSchema>
