import type { FastifyRequest } from 'fastify'
import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import { createPeriodClosing } from '../../fiscal/closings/close-period.ts'
import { createClosings } from '../../fiscal/closings/closings.ts'
import { noCommands, noGateways, noServerAbove } from '../../fiscal/gateways/other-role.ts'
import { createNotes } from '../../fiscal/machines/notes.ts'
import { createTags } from '../../fiscal/machines/tags.ts'
import { createMoney } from '../../fiscal/office/money.ts'
import { createLinkKeys, linksOfGateway, linksOfServer } from '../../fiscal/receipt-links/links.ts'
import { createMachineIdentity } from '../../fiscal/registry/machine-identity.ts'
import { checkInvoice } from '../../fiscal/requests/check-invoice.ts'
import { createCorrections } from '../../fiscal/requests/correct-invoice.ts'
import { createHours } from '../../fiscal/requests/hours.ts'
import { createRequestSender } from '../../fiscal/requests/request-sender.ts'
import type { AdminUseCases, OfficeUseCases, UseCases } from '../../fiscal/use-cases.ts'
import { createBackup } from '../backup-restore/backup.ts'
import { machineFacts } from '../host/machine-facts.ts'
import type { Facts } from '../metrics/facts.ts'
import { rehearsedSale } from '../warm-up/rehearsed-sale.ts'
import { type Course, createWarmUp } from '../warm-up/warm-up.ts'
import { composeAccess } from './access.ts'
import { composeAlerts } from './alerts.ts'
import { composeAuthority } from './authority.ts'
import { inOrder } from './background.ts'
import { baseOf, type ServiceDeps } from './base.ts'
import { composeClosingSchedules } from './closing-schedules.ts'
import { composeGatewayCommands } from './commands.ts'
import { watchDatabase } from './database-reach.ts'
import { composeDoctor } from './doctor.ts'
import { composeGatewaySync } from './gateway-sync.ts'
import { composeJobs } from './jobs.ts'
import { composeOffice } from './office.ts'
import { composeOfficeMail } from './office-mail.ts'
import { composePrinting } from './printing.ts'
import { composeReceiptPages } from './receipt-pages.ts'
import { composeRecovery } from './recovery.ts'
import { composeRegistry } from './registry.ts'
import { composeSales } from './sales.ts'
import { composeServerSync } from './server-sync.ts'
import { composeStatus } from './status.ts'

export interface Service {
  useCases: UseCases
  adminUseCases: AdminUseCases
  sessions: SessionUseCases
  /** What the dashboard alone needs. */
  office: OfficeUseCases
  /** What a central server does for its gateways; null for a gateway. */
  sync: Pick<ReturnType<typeof composeServerSync>, 'routes'> | null
  /** What customers see; null where no receipts are shown. */
  receiptPages: ReturnType<typeof composeReceiptPages>['pages'] | null
  identifyCaller(request: FastifyRequest): Promise<Principal>
  identifyOperator(request: FastifyRequest): Promise<Principal>
  /** Takes up what a crash has left; called before the listeners stand. */
  recover(): Promise<void>
  /** The values for a monitoring system; null for a value that cannot be determined. */
  facts(): Promise<Facts>
  /** Starts the background work; called when the listeners are open. @returns how the rehearsal of a sale goes */
  start(): Course
  /** Runs a pass over the invoices without a JIR now. */
  sweep(): Promise<void>
  /** Runs a pass over the alerts now. */
  watch(): Promise<void>
  /** Asks the tax authority for the time, and whether its answers can be believed again. */
  ask(): Promise<void>
  stop(): void
  close(): Promise<void>
}

/** Makes one part after the other and puts them together to what the listeners serve: the one place that knows them all. */
export function composeService(deps: ServiceDeps): Service {
  const base = baseOf(deps)
  const { config, store, vault, clock, newUuid, log, lookAtDisk, liveSales } = base
  const machine = createMachineIdentity({
    store,
    clock,
    keep: store.meta,
    // PostgreSQL and the machines of its processes come and go apart from each other.
    facts: config.databaseUrl === null ? machineFacts(deps.host, config.machineId) : [],
  })
  const linkKeys = createLinkKeys(store.meta, vault)
  const gatewayLinks = linksOfGateway(store, vault)
  const serverLinks = linksOfServer(config.receipts?.base ?? null, linkKeys)
  const links = config.role === 'gateway' ? gatewayLinks : serverLinks
  const printing = composePrinting({ ...base, links })
  const { spool } = printing
  const receipts = config.receipts && composeReceiptPages({ ...base, links, keys: linkKeys, drawing: printing.drawing })
  const authority = composeAuthority(base)
  const gateway = config.role === 'gateway' ? composeGatewaySync(base) : null
  const sync = gateway?.useCases ?? noServerAbove()
  const registry = composeRegistry({ ...base, authority, premises: gateway?.premises })
  const { opener, useCases: registered } = registry
  const { changeDevice, changeCompany } = registered
  const server =
    config.role === 'server' ? composeServerSync({ ...base, opener, changeCompany, links: serverLinks }) : null
  const commands = server?.commands ?? noCommands()
  const alerting = composeAlerts({ ...base, spool, authority, machineChanged: machine.changed })
  const { transport } = alerting
  // Alerts depend on it: they need not wait for the next pass.
  authority.onBelieved(() => void alerting.pass())
  const officeMail = composeOfficeMail({ ...base, transport })
  const mails = officeMail.useCases
  const access = composeAccess({ ...base, mails })
  const sales = composeSales({
    ...base,
    authority,
    spool,
    links,
    beforeNumber: async () => gateway?.beforeNumber(),
    onSale: () => gateway?.uplink.nudge(),
    // Such a sale is an alert at once.
    onUnprovenJir: () => void alerting.pass(),
  })
  const { identities, sweeper } = sales
  const sender = createRequestSender({ store, clock, newUuid, authority, identities })
  const hours = createHours({ store, clock, sender })
  const corrections = createCorrections({ store, sender })
  const status = composeStatus({ ...base, spool, authority, identities, sync, machine })
  const doctor = composeDoctor({ ...base, links, spool, authority, sweeper, sync, transport, machine })
  const periods = createPeriodClosing({ store, clock, newUuid })
  const closings = createClosings({
    store,
    clock,
    newUuid,
    periods,
    onFault: (error) => log.error({ err: error }, 'closing a period failed: close it again'),
  })
  const closingSchedules = composeClosingSchedules({ ...base, closings, mails })
  const { retry } = sales.useCases
  const { printCopy } = printing.adminUseCases
  const { revokeApiKey } = access.adminUseCases
  const { requeueFailed } = sales
  const polling =
    gateway &&
    composeGatewayCommands({
      ...base,
      gateway,
      links: gatewayLinks,
      status: status.own,
      useCases: {
        ...registry.commandUseCases,
        retry,
        requeueFailed,
        doctor: doctor.doctor,
        revokeApiKey,
        printCopy,
        hours,
        corrections,
      },
    })
  const tags = createTags({ store, clock })
  const jobs = composeJobs({
    ...base,
    useCases: { changeDevice, retry, printCopy, hours },
    changeTag: tags.change,
    sendCommand: commands.sendCommand,
  })
  const useCases: UseCases = {
    ...sales.useCases,
    ...printing.useCases,
    ...registered,
    ...(server && { changeCompany: server.changeCompany }),
    ...status.useCases,
    now: clock.now,
  }
  const warmUp = createWarmUp({
    steps: () => rehearsedSale({ ...base, authority, identities, log: deps.processLog, useCases }),
    sales: liveSales.begun,
  })
  const background = inOrder([
    authority,
    registry,
    spool,
    gateway,
    server,
    alerting,
    officeMail,
    sweeper,
    periods,
    closingSchedules,
    polling,
    jobs,
    receipts,
    watchDatabase({ store, log, sweep: sweeper.sweep, endReceipts: spool.takeOver }),
    { stop: warmUp.stop, close: warmUp.close },
  ])
  return {
    useCases,
    adminUseCases: {
      ...access.adminUseCases,
      ...registry.adminUseCases,
      ...printing.adminUseCases,
      ...sales.adminUseCases,
      checkInvoice: (...asked) => checkInvoice({ store, sender }, ...asked),
      status: status.status,
      async acceptMachine(principal) {
        const accepted = await machine.accept(principal)
        await alerting.pass()
        return accepted
      },
      ...doctor,
      hours,
      corrections,
      backUp: createBackup({ store, care: store.care, clock, lookAtDisk, config }),
      async requeueFailed(principal, code) {
        const requeued = await requeueFailed(principal, code)
        return { requeued, askedGateways: await commands.requeueFailed(principal, code) }
      },
      gateways: server?.gateways ?? noGateways(),
      commands,
      sync,
    },
    sessions: access.sessions,
    office: {
      ...composeOffice({ ...base, authority, closings, mails, printing }),
      accounts: access.accounts,
      secondFactor: access.secondFactor,
      alerts: alerting.useCases,
      machines: status.machines,
      moneyOf: createMoney({ store, clock, machines: status.machines }),
      overview: status.overview,
      closingSchedules: closingSchedules.useCases,
      jobs: jobs.useCases,
      tags,
      notes: createNotes({ store, clock }),
      hours,
      corrections,
      receiptLinks: receipts?.useCases ?? null,
    },
    receiptPages: receipts?.pages ?? null,
    sync: server,
    identifyCaller: access.identifyCaller,
    identifyOperator: access.identifyOperator,
    recover: composeRecovery(base, { sales, registry, gateway, spool, machine }),
    facts: status.facts,
    start() {
      background.start()
      if (machine.changed()) void alerting.pass()
      return warmUp.start()
    },
    sweep: sweeper.sweep,
    watch: alerting.pass,
    ask: authority.ask,
    stop: background.stop,
    close: background.close,
  }
}
