import type { EpochMs } from '../../domain/instant.ts'
import type { PrinterCondition, PrinterProfile, PrinterSettings, PrintJobStatus } from '../../domain/printer.ts'
import type { PaperRoll } from '../../domain/printing/paper-roll.ts'
import type { ClosingPaper } from '../../domain/sale/closing.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { DevicePrinter, Invoice, PrintJob } from './model.ts'

export interface PrintOutcome extends Pick<PrintJob, 'detail' | 'reason'> {
  status: Exclude<PrintJobStatus, 'queued' | 'sending'>
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

/**
 * Without a printer of ours: UTF-8 text for a terminal, the same without its QR code for a page, a PNG as on paper, a PDF
 * on A4, or the bytes for a printer.
 */
export type ReceiptForm = 'text' | 'screen' | 'png' | 'pdf' | 'escpos'

/** Draws receipts, and knows the settings of printers. */
export interface ReceiptDrawing {
  settingsOf(profile: PrinterProfile, overrides: Partial<PrinterSettings>): PrinterSettings
  closingText(closing: ClosingPaper, settings: PrinterSettings): Promise<string>
  /** A logo as it is stored: a PNG as large as printed. @throws FiskError `invalid_request` (`file`, `width_mm`) */
  logo(file: Buffer, widthMm?: number): Promise<Buffer>
  /** A QR code of level M with its margin, dark on light, for a screen. */
  code(form: 'png' | 'svg', text: string): Promise<Buffer>
  /** A receipt in a form, the same bytes each time. @throws FiskError 400 for one that is too long for the form */
  form(form: ReceiptForm, receipt: Receipt, settings: PrinterSettings): Promise<Buffer>
}

export interface PrinterRows {
  get(deviceId: string): Promise<DevicePrinter | undefined>
  all(): Promise<DevicePrinter[]>
  /** Inserts or replaces the settings. */
  put(printer: DevicePrinter): Promise<void>
  remove(deviceId: string): Promise<void>
}

/** The rolls in printers, by line: devices that share a printer share its roll. */
export interface PaperRollRows {
  get(line: string): Promise<PaperRoll | undefined>
  /** Inserts or replaces. */
  put(line: string, roll: PaperRoll): Promise<void>
  add(line: string, printed: Pick<PaperRoll, 'mm' | 'receipts'>): Promise<void>
}

export interface PrintJobRows {
  /** @throws when the invoice already has this original or copy */
  insert(job: PrintJob): Promise<void>
  get(invoiceId: string, copy: number): Promise<PrintJob | undefined>
  /** The originals of these invoices, in no order. */
  originals(invoiceIds: readonly string[]): Promise<PrintJob[]>
  /** The number of the last copy, 0 when there is none. */
  lastCopy(invoiceId: string): Promise<number>
  /** Jobs that have not ended, the oldest first. */
  open(): Promise<PrintJob[]>
  /** The latest first. */
  ofDevice(deviceId: string, limit: number): Promise<PrintJob[]>
  /** The latest job of a device whose first byte went out. */
  lastBegun(deviceId: string): Promise<PrintJob | undefined>
  /**
   * Stores that an original is given out without a printer, in a transaction that holds its invoice (`locked`). An
   * original that expired before its first byte becomes this one.
   * @returns false when another original is, was or may be on paper; nothing is stored then
   */
  giveOut(job: PrintJob & { copy: 0; status: 'unconfirmed' }): Promise<boolean>
  /** Stores that the first byte goes out now. @returns false when the job is not queued; it must not be printed then */
  begin(invoiceId: string, copy: number, at: EpochMs): Promise<boolean>
  /** Ends a job. @returns false when it had already ended */
  end(invoiceId: string, copy: number, end: PrintOutcome & { endedAt: EpochMs }): Promise<boolean>
}
