import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Invoice, PrintJob } from '../../fiscal/ports/model.ts'
import type { PrintOutcome } from '../../fiscal/ports/printing.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { type Begun, encodeReceipt } from '../encoding/encode-receipt.ts'
import type { Encoded } from '../encoding/encoded-job.ts'
import type { Printer, PrintResult } from './printer.ts'

export interface PrintDeps {
  store: Store
  receiptOf: (invoice: Invoice, copy: number | null) => Promise<Receipt>
  clock: { now(): number; elapsed(): number }
  /** A job has ended, and it is stored. */
  ended: (job: PrintJob, outcome: PrintOutcome) => void
  /** Reports a fault of fiskd, not of the printer. */
  reportFault: (error: unknown) => void
}

export interface PrintOrder {
  job: PrintJob
  settings: PrinterSettings
  /** Time by `elapsed` after which the customer no longer waits. */
  until: number
  /** The encoded beginning of the original receipt. */
  begun: Begun | undefined
  /** The invoice as it was stored with the job, if that was just now. */
  invoice: Invoice | undefined
}

export interface Endings {
  /** Another printer replaces this one: a job that has begun continues. */
  leaving: AbortSignal
  /** The daemon stops: a job that has begun has a few seconds. */
  closing: AbortSignal
}

/** Pause before the next attempt to write to the disk. */
const AGAIN_MS = 1000
/** Short, because the person who asks for a page is beside the printer. */
const PAGE_WAIT_MS = 15_000
/** Enough to open any line that is there. */
const LINE_WAIT_MS = 2000

export const receiptKey = ({ invoiceId, copy }: PrintJob): string => `${invoiceId} ${copy}`

/** The job cannot be printed, and a retry would not help. */
class Unprintable extends Error {}

/** Prints one job after another on one printer. @param line of the printer, which names its roll of paper */
export function createJobPrinter(printer: Printer, line: string, endings: Endings, deps: PrintDeps) {
  const { leaving, closing } = endings
  const { store, receiptOf, clock, ended, reportFault } = deps

  /** Stores the outcome, and retries when the disk refuses it, because the printer's result does not change. */
  async function end(job: PrintJob, outcome: PrintOutcome, mm = 0): Promise<void> {
    const endedAt = clock.now()
    while (!closing.aborted) {
      try {
        const isEnded = await store.transaction(async (tx) => {
          if (mm > 0) await tx.paperRolls.add(line, { mm, receipts: 1 })
          return tx.printJobs.end(job.invoiceId, job.copy, { ...outcome, endedAt })
        })
        if (isEnded) ended(job, outcome)
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
    // A JIR may have come while the receipt waited; once there, it never changes.
    const invoice = fresh?.jir ? fresh : await store.invoices.get(invoiceId)
    if (!invoice) throw new Unprintable(`invoice ${invoiceId} is missing`)
    const receipt = await receiptOf(invoice, copy === 0 ? null : copy)
    try {
      return encodeReceipt(receipt, settings, begun)
    } catch (error) {
      throw new Unprintable(String(error), { cause: error })
    }
  }

  /** @throws Unprintable and errors of the store; nothing was sent then */
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
    const printing = printer.print({
      encode: () => encode(order),
      // Stored before the first byte is sent: after a crash, a job in state `sending` may be on paper.
      async begin() {
        begun = await store.printJobs.begin(invoiceId, copy, clock.now())
        return begun
      },
      giveUpAt: order.until,
      signal: stop.signal,
    })
    return printing.finally(() => {
      leaving.removeEventListener('abort', onLeaving)
      closing.removeEventListener('abort', onClosing)
    })
  }

  /** Never throws. */
  async function printHeld(order: PrintOrder): Promise<void> {
    const { job, until } = order
    for (;;) {
      try {
        const result = await send(order)
        if (result.begun) return await end(job, outcomeOf(result), result.mm)
        // Left for another printer, or for the next start.
        if (leaving.aborted || closing.aborted) return
        return await end(job, outcomeOf(result))
      } catch (error) {
        reportFault(error)
        const detail = `It could not be made ready: ${error instanceof Error ? error.message : String(error)}`
        if (error instanceof Unprintable || clock.elapsed() >= until)
          return await end(job, { status: 'failed', detail, reason: null })
        await wait()
        if (leaving.aborted || closing.aborted) return
      }
    }
  }

  return {
    /** Resolves when the job has ended, or is left in the queue for another printer or the next start. Never throws. */
    async print(order: PrintOrder): Promise<void> {
      for (;;) {
        try {
          // Held while it is printed: another process sees that it was not cut off.
          return await store.receiptLock.run(receiptKey(order.job), () => printHeld(order))
        } catch (error) {
          reportFault(error)
          await wait()
          if (leaving.aborted || closing.aborted) return
        }
      }
    },
    /** Prints what somebody beside the printer has asked for; it is stored nowhere. */
    async page(encode: () => Encoded): Promise<PrintOutcome> {
      const noLine = new AbortController()
      // A line that cannot be opened is not there in a moment either.
      const timer = setTimeout(() => printer.condition().reason === 'line_lost' && noLine.abort(), LINE_WAIT_MS)
      const result = await printer
        .print({
          encode: async () => encode(),
          begin: async () => true,
          giveUpAt: clock.elapsed() + PAGE_WAIT_MS,
          signal: AbortSignal.any([leaving, noLine.signal]),
        })
        .finally(() => clearTimeout(timer))
      if (result.begun) await store.paperRolls.add(line, { mm: result.mm, receipts: 0 }).catch(reportFault)
      return outcomeOf(result)
    },
  }
}

function outcomeOf(result: PrintResult): PrintOutcome {
  const { detail, reason } = result
  return { status: result.begun ? result.status : 'expired', detail, reason }
}
