import type { PrinterCondition, PrinterProfile, PrinterSettings } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Invoice, PrintJob } from './model.ts'

/** What came of an attempt to print. */
export interface PrintOutcome {
  status: 'printed' | 'unconfirmed' | 'failed' | 'expired'
  /** For people; null when all is well. */
  detail: string | null
}

/** A receipt that waits for paper, and the invoice as it was stored with it. */
export interface QueuedReceipt {
  job: PrintJob
  invoice: Invoice
}

/** Takes receipts from the store to paper, one after another on each printer. */
export interface Spool {
  /**
   * A sale is being sent: what can be done for its receipt meanwhile is done after that. Returns at once, never throws;
   * nothing is lost when it is never printed.
   */
  prepare(invoice: Invoice): void
  /**
   * Something may be queued: returns at once, and never throws.
   * @param fresh what was queued just now; its customer waits
   */
  wake(fresh?: QueuedReceipt): void
  /** The printers of devices have changed. */
  reload(): Promise<void>
  /** What is known of a device's printer; undefined when it has none. */
  condition(deviceId: string): PrinterCondition | undefined
  /** Of every printer that is set, by device. */
  conditions(): ReadonlyMap<string, PrinterCondition>
  /** Asks the printer now; takes a few seconds at most. */
  look(deviceId: string): Promise<PrinterCondition | undefined>
  /** Prints a page that shows letters, code pages and the QR code. @throws Error when the device has no printer */
  test(deviceId: string): Promise<PrintOutcome>
}

/** How receipts look, and what is known about printers. */
export interface ReceiptDrawing {
  settingsOf(profile: PrinterProfile, overrides: Partial<PrinterSettings>): PrinterSettings
  /** For a terminal. */
  text(receipt: Receipt, settings: PrinterSettings): Promise<string>
  /** PNG, as it would look on paper. */
  picture(receipt: Receipt, settings: PrinterSettings): Promise<Buffer>
}
