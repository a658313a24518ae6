import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from 'typebox'
import {
  type PrinterListView,
  PrinterSchema,
  type PrinterTestView,
  PrintJobSchema,
  type ReceiptTextView,
} from '../../contract/admin/printers.ts'
import { Closed, IdParams, Nullable } from '../../contract/common.ts'
import { columnsIn, PAPER_COLUMNS, PRINTER_CHOICES, PRINTER_PROFILES } from '../../domain/printer.ts'
import { receiptsLeft } from '../../domain/printing/paper-roll.ts'
import { PROFILE_NOTES } from '../../domain/printing/printer-profile-notes.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import type { PrintJob } from '../../fiscal/ports/model.ts'
import type { PrinterView as DevicePrinter } from '../../fiscal/printing/printers.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { inside, view, wholeList } from '../views/view.ts'
import { ADMIN_BOUNDS } from './bounds.ts'

const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const hex = Type.String({ format: 'hex', maxLength: ADMIN_BOUNDS.printerBytes.most })

const CHOICES: Record<string, readonly (string | number)[]> = PRINTER_CHOICES

const SETTINGS: Record<string, TSchema> = {
  ...Object.fromEntries(Object.entries(CHOICES).map(([name, values]) => [name, Type.Enum([...values])])),
  codePage: whole(0, ADMIN_BOUNDS.codePage.most),
  feedLines: whole(0, ADMIN_BOUNDS.feedLines.most),
  notTakenAfterS: whole(1, ADMIN_BOUNDS.notTakenAfter.most),
  beforeHex: hex,
  afterHex: hex,
  answerTimeoutMs: whole(50, ADMIN_BOUNDS.answerTimeout.most),
  confirmTimeoutMs: whole(500, ADMIN_BOUNDS.confirmTimeout.most),
  baudRate: whole(300, ADMIN_BOUNDS.baudRate.most),
}

const optional = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, schema]) => [snakeCase(name), Type.Optional(Nullable(schema))]),
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
      const { settings = {}, ...changes } = body
      const wanted = { ...inside(changes), overrides: inside(settings) }
      return printerView(await useCases.setPrinter(principal, params.id.toLowerCase(), wanted))
    },
  })

  app.delete('/printers/:id', { schema: { params: IdParams } }, async ({ principal, params }) =>
    printerView(await useCases.removePrinter(principal, params.id.toLowerCase())),
  )

  app.post('/printers/:id/test', {
    schema: { params: IdParams },
    handler: async ({ principal, params }): Promise<PrinterTestView> => {
      const { printer, ...tested } = await useCases.testPrinter(principal, params.id.toLowerCase())
      return { ...tested, printer: printerView(printer) }
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

  app.get('/invoices/:id/receipt.pdf', { schema: { params: IdParams } }, async ({ principal, params }, reply) =>
    reply.type('application/pdf').send(await useCases.previewReceipt(principal, params.id, { form: 'pdf' })),
  )

  app.post('/invoices/:id/copies', { schema: { params: IdParams } }, async ({ principal, params }, reply) => {
    reply.status(201)
    return jobView(await useCases.printCopy(principal, params.id))
  })

  app.get('/invoices/:id/copies/:copy', { schema: { params: CopyParams } }, async ({ principal, params }) =>
    jobView(await useCases.findPrintJob(principal, params.id, Number(params.copy))),
  )
}

function printerView({ device, printer, settings, condition, roll, last }: DevicePrinter) {
  const { overrides, profile } = printer
  const known = Object.entries(settings).filter(([name]) => name in SETTINGS)
  return view(PrinterSchema, {
    ...printer,
    device,
    testedWith: PROFILE_NOTES[profile].testedWith,
    settings: Object.fromEntries(known.map(([name, value]) => [snakeCase(name), value])),
    overridden: known.filter(([name]) => name in overrides).map(([name]) => snakeCase(name)),
    condition,
    roll: roll ? { printedMm: roll.mm, receiptsLeft: receiptsLeft(roll) } : null,
    lastReceipt: last ?? null,
  })
}

const jobView = (job: PrintJob) => view(PrintJobSchema, job)
