import type { Logger } from 'pino'
import { noServerAbove } from '../../fiscal/gateways/other-role.ts'
import type { Issued } from '../../fiscal/numbering/lost-sales.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { ListenState } from '../../fiscal/ports/listen-address.ts'
import { createMachineIdentity } from '../../fiscal/registry/machine-identity.ts'
import { createLiveSales } from '../../fiscal/sales/live-sales.ts'
import type { OpenStore } from '../../store/store.ts'
import type { Config } from '../config.ts'
import type { Machine } from '../host/machine.ts'
import { machineFacts } from '../host/machine-facts.ts'
import { currentLog } from '../lifecycle/current-log.ts'
import { createDiskWatch } from '../lifecycle/disk-watch.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { composeAccess } from './access.ts'
import { composeAlerts } from './alerts.ts'
import { composeAuthority } from './authority.ts'
import type { RunningClock } from './clocks.ts'
import { composeClosingSchedules } from './closing-schedules.ts'
import { composeClosings } from './closings.ts'
import { composeGatewayCommands } from './commands.ts'
import { composeDoctor } from './doctor.ts'
import { composeExpiry } from './expiry.ts'
import { composeGatewaySync } from './gateway-sync.ts'
import { composeOfficeMail } from './office-mail.ts'
import { composePrinting } from './printing.ts'
import { composeRegistry } from './registry.ts'
import { composeSales } from './sales.ts'
import { composeServerSync } from './server-sync.ts'
import { composeStatus } from './status.ts'

export interface ServiceDeps {
  config: Config
  store: OpenStore
  vault: Vault
  clock: RunningClock
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  /** What the clock of this machine shows, right or wrong. */
  shown: () => number
  log: Logger
  newUuid: () => string
  newInvoiceId: () => string
  /** What was issued, compared with the database. */
  issued: Issued
  metrics: Metrics
  machine: Machine
  /** Where callers are meant to reach the daemon, and whether they do. */
  listened: () => readonly ListenState[]
}

/** Makes one part after the other: the one place that knows them all. */
export function composeParts(deps: ServiceDeps) {
  const { config, store, vault, clock, elapsed, newUuid, metrics, listened, issued } = deps
  const { role, dataDir } = config
  const log = () => currentLog(deps.log)
  const lookAtDisk = createDiskWatch(dataDir, config.diskFloorBytes, deps.log)
  const machine = createMachineIdentity({
    ...{ store, clock, keep: store.meta },
    // PostgreSQL and the machines of its processes come and go apart from each other.
    facts: config.databaseUrl === null ? machineFacts(deps.machine, config.machineId) : [],
  })
  const expireOverdue = composeExpiry({ store, clock, log })
  const printing = composePrinting({ store, clock, elapsed, log: deps.log, metrics, dataDir })
  const { spool } = printing
  const authority = composeAuthority({ config, store, clock, elapsed, shown: deps.shown, log })
  const liveSales = createLiveSales()
  const gateway =
    role === 'gateway'
      ? composeGatewaySync({ config, store, vault, clock, elapsed, log, newUuid, liveSales, issued })
      : null
  const sync = gateway?.useCases ?? noServerAbove()
  const registry = composeRegistry({ config, store, vault, clock, log, newUuid, authority, gateway })
  const { opener } = registry
  const server =
    role === 'server' ? composeServerSync({ config, store, clock, log, newUuid, vault, opener, liveSales }) : null
  const alerting = composeAlerts({
    config,
    store,
    clock,
    elapsed,
    log,
    newUuid,
    lookAtDisk,
    spool,
    authority,
    metrics,
    listened,
    machineChanged: machine.changed,
    liveSales,
    issued,
    expireOverdue,
  })
  const officeMail = composeOfficeMail({ store, clock, newUuid, log, transport: alerting.transport, metrics })
  const access = composeAccess({ store, vault, clock, newUuid, mails: officeMail.useCases, log })
  // Alerts depend on it: they need not wait for the next pass.
  authority.onBelieved(() => void alerting.pass())
  const sales = composeSales({
    config,
    store,
    vault,
    clock,
    elapsed,
    log: deps.log,
    newUuid,
    newInvoiceId: deps.newInvoiceId,
    issued,
    metrics,
    authority,
    spool,
    lookAtDisk,
    liveSales,
    expireOverdue,
    beforeNumber: async () => gateway?.serverFirst.beforeNumber(),
    onSale: () => gateway?.uplink.nudge(),
    // Such a sale is an alert at once.
    onUnprovenJir: () => void alerting.pass(),
  })
  const { identities } = sales
  const status = composeStatus({
    config,
    store,
    clock,
    log,
    lookAtDisk,
    issued,
    spool,
    authority,
    identities,
    sync,
    machine,
  })
  const doctor = composeDoctor({
    config,
    store,
    spool,
    clock,
    lookAtDisk,
    issued,
    machine: deps.machine,
    vault,
    authority,
    sweeper: sales.sweeper,
    sync,
    transport: alerting.transport,
    listened,
    machineChecks: machine.checks,
  })
  const closings = composeClosings({
    ...{ store, clock, log, newUuid, spool },
    ...{ drawing: printing.drawing, mails: officeMail.useCases },
  })
  const closingSchedules = composeClosingSchedules({
    ...{ store, clock, log, newUuid, closings, mails: officeMail.useCases },
  })
  const polling =
    gateway &&
    composeGatewayCommands({
      store,
      vault,
      clock,
      elapsed,
      log,
      gateway,
      status: status.own,
      useCases: {
        ...registry.commandUseCases,
        retry: sales.useCases.retry,
        requeueFailed: sales.requeueFailed,
        doctor: doctor.doctor,
        revokeApiKey: access.adminUseCases.revokeApiKey,
        printCopy: printing.adminUseCases.printCopy,
      },
      socketPath: config.socketPath,
      env: deps.machine.env,
    })
  return {
    access,
    alerting,
    authority,
    closings,
    closingSchedules,
    doctor,
    expireOverdue,
    gateway,
    liveSales,
    log,
    lookAtDisk,
    machine,
    officeMail,
    polling,
    printing,
    registry,
    sales,
    server,
    status,
    sync,
  }
}
