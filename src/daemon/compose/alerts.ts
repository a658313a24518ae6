import { hostname } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createMailWords } from '../../alerts/compose-mail.ts'
import { createMailTransport } from '../../alerts/smtp-transport.ts'
import { type AlertNews, createAlertWatch } from '../../fiscal/alerts/alert-watch.ts'
import { createAlerts } from '../../fiscal/alerts/alerts.ts'
import { authorityRule } from '../../fiscal/alerts/authority-rule.ts'
import { certificateRule } from '../../fiscal/alerts/certificate-rule.ts'
import { isuRule, paperLowRule, printerRule } from '../../fiscal/alerts/device-rules.ts'
import { doubtfulNumbersRule } from '../../fiscal/alerts/doubtful-numbers-rule.ts'
import { expiredRule } from '../../fiscal/alerts/expired-rule.ts'
import { fleetRule } from '../../fiscal/alerts/fleet-rule.ts'
import { invoiceRule } from '../../fiscal/alerts/invoice-rule.ts'
import { issuedRule } from '../../fiscal/alerts/issued-rule.ts'
import { lostRecordsRule } from '../../fiscal/alerts/lost-records-rule.ts'
import {
  addressRule,
  backupRule,
  clockRule,
  diskRule,
  machineRule,
  slowDiskRule,
} from '../../fiscal/alerts/machine-rules.ts'
import { createMailing } from '../../fiscal/alerts/mailing.ts'
import { numberRule } from '../../fiscal/alerts/number-rule.ts'
import type { AlertUseCases } from '../../fiscal/alerts/read-alerts.ts'
import { scheduleRule } from '../../fiscal/alerts/schedule-rule.ts'
import { signInRule } from '../../fiscal/alerts/sign-in-rule.ts'
import { silenceRule } from '../../fiscal/alerts/silence-rule.ts'
import { createLease, type Lease } from '../../fiscal/lease.ts'
import type { Issued } from '../../fiscal/numbering/lost-sales.ts'
import type { ListenState } from '../../fiscal/ports/listen-address.ts'
import type { MailTransport } from '../../fiscal/ports/mail.ts'
import type { Spool } from '../../fiscal/ports/printing.ts'
import type { MachineChange } from '../../fiscal/registry/machine-facts.ts'
import type { LookAtDisk } from '../../fiscal/sales/disk-space.ts'
import type { LiveSales } from '../../fiscal/sales/live-sales.ts'
import type { OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { oneAtATime } from '../lifecycle/one-at-a-time.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Authority } from './authority.ts'
import type { RunningClock } from './clocks.ts'

export interface AlertingDeps {
  config: Config
  store: OpenStore
  clock: RunningClock
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  log: () => Pick<Logger, 'info' | 'warn' | 'error'>
  newUuid: () => string
  lookAtDisk: LookAtDisk
  spool: Pick<Spool, 'conditions'>
  authority: Pick<Authority, 'sightings' | 'beliefs' | 'isClosed'>
  liveSales: Pick<LiveSales, 'quiet'>
  issued: Issued
  /** Updates statuses that change by time alone. */
  expireOverdue: () => Promise<void>
  metrics: Pick<Metrics, 'mailEnded'>
  listened: () => readonly ListenState[]
  machineChanged: () => MachineChange | null
}

/** The alerts and their mails. */
export interface Alerting {
  useCases: AlertUseCases
  /** Null without a mail server. */
  transport: MailTransport | null
  start(): void
  /** Runs a pass now, or after the current one; calls made meanwhile share that next pass. Never rejects. */
  pass(): Promise<void>
  /** Starts no other pass; the current one ends after the mail that it is sending. */
  stop(): void
  close(): Promise<void>
}

const PASS_EVERY_MS = 60_000

export function composeAlerts(deps: AlertingDeps): Alerting {
  const { config, store, clock, log, newUuid, metrics } = deps
  const words = createMailWords({ dashboardUrl: dashboardUrlOf(config), host: hostname() })
  const transport =
    config.smtp &&
    createMailTransport({ server: config.smtp, from: config.alerts.from ?? `fiskd <fiskd@${hostname()}>` })
  const alertTo = config.alerts
  const held = createLease({ store, clock }, 'alerts', `${hostname()} ${process.pid} ${newUuid()}`)
  let stopped = false
  const lease: Lease = { hold: async () => !stopped && held.hold(), release: held.release }
  const watch = createAlertWatch({
    store,
    clock,
    newUuid,
    lease,
    rules: rulesOf(deps),
    onRaised: (news) => logRaised(log(), news),
    onResolved: ({ kind, subject }) => log().info({ kind, subject }, 'an alert is over'),
    reportFault: (kinds, error) => log().error({ err: error, kinds }, 'alerts could not be looked after'),
  })
  const mailing =
    transport &&
    createMailing({
      store,
      clock,
      newUuid,
      lease,
      words,
      transport,
      alertTo,
      onMail({ id, attempts }, result, answer) {
        metrics.mailEnded(result)
        const isWell = result === 'sent' || result === 'dropped'
        log()[isWell ? 'info' : 'warn']({ mailId: id, attempts, result, answer }, 'an alert mail')
      },
    })

  async function work(): Promise<void> {
    // What the authority has answered to a sale may ask for a pass: the customer's answer goes out first.
    await deps.liveSales.quiet()
    await setImmediate()
    await deps.expireOverdue()
    await watch()
    await mailing?.()
  }

  let timer: NodeJS.Timeout | undefined
  const passes = oneAtATime(async () => {
    if (stopped) return
    await work().catch((error: unknown) => log().error({ err: error }, 'a pass over the alerts failed'))
  })
  const wait = () => {
    timer = setTimeout(() => void passes.run().then(() => stopped || wait()), PASS_EVERY_MS)
  }
  const stop = () => {
    stopped = true
    clearTimeout(timer)
  }
  return {
    useCases: createAlerts({ store, clock, newUuid, words, transport, alertTo }),
    transport,
    start: wait,
    pass: passes.run,
    stop,
    async close() {
      stop()
      await passes.ended()
      await held.release().catch(() => {})
    },
  }
}

/** Words are for people who know the dashboard; the log has names and ids. */
export function logRaised(log: Pick<Logger, 'warn'>, { kind, subject, detail: { gateway } }: AlertNews): void {
  log.warn({ kind, subject, ...(typeof gateway === 'string' && { gateway }) }, 'an alert was raised')
}

/** In the order in which a pass runs them. */
export function rulesOf(deps: AlertingDeps) {
  const { config, store, clock, elapsed, lookAtDisk, spool, listened } = deps
  const { sightings, beliefs, isClosed } = deps.authority
  return [
    invoiceRule(store, beliefs, elapsed),
    expiredRule(store),
    certificateRule(store),
    isuRule(store),
    printerRule(store, spool.conditions, elapsed),
    paperLowRule(store, spool.conditions, elapsed),
    authorityRule({ store, sightings, isClosed, deploymentMode: config.deploymentMode, elapsed }),
    diskRule(lookAtDisk, elapsed),
    slowDiskRule(clock.writeMs, elapsed),
    clockRule(clock.state, elapsed),
    addressRule(listened, elapsed),
    machineRule(deps.machineChanged),
    numberRule(store),
    issuedRule(store, deps.issued),
    silenceRule(store, elapsed),
    signInRule(store, elapsed),
    scheduleRule(store, elapsed),
    doubtfulNumbersRule(store),
    lostRecordsRule,
    ...(store.care.server === null ? [backupRule(store, elapsed)] : []),
    ...(config.role === 'server' ? [fleetRule(store, clock.now())] : []),
  ]
}

/** The configured address of the dashboard, or one with the name of this machine. */
export function dashboardUrlOf({ dashboardUrl, listen }: Config): string {
  return dashboardUrl ?? `https://${hostname()}:${listen[0]?.port || 8443}`
}
