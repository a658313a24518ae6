import type { PrinterCondition, PrinterProfile, PrinterReason, PrinterSettings } from '../../domain/printer.ts'
import type { ClosingPaper } from '../../domain/sale/closing.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Invoice, PrintJob } from './model.ts'

export interface PrintOutcome {
  status: 'printed' | 'unconfirmed' | 'failed' | 'expired'
  /** For people; null when all is well. */
  detail: string | null
  /** Null when it came out, or nothing is known. */
  reason: PrinterReason | null
}

/** A receipt that waits to be printed, and the invoice as stored with it. */
export interface QueuedReceipt {
  job: PrintJob
  invoice: Invoice
}

/** Prints stored receipts, one after another on each printer. */
export interface Spool {
  /** Starts work for a receipt while the authority is waited for; no effect if it is never printed. Never throws. */
  prepare(invoice: Invoice): void
  /** Looks for queued receipts; returns at once, never throws. @param fresh queued just now: its customer waits */
  wake(fresh?: QueuedReceipt): void
  /** Reads the printer settings again after a change. */
  reload(): Promise<void>
  /** The state of a device's printer; undefined when it has none. */
  condition(deviceId: string): PrinterCondition | undefined
  /** The state of every configured printer, by device. */
  conditions(): ReadonlyMap<string, PrinterCondition>
  /** Asks the printer for its state now; takes a few seconds at most. */
  look(deviceId: string): Promise<PrinterCondition | undefined>
  /** Prints a test page with letters, code pages and a QR code. @throws Error when the device has no printer */
  test(deviceId: string): Promise<PrintOutcome>
  /** Prints a closing, which is stored already. @throws Error when the device has no printer */
  printClosing(deviceId: string, closing: ClosingPaper): Promise<PrintOutcome>
}

/** Without a printer of ours: UTF-8 text for a terminal, a PNG as on paper, a PDF on A4, or the bytes for a printer. */
export type ReceiptForm = 'text' | 'png' | 'pdf' | 'escpos'

/** Draws receipts, and knows the settings of printers. */
export interface ReceiptDrawing {
  settingsOf(profile: PrinterProfile, overrides: Partial<PrinterSettings>): PrinterSettings
  closingText(closing: ClosingPaper, settings: PrinterSettings): Promise<string>
  /**
   * A logo as it is stored: a PNG as large as it is printed. @throws FiskError `invalid_request` (`file`, `width_mm`)
   */
  logo(file: Buffer, widthMm?: number): Promise<Buffer>
  /** A receipt in a form, the same bytes each time. @throws FiskError 400 for one that is too long for the form */
  form(form: ReceiptForm, receipt: Receipt, settings: PrinterSettings): Promise<Buffer>
}
