import { logoOf, setLogo } from '../registry/company-logo.ts'
import type { WiredAll } from '../wired.ts'
import { drawGiven, giveReceipt } from './give-receipt.ts'
import { linkCode } from './link-code.ts'
import { findPrintJob, printCopy, receiptPrints } from './print-jobs.ts'
import { listPrinters, removePrinter, setPrinter, testPrinter } from './printers.ts'
import { previewReceipt } from './receipts.ts'

/** Receipts and the logos on them, for whoever may have them over `/v1`. */
export const PRINTING = { receiptPrints, giveReceipt, drawGiven, linkCode, setLogo, logoOf }
/** Printers and copies, for the operator of this machine. */
export const PRINTING_ADMIN = {
  listPrinters,
  setPrinter,
  removePrinter,
  testPrinter,
  printCopy,
  findPrintJob,
  previewReceipt,
}

export type PrintingUseCases = WiredAll<typeof PRINTING>
export type PrintingAdmin = WiredAll<typeof PRINTING_ADMIN>
