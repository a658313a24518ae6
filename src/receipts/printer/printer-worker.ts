import type { QueuedReceipt } from '../../fiscal/ports/printing.ts'
import { createJobPrinter, type JobPrinter, type PrintDeps, type PrintOrder } from './print-job.ts'
import type { Printer } from './printer.ts'

/** Takes the jobs of one printer to it, one after another. */
export interface PrinterWorker {
  readonly printer: Printer
  readonly test: JobPrinter['test']
  /** There may be something to print. */
  wake(): void
  /** The same, with what was queued just now. @returns false when others are before it */
  printNow(fresh: QueuedReceipt): boolean
  /** Takes nothing new. Resolves when what has begun has ended and the line is closed. */
  close(): Promise<void>
}

export interface PrinterWorkerDeps {
  printer: Printer
  /** The daemon stops: what has begun has a few seconds. */
  closing: AbortSignal
  deps: PrintDeps
  /** The next job of this printer; undefined for nothing. */
  next: (fresh: QueuedReceipt | undefined) => Promise<PrintOrder | undefined>
  printed: (order: PrintOrder) => void
  /** The work could not go on; it goes on with the next call. */
  stuck: (error: unknown) => void
}

export function createPrinterWorker(given: PrinterWorkerDeps): PrinterWorker {
  const { printer, closing, deps, next, printed, stuck } = given
  const leaving = new AbortController()
  const { signal } = leaving
  const jobs = createJobPrinter(printer, { leaving: signal, closing }, deps)
  let wanted = false
  let first: QueuedReceipt | undefined
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    while (wanted && !signal.aborted) {
      wanted = false
      for (;;) {
        const fresh = first
        first = undefined
        const order = await next(fresh)
        if (!order || signal.aborted) break
        await jobs.print(order)
        if (!signal.aborted) printed(order)
      }
    }
  }

  function call(): void {
    wanted = true
    working ??= work()
      .catch(stuck)
      .finally(() => {
        working = undefined
        if (wanted && !signal.aborted) call()
      })
  }

  return {
    printer,
    test: jobs.test,
    wake: call,
    printNow(fresh) {
      if (working || signal.aborted) return false
      first = fresh
      call()
      return true
    },
    async close() {
      leaving.abort()
      await working
      await printer.close()
    },
  }
}
