import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import type {
  PrinterListView,
  PrinterTestView,
  PrinterView,
  PrintJobView,
  ReceiptTextView,
} from '../../contract/admin/printers.ts'
import { Closed, IdParams, Nullable } from '../../contract/common.ts'
import { formatInstant } from '../../domain/instant.ts'
import {
  ANSWERS,
  COMMAND_SETS,
  CONFIRMATIONS,
  CUTS,
  columnsIn,
  ENCODINGS,
  FLOW_CONTROLS,
  LOGO_PLACES,
  NOT_TAKEN,
  PAPER_COLUMNS,
  PARITIES,
  PICTURE_MODES,
  PRINTER_PROFILES,
  type PrinterSettings,
  QR_MODES,
  SMALL_FONTS,
  STOP_BITS,
} from '../../domain/printer.ts'
import { receiptsLeft } from '../../domain/printing/paper-roll.ts'
import { PROFILE_NOTES } from '../../domain/printing/printer-profile-notes.ts'
import type { PrintJob } from '../../fiscal/ports/model.ts'
import type { PrinterView as DevicePrinter } from '../../fiscal/printing/printers.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { wholeList } from '../views/list.ts'
import { moment } from '../views/moment.ts'
import { ADMIN_BOUNDS } from './bounds.ts'

const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const hex = Type.String({ format: 'hex', maxLength: ADMIN_BOUNDS.printerBytes.most })

/** The names that settings have outside, and what they may be. */
const SETTINGS = {
  commands: { key: 'commands', schema: Type.Enum(COMMAND_SETS) },
  columns: { key: 'columns', schema: Type.Enum(PAPER_COLUMNS) },
  dpi: { key: 'dpi', schema: Type.Enum([180, 203]) },
  encoding: { key: 'encoding', schema: Type.Enum(ENCODINGS) },
  code_page: { key: 'codePage', schema: whole(0, ADMIN_BOUNDS.codePage.most) },
  small_font_dots: { key: 'smallFontDots', schema: Type.Enum(SMALL_FONTS) },
  qr: { key: 'qr', schema: Type.Enum(QR_MODES) },
  pictures: { key: 'pictures', schema: Type.Enum(PICTURE_MODES) },
  logo: { key: 'logo', schema: Type.Enum(LOGO_PLACES) },
  cut: { key: 'cut', schema: Type.Enum(CUTS) },
  feed_lines: { key: 'feedLines', schema: whole(0, ADMIN_BOUNDS.feedLines.most) },
  not_taken: { key: 'notTaken', schema: Type.Enum(NOT_TAKEN) },
  not_taken_after_s: { key: 'notTakenAfterS', schema: whole(1, ADMIN_BOUNDS.notTakenAfter.most) },
  before_hex: { key: 'beforeHex', schema: hex },
  after_hex: { key: 'afterHex', schema: hex },
  answers: { key: 'answers', schema: Type.Enum(ANSWERS) },
  confirm: { key: 'confirm', schema: Type.Enum(CONFIRMATIONS) },
  answer_timeout_ms: { key: 'answerTimeoutMs', schema: whole(50, ADMIN_BOUNDS.answerTimeout.most) },
  confirm_timeout_ms: { key: 'confirmTimeoutMs', schema: whole(500, ADMIN_BOUNDS.confirmTimeout.most) },
  baud_rate: { key: 'baudRate', schema: whole(300, ADMIN_BOUNDS.baudRate.most) },
  parity: { key: 'parity', schema: Type.Enum(PARITIES) },
  stop_bits: { key: 'stopBits', schema: Type.Enum(STOP_BITS) },
  flow_control: { key: 'flowControl', schema: Type.Enum(FLOW_CONTROLS) },
} as const satisfies Record<string, { key: keyof PrinterSettings; schema: TSchema }>

const optional = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { schema }]) => [name, Type.Optional(Nullable(schema))]),
)

const PrinterBody = Closed({
  line: Type.Optional(Type.String({ maxLength: ADMIN_BOUNDS.printerLine.most })),
  profile: Type.Optional(Type.Enum(PRINTER_PROFILES)),
  expire_after_s: Type.Optional(whole(5, ADMIN_BOUNDS.expireAfter.most)),
  settings: Type.Optional(Closed(optional)),
  reset: Type.Optional(Type.Boolean()),
  shared: Type.Optional(Type.Boolean()),
})

const CopyParams = Type.Object({ id: Type.String(), copy: Type.String({ pattern: '^[0-9]{1,6}$' }) })
const Columns = Type.Object({ columns: Type.Optional(Type.Enum(PAPER_COLUMNS.map(String))) })

/** The printers of devices, and receipts on demand. */
export const printerRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  app.get('/printers', {
    schema: { querystring: Type.Object({ look: Type.Optional(Type.String({ format: 'flag' })) }) },
    handler: async ({ principal, query }): Promise<PrinterListView> => ({
      ...wholeList((await useCases.listPrinters(principal, query.look === 'true')).map(printerView)),
      found: await useCases.foundPrinterLines(),
      unusable: await useCases.unusablePrinters(),
    }),
  })

  app.patch('/printers/:id', {
    schema: { params: IdParams, body: PrinterBody },
    handler: async ({ principal, params, body }) => {
      const { line, profile, expire_after_s: expireAfterS, settings = {}, reset, shared } = body
      const overrides = Object.fromEntries(
        Object.entries(SETTINGS).map(([name, { key }]) => [key, (settings as Record<string, unknown>)[name]]),
      )
      const changes = { line, profile, expireAfterS, overrides, reset, shared }
      return printerView(await useCases.setPrinter(principal, params.id.toLowerCase(), changes))
    },
  })

  app.delete('/printers/:id', {
    schema: { params: IdParams },
    handler: async ({ principal, params }) =>
      printerView(await useCases.removePrinter(principal, params.id.toLowerCase())),
  })

  app.post('/printers/:id/test', {
    schema: { params: IdParams },
    handler: async ({ principal, params }): Promise<PrinterTestView> => {
      const { status, detail, printer } = await useCases.testPrinter(principal, params.id.toLowerCase())
      return { status, detail, printer: printerView(printer) }
    },
  })

  app.get('/invoices/:id/receipt', {
    schema: { params: IdParams, querystring: Columns },
    handler: async ({ principal, params, query }): Promise<ReceiptTextView> => {
      const wanted = { form: 'text', columns: columnsIn(query.columns) } as const
      return { text: (await useCases.previewReceipt(principal, params.id, wanted)).toString() }
    },
  })

  app.get('/invoices/:id/receipt.png', {
    schema: { params: IdParams, querystring: Columns },
    handler: async ({ principal, params, query }, reply) => {
      const wanted = { form: 'png', columns: columnsIn(query.columns) } as const
      return reply.type('image/png').send(await useCases.previewReceipt(principal, params.id, wanted))
    },
  })

  app.get('/invoices/:id/receipt.pdf', {
    schema: { params: IdParams },
    handler: async ({ principal, params }, reply) =>
      reply.type('application/pdf').send(await useCases.previewReceipt(principal, params.id, { form: 'pdf' })),
  })

  app.post('/invoices/:id/copies', {
    schema: { params: IdParams },
    handler: async ({ principal, params }, reply) => {
      reply.status(201)
      return jobView(await useCases.printCopy(principal, params.id))
    },
  })

  app.get('/invoices/:id/copies/:copy', {
    schema: { params: CopyParams },
    handler: async ({ principal, params }) =>
      jobView(await useCases.findPrintJob(principal, params.id, Number(params.copy))),
  })
}

function printerView({ device, printer, settings, condition, roll, last }: DevicePrinter): PrinterView {
  const { line, profile, expireAfterS, overrides } = printer
  return {
    device: { id: device.id, label: device.label, premises_code: device.premisesCode },
    line,
    profile,
    tested_with: PROFILE_NOTES[profile].testedWith,
    expire_after_s: expireAfterS,
    settings: Object.fromEntries(Object.entries(SETTINGS).map(([name, { key }]) => [name, settings[key]])),
    overridden: Object.entries(SETTINGS).flatMap(([name, { key }]) => (key in overrides ? [name] : [])),
    condition,
    roll: roll ? { printed_mm: roll.mm, receipts_left: receiptsLeft(roll) } : null,
    last_receipt: last ? jobView(last) : null,
  }
}

function jobView(job: PrintJob): PrintJobView {
  return {
    invoice_id: job.invoiceId,
    copy: job.copy,
    status: job.status,
    created_at: formatInstant(job.createdAt),
    ended_at: moment(job.endedAt),
    detail: job.detail,
    reason: job.reason,
  }
}
