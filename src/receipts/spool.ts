import { setImmediate } from 'node:timers'
import { type PrinterCondition, type PrinterSettings, parseLineAddress } from '../domain/printer.ts'
import type { DevicePrinter, Invoice, PrintJob } from '../fiscal/model.ts'
import type { QueuedReceipt, Spool } from '../fiscal/printing-port.ts'
import { type Begun, beginReceipt } from './encode.ts'
import { createPress, type Press, type PressDeps } from './press.ts'
import { createPrinter, type PrinterDeps } from './printer.ts'
import { settingsOf } from './profiles.ts'
import { warmUp } from './warm-up.ts'

export interface SpoolDeps extends PressDeps {
  openLine: PrinterDeps['openLine']
  /** A printer is in another state than before, or says something else about its paper. */
  conditionChanged: (printer: DevicePrinter, condition: PrinterCondition) => void
}

export interface RunningSpool extends Spool {
  /** Ends what a crash has cut off, opens the lines, and prints what still has somebody waiting for it. */
  start(): Promise<void>
  /** Begins nothing new; what is being printed has a few seconds to end. */
  close(): Promise<void>
}

/** A device's printer as it is used now. */
interface Bound {
  set: DevicePrinter
  settings: PrinterSettings
  desk: Desk
}

/** A press and whether somebody works at it. Work comes again while it is being done. */
interface Desk {
  press: Press
  /** It is given up: what has not begun is left for another one, or for the next start. */
  leaving: AbortController
  wanted: boolean
  /** What was queued just now while nothing else waited. */
  fresh: QueuedReceipt | undefined
  working: Promise<void> | undefined
}

const LOOK_AGAIN_MS = 1000
const MAX_PREPARED = 50

export function createSpool(deps: SpoolDeps): RunningSpool {
  const { store, clock, openLine, conditionChanged, reportFault } = deps
  const closing = new AbortController()
  const bound = new Map<string, Bound>()
  const desks = new Map<string, Desk>()
  /** When the customer of a job has left, by `elapsed`: nobody who moves the clock makes a receipt come out late. */
  const patience = new Map<string, number>()
  /** The beginnings of receipts whose sales are being sent, the latest. */
  const prepared = new Map<string, Begun>()
  let changing = Promise.resolve()
  /** Before its printers are known nobody can tell what has none. */
  let started = false

  const keyOf = ({ invoiceId, copy }: PrintJob) => `${invoiceId} ${copy}`

  function untilOf(job: PrintJob): number {
    const key = keyOf(job)
    const left = Math.min(job.expiresAt - clock.now(), job.expiresAt - job.createdAt)
    const until = patience.get(key) ?? clock.elapsed() + Math.max(0, left)
    patience.set(key, until)
    return until
  }

  async function nextFor(desk: Desk): Promise<PrintJob | undefined> {
    const waiting = (await store.printJobs.open()).filter(({ status }) => status === 'queued')
    return waiting.find(({ deviceId }) => bound.get(deviceId)?.desk === desk)
  }

  async function work(desk: Desk): Promise<void> {
    const { signal } = desk.leaving
    while (desk.wanted && !signal.aborted) {
      desk.wanted = false
      for (;;) {
        const { job, invoice } = desk.fresh ?? { job: await nextFor(desk) }
        desk.fresh = undefined
        const place = job && bound.get(job.deviceId)
        if (!place || signal.aborted) break
        const begun = job.copy === 0 ? prepared.get(job.invoiceId) : undefined
        prepared.delete(job.invoiceId)
        await desk.press.print({ job, invoice, settings: place.settings, until: untilOf(job), begun }, signal)
        if (!signal.aborted) patience.delete(keyOf(job))
      }
    }
  }

  function call(desk: Desk): void {
    desk.wanted = true
    desk.working ??= work(desk)
      .catch(lookAgain)
      .finally(() => {
        desk.working = undefined
        if (desk.wanted && !desk.leaving.signal.aborted) call(desk)
      })
  }

  /** A database that does not answer now may answer later. */
  function lookAgain(error: unknown): void {
    reportFault(error)
    if (!closing.signal.aborted) setTimeout(wake, LOOK_AGAIN_MS).unref()
  }

  /** Everything that waits has its time from the moment it is first seen, whoever is printed before it. */
  async function lookForWork(): Promise<void> {
    for (const job of await store.printJobs.open()) {
      if (job.status !== 'queued') continue
      untilOf(job)
      const desk = bound.get(job.deviceId)?.desk
      if (desk) call(desk)
      else await expire(job, 'the device has no printer any more')
    }
  }

  async function expire(job: PrintJob, detail: string): Promise<void> {
    const outcome = { status: 'expired', detail } as const
    patience.delete(keyOf(job))
    const ended = await store.printJobs.end(job.invoiceId, job.copy, { ...outcome, endedAt: clock.now() })
    if (ended) deps.ended(job, outcome)
  }

  function openDesk(set: DevicePrinter, settings: PrinterSettings, interrupted: boolean): Desk {
    const address = parseLineAddress(set.line)
    if (!address) throw new Error(`${set.line} is no line to a printer`)
    const printer = createPrinter({
      ...{ address, settings, openLine, clock, interrupted },
      changed: (condition) => conditionChanged(set, condition),
    })
    printer.start()
    // Now, so that no customer waits for it.
    warmUp(settings)
    const press = createPress(printer, deps)
    return { press, leaving: new AbortController(), wanted: false, fresh: undefined, working: undefined }
  }

  async function leave(desk: Desk): Promise<void> {
    desk.leaving.abort()
    await desk.working
    await desk.press.printer.close()
  }

  /** Devices that have the same printer set in the same way share it; a printer that is no longer set is closed. */
  async function bind(cutOff: ReadonlySet<string> = new Set()): Promise<void> {
    const all = (await store.printers.all()).map((set) => {
      const settings = settingsOf(set.profile, set.overrides)
      return { set, settings, key: JSON.stringify([set.line, settings]) }
    })
    const wanted = new Set(all.map(({ key }) => key))
    for (const [key, desk] of desks) {
      if (wanted.has(key)) continue
      desks.delete(key)
      await leave(desk)
    }
    bound.clear()
    for (const { set, settings, key } of all) {
      const desk = desks.get(key) ?? openDesk(set, settings, cutOff.has(set.deviceId))
      desks.set(key, desk)
      bound.set(set.deviceId, { set, settings, desk })
    }
  }

  /** One change at a time. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = changing.then(work)
    changing = done.catch(() => {})
    return done
  }

  /** @returns the devices whose printers may still wait for the rest of something */
  async function endWhatWasCutOff(): Promise<Set<string>> {
    const cutOff = new Set<string>()
    for (const job of await store.printJobs.open()) {
      const late = clock.now() >= job.expiresAt || clock.now() < job.createdAt
      if (job.status === 'queued' && late) await expire(job, 'fiskd was not running while somebody waited for it')
      if (job.status !== 'sending') continue
      cutOff.add(job.deviceId)
      const outcome = { status: 'unconfirmed', detail: 'fiskd was stopped while it was being printed' } as const
      await store.printJobs.end(job.invoiceId, job.copy, { ...outcome, endedAt: clock.now() })
      deps.ended(job, outcome)
    }
    return cutOff
  }

  async function begin(invoice: Invoice, { settings }: Bound): Promise<void> {
    prepared.set(invoice.id, beginReceipt(await deps.receiptOf(invoice, null), settings))
    // A sale whose receipt was never wanted leaves its beginning here.
    for (const id of prepared.keys()) if (prepared.size > MAX_PREPARED) prepared.delete(id)
  }

  const wake = (fresh?: QueuedReceipt) => {
    const desk = fresh && bound.get(fresh.job.deviceId)?.desk
    if (desk && !desk.working && !closing.signal.aborted) {
      desk.fresh = fresh
      call(desk)
    } else
      setImmediate(() => {
        if (started && !closing.signal.aborted) lookForWork().catch(lookAgain)
      })
  }

  return {
    async start() {
      const cutOff = await endWhatWasCutOff()
      await inTurn(() => bind(cutOff))
      started = true
      wake()
    },
    prepare(invoice) {
      const place = bound.get(invoice.deviceId)
      // After its message has gone out.
      if (place) setImmediate(() => void begin(invoice, place).catch(reportFault))
    },
    wake,
    async reload() {
      await inTurn(() => bind())
      wake()
    },
    condition: (deviceId) => bound.get(deviceId)?.desk.press.printer.condition(),
    conditions: () => new Map([...bound].map(([id, { desk }]) => [id, desk.press.printer.condition()])),
    look: async (deviceId) => bound.get(deviceId)?.desk.press.printer.look(),
    async test(deviceId) {
      const place = bound.get(deviceId)
      if (!place) throw new Error(`device ${deviceId} has no printer`)
      return place.desk.press.test(place.set, place.settings, place.desk.leaving.signal)
    },
    async close() {
      closing.abort()
      await changing
      await Promise.all([...desks.values()].map(leave))
    },
  }
}
