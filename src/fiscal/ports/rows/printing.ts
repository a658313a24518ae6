import type { EpochMs } from '../../../domain/instant.ts'
import type { PaperRoll } from '../../../domain/printing/paper-roll.ts'
import type { DevicePrinter, PrintJob } from '../model.ts'
import type { PrintOutcome } from '../printing.ts'

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
