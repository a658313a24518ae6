import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { DevicePrinter, Invoice, PrintJob } from '../../fiscal/ports/model.ts'
import type { PrintOutcome } from '../../fiscal/ports/printing.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Begun, encodeReceipt } from '../escpos/encode-receipt.ts'
import { encodeTestPage } from '../layout/test-page.ts'
import type { Printer, PrintResult } from './printer.ts'

export interface PrintDeps {
  store: Pick<StoreTransaction, 'invoices' | 'printJobs' | 'printers'>
  receiptOf: (invoice: Invoice, copy: number | null) => Promise<Receipt>
  clock: { now(): number; elapsed(): number }
  /** A job has ended, and it is stored. */
  ended: (job: PrintJob, outcome: PrintOutcome) => void
  /** What is ours, not the printer's. */
  reportFault: (error: unknown) => void
}

export interface PrintOrder {
  job: PrintJob
  settings: PrinterSettings
  /** When the customer has left, as `elapsed` tells. */
  until: number
  /** Of the original. */
  begun: Begun | undefined
  /** As it was stored with the job, where that was just now. */
  invoice: Invoice | undefined
}

/** When a printer is given up. */
export interface Endings {
  /** Another one takes its place: what has begun goes on. */
  leaving: AbortSignal
  /** The daemon stops: what has begun has a few seconds. */
  closing: AbortSignal
}

/** Prints one job after another on one printer. */
export interface JobPrinter {
  /** Resolves when the job has ended, or is left in the queue for another printer or the next start. Never throws. */
  print(order: PrintOrder): Promise<void>
  test(set: DevicePrinter, settings: PrinterSettings): Promise<PrintOutcome>
}

/** Until the disk is asked again. */
const AGAIN_MS = 1000
/** Whoever tests a printer stands beside it. */
const TEST_WAIT_MS = 15_000

/** It would be the same the next time. */
class Unprintable extends Error {}

export function createJobPrinter(printer: Printer, endings: Endings, deps: PrintDeps): JobPrinter {
  const { leaving, closing } = endings
  const { store, receiptOf, clock, ended, reportFault } = deps

  /** What a disk refuses now it may take later, and until then the printer has said what it has said. */
  async function end(job: PrintJob, outcome: PrintOutcome): Promise<void> {
    const endedAt = clock.now()
    while (!closing.aborted) {
      try {
        if (await store.printJobs.end(job.invoiceId, job.copy, { ...outcome, endedAt })) ended(job, outcome)
        return
      } catch (error) {
        reportFault(error)
        await wait()
      }
    }
  }

  const wait = () => delay(AGAIN_MS, undefined, { signal: closing }).catch(() => {})

  async function encode({ job: { invoiceId, copy }, settings, begun, invoice: fresh }: PrintOrder) {
    // The response goes out first: a sale never waits for its receipt.
    await setImmediate()
    // A JIR may have come while the receipt waited, and is never another one.
    const invoice = fresh?.jir ? fresh : await store.invoices.get(invoiceId)
    if (!invoice) throw new Unprintable(`invoice ${invoiceId} is missing`)
    const receipt = await receiptOf(invoice, copy === 0 ? null : copy)
    try {
      return encodeReceipt(receipt, settings, begun)
    } catch (error) {
      throw new Unprintable(String(error), { cause: error })
    }
  }

  /** @throws whatever the store throws, and Unprintable; nothing was sent then */
  async function send(order: PrintOrder): Promise<PrintResult> {
    const { invoiceId, copy } = order.job
    const stop = new AbortController()
    let begun = false
    const onLeaving = () => {
      if (!begun) stop.abort()
    }
    const onClosing = () => stop.abort()
    leaving.addEventListener('abort', onLeaving)
    closing.addEventListener('abort', onClosing)
    if (leaving.aborted || closing.aborted) stop.abort()
    try {
      return await printer.print({
        encode: () => encode(order),
        // Stored before the first byte goes out: what a crash leaves as `sending` may be on paper.
        async begin() {
          begun = await store.printJobs.begin(invoiceId, copy, clock.now())
          return begun
        },
        giveUpAt: order.until,
        signal: stop.signal,
      })
    } finally {
      leaving.removeEventListener('abort', onLeaving)
      closing.removeEventListener('abort', onClosing)
    }
  }

  return {
    async print(order) {
      const { job, until } = order
      for (;;) {
        try {
          const result = await send(order)
          if (result.begun) return await end(job, { status: result.status, detail: result.detail })
          // Left for another printer, or for the next start.
          if (leaving.aborted || closing.aborted) return
          return await end(job, { status: 'expired', detail: result.detail })
        } catch (error) {
          reportFault(error)
          const detail = `It could not be made ready: ${error instanceof Error ? error.message : String(error)}`
          if (error instanceof Unprintable || clock.elapsed() >= until)
            return await end(job, { status: 'failed', detail })
          await wait()
          if (leaving.aborted || closing.aborted) return
        }
      }
    },
    async test(set, settings) {
      const result = await printer.print({
        encode: async () => encodeTestPage(settings, set),
        begin: async () => true,
        giveUpAt: clock.elapsed() + TEST_WAIT_MS,
        signal: leaving,
      })
      if (!result.begun) return { status: 'expired', detail: result.detail }
      return { status: result.status, detail: result.detail }
    },
  }
}
