import type { QueuedReceipt } from '../../fiscal/ports/printing.ts'
import { createJobPrinter, type PrintDeps, type PrintOrder } from './print-job.ts'
import type { Printer } from './printer.ts'

export interface PrinterWorkerDeps {
  printer: Printer
  line: string
  /** The daemon stops: a job that has begun has a few seconds. */
  closing: AbortSignal
  deps: PrintDeps
  /** The next job of this printer; undefined without a job. */
  next: (fresh: QueuedReceipt | undefined) => Promise<PrintOrder | undefined>
  printed: (order: PrintOrder) => void
  /** The work failed; it continues with the next call. */
  stuck: (error: unknown) => void
}

export type PrinterWorker = ReturnType<typeof createPrinterWorker>

export function createPrinterWorker(given: PrinterWorkerDeps) {
  const { printer, line, closing, deps, next, printed, stuck } = given
  const leaving = new AbortController()
  const { signal } = leaving
  const jobs = createJobPrinter(printer, line, { leaving: signal, closing }, deps)
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
    page: jobs.page,
    /** Looks for work, because there may be something to print. */
    wake: call,
    /** The same, with a job that was queued just now. @returns false when other jobs come first */
    printNow(fresh: QueuedReceipt): boolean {
      if (working || signal.aborted) return false
      first = fresh
      call()
      return true
    },
    /** Starts no new job. Resolves when the current job has ended and the line is closed. */
    async close(): Promise<void> {
      leaving.abort()
      await working
      await printer.close()
    },
  }
}
