import { hostname } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { createMailWords } from '../../alerts/compose-mail.ts'
import { createMailTransport } from '../../alerts/smtp-transport.ts'
import { type AlertNews, createAlertWatch } from '../../fiscal/alerts/alert-watch.ts'
import { createAlerts } from '../../fiscal/alerts/alerts.ts'
import { authorityRule } from '../../fiscal/alerts/authority-rule.ts'
import { certificateRule } from '../../fiscal/alerts/certificate-rule.ts'
import { findingsRule, isuRule, paperLowRule, printerRule } from '../../fiscal/alerts/device-rules.ts'
import { fleetRule } from '../../fiscal/alerts/fleet-rule.ts'
import { expiredRule, invoiceRule } from '../../fiscal/alerts/invoice-rules.ts'
import {
  addressRule,
  backupRule,
  clockRule,
  diskRule,
  machineRule,
  signInRule,
  slowDiskRule,
} from '../../fiscal/alerts/machine-rules.ts'
import { createMailing } from '../../fiscal/alerts/mailing.ts'
import { doubtfulNumbersRule, issuedRule, lostRecordsRule, numberRule } from '../../fiscal/alerts/number-rules.ts'
import { scheduleRule } from '../../fiscal/alerts/schedule-rule.ts'
import { silenceRule } from '../../fiscal/alerts/silence-rule.ts'
import type { Spool } from '../../fiscal/ports/printing.ts'
import type { MachineChange } from '../../fiscal/registry/machine-facts.ts'
import type { Config } from '../config.ts'
import type { Authority } from './authority.ts'
import type { Base, Log } from './base.ts'
import { createLeasedPasses } from './leased-passes.ts'

export type AlertingDeps = Base & {
  spool: Pick<Spool, 'conditions'>
  authority: Pick<Authority, 'sightings' | 'beliefs' | 'isClosed'>
  machineChanged: () => MachineChange | null
}

const PASS_EVERY_MS = 60_000

export function composeAlerts(deps: AlertingDeps) {
  const { config, store, clock, log, newUuid, metrics } = deps
  const words = createMailWords({ dashboardUrl: dashboardUrlOf(config), host: hostname() })
  const transport =
    config.smtp &&
    createMailTransport({ server: config.smtp, from: config.alerts.from ?? `fiskd <fiskd@${hostname()}>` })
  const { run, ...passes } = createLeasedPasses(deps, {
    name: 'alerts',
    everyMs: PASS_EVERY_MS,
    passOf(lease) {
      const watch = createAlertWatch({
        store,
        clock,
        newUuid,
        lease,
        rules: rulesOf(deps),
        onRaised: (news) => logRaised(log, news),
        onResolved: ({ kind, subject }) => log.info({ kind, subject }, 'an alert is over'),
        reportFault: (kinds, error) => log.error({ err: error, kinds }, 'alerts could not be looked after'),
      })
      const mail =
        transport &&
        createMailing({
          store,
          clock,
          newUuid,
          lease,
          words,
          transport,
          alertTo: config.alerts,
          onMail({ id, attempts }, result, answer) {
            metrics.mailEnded(result)
            const isWell = result === 'sent' || result === 'dropped'
            log[isWell ? 'info' : 'warn']({ mailId: id, attempts, result, answer }, 'an alert mail')
          },
        })
      return async () => {
        // What the authority has answered to a sale may ask for a pass: the customer's answer goes out first.
        await deps.liveSales.quiet()
        await setImmediate()
        await deps.expireOverdue()
        await watch()
        await mail?.()
      }
    },
    fault: 'a pass over the alerts failed',
  })
  return {
    ...passes,
    useCases: createAlerts({ store, clock, newUuid, words, transport, alertTo: config.alerts }),
    /** Null without a mail server. */
    transport,
    /** Runs a pass now, or after the current one; calls made meanwhile share that next pass. Never rejects. */
    pass: run,
  }
}

/** Words are for people who know the dashboard; the log has names and ids. */
export function logRaised(log: Log, { kind, subject, detail: { gateway } }: AlertNews): void {
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
    findingsRule(store),
    printerRule(store, spool.conditions, elapsed),
    paperLowRule(store, spool.conditions, elapsed),
    authorityRule({ store, sightings, isClosed, deploymentMode: config.deploymentMode, elapsed }),
    diskRule(lookAtDisk, elapsed),
    slowDiskRule(clock.writeMs, elapsed),
    clockRule(clock.state, elapsed),
    addressRule(listened, elapsed),
    machineRule(deps.machineChanged),
    numberRule(store, (mode) => clock.of(mode).present().latest),
    issuedRule(store, deps.issued),
    silenceRule(store, elapsed),
    signInRule(store, elapsed),
    scheduleRule(store, elapsed),
    doubtfulNumbersRule(store),
    lostRecordsRule,
    ...(store.care.server === null ? [backupRule(store, elapsed)] : []),
    ...(config.role === 'server' ? [fleetRule(store, clock.now(), clock)] : []),
  ]
}

export function dashboardUrlOf({ dashboardUrl, listen }: Config): string {
  return dashboardUrl ?? `https://${hostname()}:${listen[0]?.port || 8443}`
}
