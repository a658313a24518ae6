import type { EpochMs } from '../../../domain/instant.ts'
import type { PrintJobStatus } from '../../../domain/printer.ts'
import type { DevicePrinter, PrintJob } from '../model.ts'

export interface PrinterRows {
  get(deviceId: string): Promise<DevicePrinter | undefined>
  all(): Promise<DevicePrinter[]>
  /** Makes it, or replaces what was set. */
  put(printer: DevicePrinter): Promise<void>
  remove(deviceId: string): Promise<void>
}

export interface PrintJobRows {
  /** Throws when the invoice has this original or copy already. */
  insert(job: PrintJob): Promise<void>
  get(invoiceId: string, copy: number): Promise<PrintJob | undefined>
  /** The originals of these invoices, in no order. */
  originals(invoiceIds: readonly string[]): Promise<PrintJob[]>
  /** The number of the last copy, 0 when there is none. */
  lastCopy(invoiceId: string): Promise<number>
  /** What has not ended, the oldest first. */
  open(): Promise<PrintJob[]>
  /** The latest first. */
  ofDevice(deviceId: string, limit: number): Promise<PrintJob[]>
  /** Its first byte goes out now. @returns false when it is not queued: it must not be printed then */
  begin(invoiceId: string, copy: number, at: EpochMs): Promise<boolean>
  /** Ends what has not ended. @returns false when it had */
  end(
    invoiceId: string,
    copy: number,
    end: { status: Exclude<PrintJobStatus, 'queued' | 'sending'>; endedAt: EpochMs; detail: string | null },
  ): Promise<boolean>
}
