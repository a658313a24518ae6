import { realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { attempt } from '../../domain/attempt.ts'
import { formatLineAddress, type PrinterSettings, parseLineAddress } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { ReceiptDrawing, ReceiptForm } from '../../fiscal/ports/printing.ts'
import { createPaperWatch } from '../../fiscal/printing/paper-rolls.ts'
import { PRINTING, PRINTING_ADMIN } from '../../fiscal/printing/printing.ts'
import { receiptOf } from '../../fiscal/printing/receipts.ts'
import type { ReceiptLinks } from '../../fiscal/receipt-links/links.ts'
import { wired } from '../../fiscal/wired.ts'
import { settingsOf } from '../../receipts/escpos/printer-profiles.ts'
import { openLine, realName } from '../../receipts/lines/open-line.ts'
import { listPrinterNodes } from '../../receipts/lines/printer-device-nodes.ts'
import { listVendorClassPrinters } from '../../receipts/lines/usb-vendor-class.ts'
import { createSpool, type RunningSpool } from '../../receipts/spool.ts'
import type { Base } from './base.ts'

export function composePrinting(base: Base & { links: ReceiptLinks }) {
  const { store, clock, config, links } = base
  const spool = spoolOf(base)
  const isOwnPath = (path: string) => isBelow(path, config.dataDir)
  return {
    spool,
    drawing,
    useCases: wired({ store, clock, spool, drawing, links }, PRINTING),
    adminUseCases: {
      ...wired({ store, clock, spool, drawing, isOwnPath, realLine }, PRINTING_ADMIN),
      async foundPrinterLines(): Promise<string[]> {
        const addresses = (await listPrinterNodes()).map(parseLineAddress)
        return addresses.flatMap((address) => (address ? [formatLineAddress(address)] : []))
      },
      unusablePrinters: () => listVendorClassPrinters(),
    },
  }
}

/** The way to paper, with its words in the log: what a technician must know is a warning, once. */
function spoolOf({ store, clock, elapsed, processLog: log, metrics }: Base): RunningSpool {
  const watchPaper = createPaperWatch(store, (error) =>
    log.error({ err: error }, 'what is left of a roll of paper could not be stored'),
  )
  return createSpool({
    store,
    async openLine(address, settings) {
      const line = await openLine(address, settings)
      // The printer's condition has words for technicians; this is what the operating system said.
      void line.broken.then(({ cause }) =>
        log.info({ line: formatLineAddress(address), why: String(cause) }, 'a line broke'),
      )
      return line
    },
    timeIsKnown: () => clock.state().trusted,
    receiptOf: (invoice, copy) => receiptOf(store, invoice, copy),
    clock: { now: clock.now, elapsed },
    ended({ invoiceId, copy }, { status, detail }) {
      metrics.receiptEnded(status)
      const level = status === 'printed' ? 'debug' : status === 'unconfirmed' ? 'info' : 'warn'
      log[level]({ invoiceId, copy, status, detail }, 'a receipt')
    },
    conditionChanged({ deviceId, line }, condition) {
      const { state, paper, detail, fix } = condition
      watchPaper(line, condition)
      const isWell = (state === 'ready' || state === 'unknown') && (paper === null || paper === 'ok')
      log[isWell ? 'info' : 'warn']({ deviceId, line, state, paper, detail, fix }, 'a printer')
    },
    reportFault: (error) => log.error({ err: error }, 'a receipt could not be handled'),
  })
}

/** Imported when they are first used, because fonts and images are large. */
const FORMS: Record<ReceiptForm, (receipt: Receipt, settings: PrinterSettings) => Promise<Buffer>> = {
  text: async (receipt, settings) =>
    Buffer.from((await import('../../receipts/layout/receipt-as-text.ts')).receiptText(receipt, settings)),
  screen: async (receipt, settings) =>
    Buffer.from((await import('../../receipts/layout/receipt-as-text.ts')).receiptLines(receipt, settings)),
  png: async (receipt, settings) =>
    (await import('../../receipts/drawing/receipt-picture.ts')).receiptPicture(receipt, settings),
  pdf: async (receipt) => (await import('../../receipts/pdf/receipt-pdf.ts')).receiptPdf(receipt),
  escpos: async (receipt, settings) =>
    Buffer.concat(
      (await import('../../receipts/encoding/encode-receipt.ts')).encodeReceipt(receipt, settings).segments,
    ),
}

const drawing: ReceiptDrawing = {
  settingsOf,
  closingText: async (closing, settings) =>
    (await import('../../receipts/layout/receipt-as-text.ts')).closingText(closing, settings),
  logo: async (file, widthMm) => (await import('../../receipts/logo/prepare-logo.ts')).preparedLogo(file, widthMm),
  code: async (form, text) => (await import('../../receipts/drawing/screen-code.ts')).screenCode(form, text),
  form: (form, receipt, settings) => FORMS[form](receipt, settings),
}

async function realLine(line: string): Promise<string> {
  const address = parseLineAddress(line)
  return address ? realName(address) : line
}

/** Whether a path lies below a folder, by whatever links its folder is reached. */
function isBelow(path: string, folder: string): boolean {
  const real = (given: string) => attempt(() => realpathSync(given), resolve(given))
  return `${real(dirname(resolve(path)))}${sep}`.startsWith(`${real(folder)}${sep}`)
}
