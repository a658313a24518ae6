import * as Type from 'typebox'
import { PRINT_JOB_STATUSES, PRINTER_REASONS } from '../../domain/printer.ts'
import { BothSchema, Dictionary, Moment, Nullable, Titled } from '../common.ts'
import { ListOf } from '../list.ts'

export const condition = {
  state: Type.Enum(['ready', 'offline', 'silent', 'lost', 'unknown']),
  paper: Nullable(Type.Enum(['ok', 'near_end', 'out'])),
  cover: Nullable(Type.Enum(['closed', 'open'])),
  error: Nullable(Type.Boolean()),
  reason: Nullable(
    Type.Enum(PRINTER_REASONS, { description: 'Why it does not print; null when all is well or nothing is known' }),
  ),
  detail: Nullable(BothSchema),
  fix: Nullable(BothSchema),
}

export const PrintJobSchema = Titled('PrintJob', {
  invoice_id: Type.String(),
  copy: Type.Integer({ description: '0 for the original' }),
  status: Type.Enum(PRINT_JOB_STATUSES),
  created_at: Moment,
  ended_at: Nullable(Moment),
  detail: Nullable(Type.String()),
  reason: Nullable(Type.String({ description: 'Why it did not come out' })),
})
export type PrintJobView = Type.Static<typeof PrintJobSchema>

export const PrinterSchema = Titled('Printer', {
  device: Type.Object({ id: Type.String(), label: Type.String(), premises_code: Type.String() }),
  line: Type.String(),
  profile: Type.String(),
  tested_with: Type.String({ description: 'What the profile was tested with' }),
  expire_after_s: Type.Integer(),
  settings: Dictionary(Type.Union([Type.String(), Type.Number()])),
  overridden: Type.Array(Type.String(), { description: "The names of those that differ from the profile's" }),
  condition: Type.Object(condition),
  roll: Nullable(
    Type.Object({
      printed_mm: Type.Integer({ description: 'Since the roll was changed, or since counting began' }),
      receipts_left: Nullable(Type.Integer({ description: 'About so many; null until learnt from an earlier roll' })),
    }),
  ),
  last_receipt: Nullable(PrintJobSchema),
})
export type PrinterView = Type.Static<typeof PrinterSchema>

export const PrinterList = Titled('PrinterList', {
  ...ListOf(PrinterSchema, 'PrinterList').properties,
  found: Type.Array(Type.String(), { description: 'Lines of this machine that may lead to printers' }),
  unusable: Type.Array(Type.Object({ name: Type.String(), problem: BothSchema, fix: BothSchema }), {
    description: 'Printers at USB that no line leads to',
  }),
})
export type PrinterListView = Type.Static<typeof PrinterList>

export const PrinterTestSchema = Titled('PrinterTest', {
  status: PrintJobSchema.properties.status,
  detail: Nullable(Type.String()),
  printer: PrinterSchema,
})
export type PrinterTestView = Type.Static<typeof PrinterTestSchema>

export const ReceiptTextSchema = Type.Object({ text: Type.String() }, { title: 'ReceiptText' })
export type ReceiptTextView = Type.Static<typeof ReceiptTextSchema>
