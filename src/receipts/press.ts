import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { PrinterSettings } from '../domain/printer.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { DevicePrinter, Invoice, PrintJob } from '../fiscal/model.ts'
import type { PrintOutcome } from '../fiscal/printing-port.ts'
import type { Store } from '../fiscal/store-port.ts'
import { type Begun, encodeReceipt } from './encode.ts'
import type { Printer } from './printer.ts'
import { encodeTestPage } from './test-page.ts'

export interface PressDeps {
  store: Store
  receiptOf: (invoice: Invoice, copy: number | null) => Promise<Receipt>
  clock: { now(): number; elapsed(): number }
  /** A job has ended, and it is stored. */
  ended: (job: PrintJob, outcome: PrintOutcome) => void
  /** What is ours, not the printer's: it is tried again. */
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

/** A printer with somebody who takes jobs to it, one after another. */
export interface Press {
  readonly printer: Printer
  print(order: PrintOrder, signal: AbortSignal): Promise<void>
  test(set: DevicePrinter, settings: PrinterSettings, signal: AbortSignal): Promise<PrintOutcome>
}

/** Until the disk takes the end of a job again. */
const STORE_AGAIN_MS = 1000
/** Whoever tests a printer stands beside it. */
const TEST_WAIT_MS = 15_000

export function createPress(printer: Printer, deps: PressDeps): Press {
  const { store, receiptOf, clock, ended, reportFault } = deps
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  /** What a disk refuses now it may take later, and until then the printer has said what it has said. */
  async function end(job: PrintJob, outcome: PrintOutcome, signal: AbortSignal): Promise<void> {
    const endedAt = clock.now()
    for (;;) {
      try {
        if (await store.printJobs.end(job.invoiceId, job.copy, { ...outcome, endedAt })) ended(job, outcome)
        return
      } catch (error) {
        reportFault(error)
        await delay(STORE_AGAIN_MS, undefined, { signal })
      }
    }
  }

  async function encode({ job: { invoiceId, copy }, settings, begun, invoice: fresh }: PrintOrder) {
    // The response goes out first: a sale never waits for its receipt.
    await setImmediate()
    // A JIR may have come while the receipt waited, and is never another one.
    const invoice = fresh?.jir ? fresh : await store.invoices.get(invoiceId)
    if (!invoice) throw new Error(`invoice ${invoiceId} is missing`)
    return encodeReceipt(await receiptOf(invoice, copy === 0 ? null : copy), settings, begun)
  }

  return {
    printer,
    async print(order, signal) {
      const { job, until } = order
      const { invoiceId, copy } = job
      const send = () =>
        printer.print({
          encode: () => encode(order),
          // Stored before the first byte goes out: what a crash leaves as `sending` may be on paper.
          begin: () => store.printJobs.begin(invoiceId, copy, clock.now()),
          giveUpAt: until,
          signal,
        })
      const outcome = await inTurn(send).catch((error: unknown): PrintOutcome => {
        reportFault(error)
        return { status: 'failed', detail: `it could not be made ready: ${String(error)}` }
      })
      if ('begun' in outcome && !outcome.begun) {
        // Whoever stops fiskd leaves it for the next start.
        if (signal.aborted) return
        return end(job, { status: 'expired', detail: outcome.detail }, signal)
      }
      const { status, detail } = outcome
      await end(job, { status, detail }, signal)
    },
    async test(set, settings, signal) {
      const send = () =>
        printer.print({
          encode: async () => encodeTestPage(settings, set),
          begin: async () => true,
          giveUpAt: clock.elapsed() + TEST_WAIT_MS,
          signal,
        })
      const result = await inTurn(send)
      if (!result.begun) return { status: 'expired', detail: result.detail }
      return { status: result.status, detail: result.detail }
    },
  }
}
