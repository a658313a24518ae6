import type { FastifyRequest } from 'fastify'
import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import { noCommands, noGateways } from '../../fiscal/gateways/other-role.ts'
import { createTags } from '../../fiscal/machines/tags.ts'
import type { AdminUseCases, OfficeUseCases, UseCases } from '../../fiscal/use-cases.ts'
import { createBackup } from '../backup-restore/backup.ts'
import type { Facts } from '../metrics/facts.ts'
import { rehearsedSale } from '../warm-up/rehearsed-sale.ts'
import { type Course, createWarmUp } from '../warm-up/warm-up.ts'
import { dashboardUrlOf } from './alerts.ts'
import { watchDatabase } from './database-reach.ts'
import { composeJobs } from './jobs.ts'
import { composeOffice } from './office.ts'
import { composeParts, type ServiceDeps } from './parts.ts'
import { composeRecovery } from './recovery.ts'
import type { ServerSync } from './server-sync.ts'

/** What the listeners serve. */
export interface Service {
  useCases: UseCases
  adminUseCases: AdminUseCases
  sessions: SessionUseCases
  /** What the dashboard alone needs. */
  office: OfficeUseCases
  /** What a central server does for its gateways; null for a gateway. */
  sync: Pick<ServerSync, 'routes'> | null
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
  /** Starts no new background work. */
  stop(): void
  close(): Promise<void>
}

/** Puts the parts together to what the listeners serve. */
export function composeService(deps: ServiceDeps): Service {
  const { config, store, clock } = deps
  const { dataDir } = config
  const parts = composeParts(deps)
  const { access, alerting, authority, closings, closingSchedules, expireOverdue, gateway, liveSales, log } = parts
  const { lookAtDisk, machine, polling } = parts
  const { doctor, officeMail, printing, registry, sales, server, status, sync } = parts
  const commands = server?.commands ?? noCommands()
  const tags = createTags({ store, clock })
  const jobs = composeJobs({
    store,
    clock,
    newUuid: deps.newUuid,
    log,
    useCases: {
      changeDevice: registry.useCases.changeDevice,
      retry: sales.useCases.retry,
      printCopy: printing.adminUseCases.printCopy,
    },
    changeTag: tags.change,
    sendCommand: commands.sendCommand,
  })
  const useCases: UseCases = {
    ...sales.useCases,
    ...printing.useCases,
    ...registry.useCases,
    ...status.useCases,
    now: clock.now,
  }
  const warmUp = createWarmUp({
    steps: () =>
      rehearsedSale({ store, clock, authority, identities: sales.identities, lookAtDisk, log: deps.log, useCases }),
    sales: liveSales.begun,
  })
  let unwatch = () => {}
  return {
    useCases,
    adminUseCases: {
      ...access.adminUseCases,
      ...registry.adminUseCases,
      ...printing.adminUseCases,
      ...sales.adminUseCases,
      status: status.status,
      async acceptMachine(principal) {
        const accepted = await machine.accept(principal)
        await alerting.pass()
        return accepted
      },
      ...doctor,
      backUp: createBackup({ store, care: store.care, clock, lookAtDisk, config }),
      requeueFailed: async (principal, code) => {
        const requeued = await sales.requeueFailed(principal, code)
        const asked = await commands.requeueFailed(principal, code)
        return { requeued, askedGateways: asked.gateways, commands: asked.commands }
      },
      gateways: server?.gateways ?? noGateways(),
      commands,
      sync,
    },
    sessions: access.sessions,
    office: composeOffice({
      store,
      clock,
      authority,
      access,
      alerting,
      status,
      closings,
      closingSchedules,
      mails: officeMail.useCases,
      previewReceipt: printing.adminUseCases.previewReceipt,
      expireOverdue,
      jobs: jobs.useCases,
      tags,
      ...{ newUuid: deps.newUuid, dashboardUrl: dashboardUrlOf(config), log },
    }),
    sync: server,
    identifyCaller: access.identifyCaller,
    identifyOperator: access.identifyOperator,
    recover: composeRecovery({ dataDir, store, log, sales, registry, gateway, spool: printing.spool, machine }),
    facts: status.facts,
    start() {
      unwatch = watchDatabase({ store, log, sweep: sales.sweeper.sweep, endReceipts: printing.spool.takeOver })
      sales.sweeper.start()
      alerting.start()
      if (machine.changed()) void alerting.pass()
      jobs.start()
      officeMail.start()
      closingSchedules.start()
      gateway?.serverFirst.begin()
      gateway?.uplink.start()
      polling?.start()
      void printing.spool.start()
      authority.start()
      registry.start()
      return warmUp.start()
    },
    sweep: sales.sweeper.sweep,
    watch: alerting.pass,
    ask: authority.ask,
    stop() {
      unwatch()
      warmUp.stop()
      authority.stop()
      registry.stop()
      sales.sweeper.stop()
      alerting.stop()
      jobs.stop()
      officeMail.stop()
      closingSchedules.stop()
      server?.stop()
    },
    async close() {
      await warmUp.close()
      await closings.periods.close()
      await closingSchedules.close()
      await sales.sweeper.close()
      await alerting.close()
      await jobs.close()
      await officeMail.close()
      await polling?.close()
      await gateway?.uplink.close()
      await gateway?.connection.close()
      await printing.spool.close()
      await authority.close()
    },
  }
}
