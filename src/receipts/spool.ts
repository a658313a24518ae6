import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type PrinterCondition, type PrinterSettings, parseLineAddress } from '../domain/printer.ts'
import type { DevicePrinter, Invoice, PrintJob } from '../fiscal/ports/model.ts'
import type { QueuedReceipt, Spool } from '../fiscal/ports/printing.ts'
import { type Begun, beginReceipt, encodeClosing } from './encoding/encode-receipt.ts'
import type { Encoded } from './encoding/encoded-job.ts'
import { warmUp } from './encoding/warm-up.ts'
import { settingsOf } from './escpos/printer-profiles.ts'
import { encodeTestPage } from './layout/test-page.ts'
import { loadSerialPort } from './lines/serial-line.ts'
import { type PrintDeps, type PrintOrder, receiptKey } from './printer/print-job.ts'
import { createPrinter, type PrinterDeps } from './printer/printer.ts'
import { createPrinterRegistry } from './printer/printer-registry.ts'
import { createPrinterWorker, type PrinterWorker } from './printer/printer-worker.ts'

export interface SpoolDeps extends PrintDeps {
  openLine: PrinterDeps['openLine']
  /** Whether a time server sets the clock; otherwise the clock may have stopped together with the machine. */
  timeIsKnown: () => boolean
  /** Called when the state or the paper status of a printer has changed. */
  conditionChanged: (printer: DevicePrinter, condition: PrinterCondition) => void
}

export type RunningSpool = ReturnType<typeof createSpool>

const LOOK_AGAIN_MS = 1000
const MAX_PREPARED = 50

export function createSpool(deps: SpoolDeps) {
  const { store, clock, openLine, conditionChanged, reportFault, timeIsKnown } = deps
  const closing = new AbortController()
  // Every running job listens to this signal.
  setMaxListeners(0, closing.signal)
  const printers = createPrinterRegistry(openPrinter, reportFault)
  /** When the customer of a job leaves, by `elapsed`, so that a clock change does not print a receipt too late. */
  const waitsUntil = new Map<string, number>()
  /** The encoded beginnings of the latest receipts whose sales are being sent. */
  const prepared = new Map<string, Begun>()
  let changing = Promise.resolve()
  /** False until the printers are known: before, a device without a printer cannot be recognised. */
  let started = false
  let isWarm = false

  function untilOf(job: PrintJob): number {
    const key = receiptKey(job)
    const left = Math.min(job.expiresAt - clock.now(), job.expiresAt - job.createdAt)
    const until = waitsUntil.get(key) ?? clock.elapsed() + Math.max(0, left)
    waitsUntil.set(key, until)
    return until
  }

  async function orderOf(job: PrintJob | undefined, invoice: Invoice | undefined): Promise<PrintOrder | undefined> {
    const bound = job && printers.of(job.deviceId)
    if (!bound) return undefined
    const begun = job.copy === 0 ? prepared.get(job.invoiceId) : undefined
    prepared.delete(job.invoiceId)
    return { job, invoice, begun, settings: bound.settings, until: untilOf(job) }
  }

  async function firstFor(worker: PrinterWorker): Promise<PrintJob | undefined> {
    const open = await store.printJobs.open()
    return open.find(({ status, deviceId }) => status === 'queued' && printers.of(deviceId)?.worker === worker)
  }

  function openPrinter(set: DevicePrinter, settings: PrinterSettings, interrupted: boolean): PrinterWorker {
    const address = parseLineAddress(set.line)
    if (!address) throw new Error(`${set.line} is no line to a printer`)
    const printer = createPrinter({
      address,
      settings,
      openLine,
      clock,
      interrupted,
      changed: (condition) => conditionChanged(set, condition),
    })
    printer.start()
    warm(settings)
    const worker: PrinterWorker = createPrinterWorker({
      printer,
      line: set.line,
      closing: closing.signal,
      deps,
      stuck: lookAgain,
      next: async (fresh) => orderOf(fresh?.job ?? (await firstFor(worker)), fresh?.invoice),
      printed: ({ job }) => waitsUntil.delete(receiptKey(job)),
    })
    return worker
  }

  /** Warms up now, so that no customer waits for it. */
  function warm(settings: PrinterSettings): void {
    if (!isWarm) warmUp(settings)
    isWarm = true
  }

  /** A database that does not answer now may answer later. */
  function lookAgain(error: unknown): void {
    reportFault(error)
    if (!closing.signal.aborted) setTimeout(() => wake(), LOOK_AGAIN_MS).unref()
  }

  /** The time of each waiting job starts when it is first seen, whatever is printed before it. */
  async function lookForWork(): Promise<void> {
    for (const job of await store.printJobs.open()) {
      if (job.status !== 'queued') continue
      const bound = printers.of(job.deviceId)
      if (bound) {
        untilOf(job)
        bound.worker.wake()
      } else if (!(await store.printers.get(job.deviceId))) {
        // A printer that was set just now is bound in a moment.
        await expire(job, 'The device has no printer any more.')
      }
    }
  }

  async function expire(job: PrintJob, detail: string): Promise<void> {
    const outcome = { status: 'expired', detail, reason: null } as const
    waitsUntil.delete(receiptKey(job))
    const ended = await store.printJobs.end(job.invoiceId, job.copy, { ...outcome, endedAt: clock.now() })
    if (ended) deps.ended(job, outcome)
  }

  function bind(): Promise<void> {
    const done = changing.then(async () => {
      const all = await store.printers.all()
      await printers.bind(all, await interruptedLines(all))
    })
    changing = done.catch(() => {})
    return done
  }

  /** Lines whose last receipt was not `printed`, of any device: the printer may wait for the rest, or owe an answer. */
  async function interruptedLines(all: readonly DevicePrinter[]): Promise<Set<string>> {
    const lines = new Set<string>()
    for (const { deviceId, line } of all) {
      const last = await store.printJobs.lastBegun(deviceId)
      if (last && last.status !== 'printed') lines.add(line)
    }
    return lines
  }

  async function endWhatWasCutOff(): Promise<void> {
    for (const job of await store.printJobs.open()) {
      if (job.status !== 'sending' || (await store.receiptLock.isHeld(receiptKey(job)))) continue
      const detail = 'fiskd was stopped while it was being printed.'
      const outcome = { status: 'unconfirmed', detail, reason: null } as const
      await store.printJobs.end(job.invoiceId, job.copy, { ...outcome, endedAt: clock.now() })
      deps.ended(job, outcome)
    }
  }

  async function expireLate(): Promise<void> {
    for (const job of await store.printJobs.open()) {
      const isLate = !timeIsKnown() || clock.now() >= job.expiresAt || clock.now() < job.createdAt
      if (job.status === 'queued' && isLate) await expire(job, 'fiskd did not run while somebody waited for it.')
    }
  }

  async function begin(invoice: Invoice, settings: PrinterSettings): Promise<void> {
    prepared.set(invoice.id, beginReceipt(await deps.receiptOf(invoice, null), settings))
    // A sale whose receipt was never wanted leaves its beginning here.
    for (const id of prepared.keys()) if (prepared.size > MAX_PREPARED) prepared.delete(id)
  }

  async function page(deviceId: string, encode: (settings: PrinterSettings, set: DevicePrinter) => Encoded) {
    const bound = printers.of(deviceId)
    if (!bound) throw new Error(`device ${deviceId} has no printer`)
    return bound.worker.page(() => encode(bound.settings, bound.set))
  }

  const wake = (fresh?: QueuedReceipt) => {
    if (!started || closing.signal.aborted) return
    if (fresh && printers.of(fresh.job.deviceId)?.worker.printNow(fresh)) return
    // After the response: a sale that is being answered does not wait for those before it.
    setImmediate(() => void lookForWork().catch(lookAgain))
  }

  return {
    /** Loads all that receipts need before the first sale: an upgrade may remove the files meanwhile. Never throws. */
    async load() {
      try {
        for (const { line, profile, overrides } of await store.printers.all()) {
          warm(settingsOf(profile, overrides))
          if (parseLineAddress(line)?.kind === 'serial') loadSerialPort()
        }
      } catch (error) {
        reportFault(error)
      }
    },
    /** Ends jobs that a crash interrupted, opens the lines, and prints jobs whose customer still waits. Never throws. */
    async start() {
      while (!closing.signal.aborted) {
        try {
          await expireLate()
          await endWhatWasCutOff()
          await bind()
          started = true
          return wake()
        } catch (error) {
          reportFault(error)
          await delay(LOOK_AGAIN_MS, undefined, { signal: closing.signal }).catch(() => {})
        }
      }
    },
    /** Ends jobs that a process was printing that is gone. Never throws. */
    async takeOver() {
      await endWhatWasCutOff().catch(reportFault)
    },
    prepare(invoice) {
      const bound = printers.of(invoice.deviceId)
      // The second message about a sale finds it begun.
      if (bound && !prepared.has(invoice.id)) void begin(invoice, bound.settings).catch(reportFault)
    },
    wake,
    async reload() {
      await bind()
      wake()
    },
    condition: (deviceId) => printers.of(deviceId)?.worker.printer.condition(),
    conditions: () => new Map([...printers.all()].map(([id, { worker }]) => [id, worker.printer.condition()])),
    look: async (deviceId) => printers.of(deviceId)?.worker.printer.look(),
    test: (deviceId) => page(deviceId, (settings, set) => encodeTestPage(settings, set)),
    printClosing: (deviceId, closing) => page(deviceId, (settings) => encodeClosing(closing, settings)),
    /** Starts no new job; a running job has a few seconds to end. */
    async close() {
      closing.abort()
      await changing
      await printers.close()
    },
  } satisfies Spool & Record<'load' | 'start' | 'takeOver' | 'close', () => Promise<void>>
}
