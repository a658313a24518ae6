import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ALERT_KINDS, isAlertKind } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { PRINT_JOB_STATUSES, type PrintJobStatus } from '../../domain/printer.ts'
import { ANSWER_SIGNATURES } from '../../domain/sale/answer-signature.ts'
import { FINDING_CODES, findingsOfInvoice } from '../../domain/sale/findings.ts'
import { ERROR_CLASSES } from '../../domain/sale/invoice.ts'
import { MODES } from '../../domain/sale/sale.ts'
import { MAIL_RESULTS, type MailResult } from '../../fiscal/mail/send-due-mails.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import type { Attempt } from '../../fiscal/sales/submit.ts'
import type { Facts } from './facts.ts'

/** Around what an exchange takes (half a second) and what it may take (four seconds). */
const DURATION_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5]

const PAPER = { ok: 2, near_end: 1, out: 0 }

const RESULTS = ['confirmed', ...ERROR_CLASSES] as const

export type Metrics = ReturnType<typeof createMetrics>

/** The metrics of a daemon. Counters are updated at each event; everything else is read at each scrape. */
export function createMetrics(program: { version: string; role: string }) {
  const registry = new Registry()
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `fiskd_${name}`, help, labelNames, registers: [registry] })
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `fiskd_${name}_total`, help, labelNames, registers: [registry] })

  const messages = counter(
    'messages',
    'Messages sent to the tax authority, by what came of them: confirmed, or the class of the failure',
    'mode',
    'result',
  )
  const answers = counter(
    'answers',
    'Answers of the tax authority that were believed, by how they were signed',
    'mode',
    'signature',
  )
  const durations = new Histogram({
    name: 'fiskd_exchange_duration_seconds',
    help: 'How long the tax authority took to answer a message, or we to give up waiting',
    labelNames: ['mode'],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  })
  const passes = counter('sweep_passes', 'Passes of the sweep that came to their end')
  const receipts = counter('receipts', 'Receipts that were to be printed, by what came of them', 'status')
  const mails = counter(
    'mails',
    'Attempts to send alert mails, by what came of them; dropped: what it told of was over before it went out',
    'result',
  )
  const differing = counter(
    'items_differing',
    'Items of sales whose amount is not quantity times unit price, such as of a discount; they were taken as sent',
  )
  const findings = counter(
    'findings',
    'What the tax authority finds in sales that got their JIR, by the code of the finding',
    'code',
  )
  for (const code of FINDING_CODES) findings.inc({ code }, 0)
  for (const result of MAIL_RESULTS) mails.inc({ result }, 0)
  for (const status of PRINT_JOB_STATUSES.slice(2)) receipts.inc({ status }, 0)
  for (const mode of MODES) {
    durations.zero({ mode })
    for (const signature of Object.keys(ANSWER_SIGNATURES)) answers.inc({ mode, signature }, 0)
    for (const result of RESULTS) messages.inc({ mode, result }, 0)
  }

  gauge('info', 'Which program this is', 'version', 'role').set(program, 1)
  const lastPass = gauge('sweep_last_end_timestamp_seconds', 'When the last pass of the sweep came to its end')
  const up = gauge('up', '1 when the database answers and takes writes')
  const database = gauge('database_duration_seconds', 'How long the database took for a trivial query, just now')
  const devices = gauge('devices', 'Active devices, by whether anything is known that prevents a sale', 'can_sell')
  const invoices = gauge('invoices', 'Invoices that lack a JIR', 'status')
  const oldestAge = gauge('oldest_invoice_age_seconds', 'Age of the oldest sale that can still get a JIR; 0 for none')
  const deadline = gauge(
    'deadline_seconds',
    'Seconds to the nearest deadline of what can still get a JIR: technical (30 days) and legal; negative when it is over',
    'clock',
  )
  const certificate = gauge('certificate_seconds', 'Seconds the certificate in use has left, by company id', 'company')
  const clockOk = gauge('clock_ok', '1 when nothing speaks against the clock of the system')
  const synchronised = gauge('clock_synchronised', '1 when the clock of the system follows a time server')
  const offset = gauge('clock_offset_seconds', 'Seconds the clock of the system is ahead of one that is right')
  const printer = gauge('printer_ready', '1 when the printer of a device can print, by device id', 'device')
  const paper = gauge('printer_paper', 'Paper of a printer: 2 enough, 1 near its end, 0 out', 'device')
  const diskFree = gauge('disk_free_bytes', 'Free bytes where the database lives')
  const syncWaiting = gauge('sync_waiting', 'Rows that the central server has not been told of')
  const syncRefused = gauge(
    'sync_refused',
    'Rows that the central server has refused, or has failed at: they wait, too',
  )
  const syncSuccess = gauge('sync_last_success_timestamp_seconds', 'When the central server last took something')
  const alerts = gauge('alerts_open', 'Alerts that go on and that nobody has acknowledged', 'kind')
  lastPass.remove()

  /** Sets all gauges synchronously, so that concurrent scrapes never mix their values. */
  function show({ stored, clock, diskFreeBytes, printers, sync, alerts: open, devices: counts }: Facts): void {
    for (const stale of [devices, invoices, deadline, certificate, printer, paper, alerts]) stale.reset()
    if (open) for (const kind of ALERT_KINDS) alerts.set({ kind }, 0)
    // Gateways may report kinds that are unknown here; their names are not used as labels.
    for (const { kind } of open ?? []) alerts.inc({ kind: isAlertKind(kind) ? kind : 'other' })
    if (counts) {
      devices.set({ can_sell: 'yes' }, counts.able)
      devices.set({ can_sell: 'no' }, counts.total - counts.able)
    }
    for (const [device, condition] of printers) {
      if (condition.state !== 'unknown') printer.set({ device }, Number(condition.state === 'ready'))
      if (condition.paper !== null) paper.set({ device }, PAPER[condition.paper])
    }
    for (const { metric, value } of [
      { metric: up, value: stored ? 1 : 0 },
      { metric: database, value: stored && stored.databaseMs / 1000 },
      { metric: oldestAge, value: stored && (stored.waiting?.oldestAgeMs ?? 0) / 1000 },
      { metric: clockOk, value: clock && Number(clock.status === 'ok') },
      { metric: synchronised, value: clock && clock.synchronised !== null ? Number(clock.synchronised) : null },
      { metric: offset, value: clock && clock.offsetMs !== null ? clock.offsetMs / 1000 : null },
      { metric: diskFree, value: diskFreeBytes },
      { metric: syncWaiting, value: sync?.waiting ?? null },
      { metric: syncRefused, value: sync?.refused ?? null },
      { metric: syncSuccess, value: sync?.lastPushAt ? sync.lastPushAt / 1000 : null },
    ]) {
      if (value === null) metric.remove()
      else metric.set(value)
    }
    if (!stored) return
    const { queue, waiting, certificateMs } = stored
    for (const status of ['pending', 'retrying', 'failed', 'expired'] as const) invoices.set({ status }, queue[status])
    if (waiting) {
      deadline.set({ clock: 'technical' }, waiting.technicalMsLeft / 1000)
      deadline.set({ clock: 'legal' }, waiting.legalMsLeft / 1000)
    }
    for (const [company, ms] of certificateMs) certificate.set({ company }, ms / 1000)
  }

  return {
    attempted({ mode, outcome, durationMs, signature }: Attempt): void {
      if (durationMs === null) return
      if (signature !== null) answers.inc({ mode, signature })
      messages.inc({ mode, result: outcome.kind === 'confirmed' ? 'confirmed' : outcome.errorClass })
      durations.observe({ mode }, durationMs / 1000)
    },
    /** Counts what there is to find in a sale, once: when it has its JIR. */
    confirmed(invoice: Pick<Invoice, 'document' | 'deliveryFindings'>): void {
      for (const code of findingsOfInvoice(invoice)) findings.inc({ code })
    },
    mailEnded: (result: MailResult): void => mails.inc({ result }),
    receiptEnded: (status: PrintJobStatus): void => receipts.inc({ status }),
    /** Counts items whose amount is not quantity times unit price. */
    itemsDiffered: (count: number): void => differing.inc(count),
    passEnded(at: EpochMs): void {
      passes.inc()
      lastPass.set(at / 1000)
    },
    /** @param readFacts must not throw: a value that cannot be determined is null */
    async scrape(readFacts: () => Promise<Facts>): Promise<string> {
      show(await readFacts())
      return `${await registry.metrics()}\n${await processMetrics()}`
    },
  }
}

/** The event loop is watched by a timer: ten times a second shows what customers would notice, and wakes no kiosk. */
const EVENT_LOOP_PRECISION_MS = 100

let registry: Registry | undefined

/** What the process itself uses, the same for every daemon in it. */
function processMetrics(): Promise<string> {
  if (!registry) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  }
  return registry.metrics()
}
