import { hostname } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { createChainValidator } from '../../certificates/chain.ts'
import { createCertificateOpener } from '../../certificates/opener.ts'
import { createTaxAuthority } from '../../cis/client.ts'
import { isClosedAt } from '../../cis/service-windows.ts'
import { createTrustBundles } from '../../cis/trust/trust-bundles.ts'
import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import { type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import { createApiKey, revokeApiKey } from '../../fiscal/access/api-keys.ts'
import { audit } from '../../fiscal/access/audit-log.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import { findSession, showCode, signIn, signOut } from '../../fiscal/access/sessions.ts'
import { addTenant } from '../../fiscal/access/tenants.ts'
import { addUser, removeUser } from '../../fiscal/access/users.ts'
import { createSightings } from '../../fiscal/alerts/authority-rule.ts'
import { createAuthorityTime } from '../../fiscal/clock/authority-time.ts'
import { authorityChecks } from '../../fiscal/doctor/authority-checks.ts'
import { createDoctor } from '../../fiscal/doctor/doctor.ts'
import { serviceHealth } from '../../fiscal/doctor/service-health.ts'
import { companyCertificates, type GatewayStatus, gatewayStatus } from '../../fiscal/doctor/status.ts'
import { createLease } from '../../fiscal/lease.ts'
import { pageOf } from '../../fiscal/list-page.ts'
import { sequencesEnding } from '../../fiscal/numbering/current-sequences.ts'
import { healNumbers } from '../../fiscal/numbering/heal-numbers.ts'
import { numberStandings } from '../../fiscal/numbering/list-numbers.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { ListenPlace } from '../../fiscal/ports/listen-address.ts'
import type { Device } from '../../fiscal/ports/model.ts'
import { originalsOf, printCopy } from '../../fiscal/printing/print-jobs.ts'
import { printersHealth } from '../../fiscal/printing/printers.ts'
import { cacheVerdicts } from '../../fiscal/registry/cached-chain-verdicts.ts'
import {
  addCertificate,
  listCertificates,
  revokeCertificate,
  revokeListed,
} from '../../fiscal/registry/certificates.ts'
import { addCompany, changeCompany, listCompanies } from '../../fiscal/registry/companies.ts'
import { importDevices } from '../../fiscal/registry/device-import.ts'
import { addDevice, changeDevice, findDevice, listDevices } from '../../fiscal/registry/devices.ts'
import { mustAnswer } from '../../fiscal/registry/new-premises.ts'
import { createSigningIdentities } from '../../fiscal/registry/signing-identities.ts'
import { createAnswerTrust, createAnswerTrustCheck } from '../../fiscal/sales/answer-trust.ts'
import { createFiscalProbe } from '../../fiscal/sales/authority-probe.ts'
import { keepsXml } from '../../fiscal/sales/disk-space.ts'
import { createExpiry } from '../../fiscal/sales/expire.ts'
import { authorizeDevice, createFiscalize } from '../../fiscal/sales/fiscalize.ts'
import { createOnce } from '../../fiscal/sales/idempotency.ts'
import { createLiveSales } from '../../fiscal/sales/live-sales.ts'
import { findInvoice, listInvoices } from '../../fiscal/sales/read-invoices.ts'
import { recoverPending } from '../../fiscal/sales/recover-pending.ts'
import { requeueFailed } from '../../fiscal/sales/requeue-failed.ts'
import { createRetry } from '../../fiscal/sales/retry-by-hand.ts'
import { createSubmitter, isUnreachable } from '../../fiscal/sales/submit.ts'
import { createSweep } from '../../fiscal/sales/sweep.ts'
import { createUnsentInvoices } from '../../fiscal/sales/unsent-invoices.ts'
import type { AdminUseCases, OfficeUseCases, UseCases } from '../../fiscal/use-cases.ts'
import { isDamage } from '../../store/shared/damage.ts'
import { DEFAULT_TENANT, type OpenStore } from '../../store/store.ts'
import { createBackup, removeHalfBackup } from '../backup-restore/backup.ts'
import { removeHalfRestore } from '../backup-restore/restore-copy.ts'
import type { Config } from '../config.ts'
import type { Machine } from '../host/machine.ts'
import { identifyCaller, identifyOperator } from '../http/authenticate.ts'
import { clientNetwork } from '../http/connection-limit.ts'
import { currentLog } from '../lifecycle/current-log.ts'
import { createDiskWatch } from '../lifecycle/disk-watch.ts'
import { createSweeper } from '../lifecycle/sweep-timer.ts'
import { type Facts, readStored } from '../metrics/facts.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { VERSION } from '../version.ts'
import { composeAlerts } from './alerts.ts'
import type { RunningClock } from './clocks.ts'
import { gatewayCommands, noCommands } from './commands.ts'
import { allChecks } from './doctor.ts'
import { createGatewaySync, type GatewaySync, noServerAbove } from './gateway-sync.ts'
import { composeOffice } from './office.ts'
import { createPrinting, printingUseCases } from './printing.ts'
import { composeServerSync, noGateways, type ServerSync } from './server-sync.ts'
import { createSha1Notice } from './sha1-notice.ts'
import { createTrustAdmin } from './trust-admin.ts'

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
  /** What a monitoring system wants to know; null for what cannot be told. */
  facts(): Promise<Facts>
  /** Begins what it does by itself; called when they stand. */
  start(): void
  /** A pass over what lacks a JIR, now. */
  sweep(): Promise<void>
  /** A pass over what people are told of, now. */
  watch(): Promise<void>
  /** Asks the tax authority what nobody else tells: the time, and whether its answers can be believed again. */
  ask(): Promise<void>
  /** Begins nothing new by itself. */
  stop(): void
  close(): Promise<void>
}

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
  metrics: Metrics
  machine: Machine
  /** Where callers are meant to reach the daemon, and whether they do. */
  listened: () => readonly ListenPlace[]
}

const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000
const ASK_EVERY_MS = 60_000

/** Puts the rooms together: the one place that knows them all. */
export function composeService({
  config,
  store,
  vault,
  clock,
  elapsed,
  shown,
  log,
  newUuid,
  newInvoiceId,
  metrics,
  machine,
  listened,
}: ServiceDeps): Service {
  const logNow = () => currentLog(log)
  const chains = createChainValidator()
  const trust = createTrustBundles(config.trustPaths, clock.now)
  const sightings = createSightings(clock)
  // Alerts depend on it: they need not wait for the next pass.
  const beliefs = createAnswerTrust(() => void alerting.pass())
  const authority = sightings.watching(
    beliefs.watching(
      createTaxAuthority({
        ...{ urls: config.cisUrls, proxy: config.cisProxy, sha1Answers: config.sha1Answers },
        ...{ userAgent: `fiskd/${VERSION}`, trust, chains, shown },
        present: (mode) => clock.of(mode).present(),
        heard: (mode, word) => void clock.of(mode).heard(word),
      }),
    ),
  )
  const identities = createSigningIdentities(store, vault)
  const verdicts = cacheVerdicts(chains)
  const reportFault = ({ invoiceId, error }: { invoiceId: string; error: unknown }) =>
    logNow().error({ err: error, invoiceId }, 'an invoice could not be sent')
  const noticeSha1 = createSha1Notice(elapsed, logNow)
  const askForTime = createAuthorityTime({ store, authority, clock, elapsed, deploymentMode: config.deploymentMode })
  const checkBeliefs = createAnswerTrustCheck(store, authority, beliefs)
  const ask = async () => {
    await askForTime()
    await checkBeliefs()
  }
  const askSafely = () =>
    ask().catch((error: unknown) => logNow().error({ err: error }, 'the tax authority could not be asked'))
  let asking: NodeJS.Timeout | undefined
  const lookAtDisk = createDiskWatch(config.dataDir, config.diskFloorBytes, log)
  const submitter = createSubmitter({
    store,
    authority,
    clock,
    newUuid,
    reportFault,
    keepsXml: async () => keepsXml(await lookAtDisk()),
    observe: (attempt) => {
      metrics.attempted(attempt)
      noticeSha1(attempt)
      if (!isUnreachable(attempt.outcome)) sweeper.answered(attempt.mode)
    },
    onStored({ errorCode }) {
      // Such a sale is an alert at once.
      if (errorCode === UNPROVEN_JIR) void alerting.pass()
    },
  })
  const spool = createPrinting({
    ...{ store, clock, elapsed, log, metrics },
    timeIsKnown: () => clock.state().trusted,
  })
  const invoiceLock = store.locks('invoice')
  const liveSales = createLiveSales()
  const waiting = createUnsentInvoices({ store, identities, invoiceLock, clock })
  const lease = createLease({ store, clock }, 'sweep', `${hostname()} ${process.pid} ${newUuid()}`)
  const sweep = createSweep({
    ...{ store, authority, submitter, waiting, invoiceLock, liveSales, lease, reportFault },
  })
  const expire = createExpiry({
    store,
    invoiceLock,
    clock,
    onExpired: ({ id }) =>
      logNow().error({ invoiceId: id }, 'an invoice is past its deadline: it can never be fiscalized'),
  })
  // A disk that takes no writes must not keep anybody from reading.
  const expireOverdue = () =>
    expire().catch((error: unknown) => logNow().error({ err: error }, 'nothing could be expired'))
  const probe = createFiscalProbe(authority, config.deploymentMode, clock)
  const deps = { store, clock, newUuid, chains, trust, revocations: trust, vault, opener: createCertificateOpener() }
  const revokeListedOf = async (mode: Mode) => {
    const revoked = await revokeListed(deps, mode)
    if (revoked > 0) logNow().error({ mode, revoked }, 'certificates were revoked by their issuer')
  }
  const keyLock = store.locks('idempotency key')
  const health = {
    ping: () => store.ping(),
    lookAtDisk,
    lookAtClock: clock.state,
    lookAtPrinters: () => printersHealth([...spool.conditions().values()]),
    countEnding: async () => (await sequencesEnding(store, clock.now())).length,
    report: (problem: string, error: unknown) => logNow().error({ err: error }, problem),
  }
  const fiscalize = createFiscalize({
    ...{ store, identities, submitter, invoiceLock, keyLock, clock, newInvoiceId, lookAtDisk, spool },
  })
  const sweeper = createSweeper({
    async pass(signal, heardFrom) {
      for (const mode of MODES) {
        await store.idempotency.removeBefore(clock.of(mode).proven() - IDEMPOTENCY_LIFETIME_MS, mode)
      }
      await store.idempotency.removeBefore(clock.proven() - IDEMPOTENCY_LIFETIME_MS, null)
      await expireOverdue()
      const result = await sweep(signal, heardFrom)
      metrics.passEnded(clock.now())
      return result
    },
    intervalMs: config.sweepIntervalMs,
    now: clock.now,
    log,
  })
  async function putBack(principal: Principal, code?: FiscalErrorCode): Promise<number> {
    const count = await requeueFailed({ store, invoiceLock, clock }, principal, code)
    if (count > 0) void sweeper.sweep()
    return count
  }
  const sessions: SessionUseCases = {
    signIn: (name, password, caller) =>
      signIn(deps, name, password, { ...caller, network: clientNetwork(caller.address) }),
    showCode: (token, code, caller) => showCode(deps, token, code, caller),
    signOut: (token) => signOut(store, token),
    findSession: (token) => findSession(deps, token),
  }
  const seeing = {
    store,
    identities,
    chains: verdicts,
    trust,
    probe,
    clock,
    lookAtDisk,
    conditions: spool.conditions,
  }
  const askStatus = (tenantId: string, device?: Device): Promise<GatewayStatus> =>
    gatewayStatus({ ...seeing, sync: syncAdmin.status }, tenantId, device)
  const gatewaySync: GatewaySync | null =
    config.role === 'gateway'
      ? createGatewaySync({
          ...{ config, store, vault, now: clock.now, elapsed, log: logNow, newUuid, liveSales },
          status: () => askStatus(DEFAULT_TENANT),
          onGreeted: () => commandPolling?.wake(),
        })
      : null
  const syncAdmin = gatewaySync?.useCases ?? noServerAbove()
  const placing = { ...deps, premises: gatewaySync?.premises }
  const retry = createRetry({ store, submitter, waiting, clock })
  const isClosed = (mode: Mode, at: number) => isClosedAt(config.cisUrls[mode], mode, at)
  const alerting = composeAlerts({
    ...{
      config,
      store,
      clock,
      elapsed,
      log: logNow,
      newUuid,
      lookAtDisk,
      spool,
      sightings,
      beliefs,
      isClosed,
      metrics,
      listened,
    },
    settle: expireOverdue,
  })
  const doctor = createDoctor(
    allChecks({
      ...{ store, spool, clock, lookAtDisk, config, machine, vault, chains, trust, authority, beliefs, sweeper },
      ...{ sync: syncAdmin, transport: alerting.transport, listened },
    }),
  )
  const authorityCheck = createDoctor(
    authorityChecks({ store, authority, clock, beliefs, deploymentMode: config.deploymentMode }),
  )
  const commanded = { ...deps, premises: gatewaySync ? mustAnswer(gatewaySync.premises) : undefined }
  const commandPolling =
    gatewaySync &&
    gatewayCommands({
      ...{ store, vault, clock, log: logNow, connection: gatewaySync.connection, heartbeat: gatewaySync.heartbeat },
      ...{ greeted: gatewaySync.uplink.greeted, socketPath: config.socketPath, env: machine.env },
      onDone: gatewaySync.uplink.nudge,
      useCases: {
        ...{ retry, doctor },
        changeDevice: (by, id, changes, keep) => changeDevice(commanded, by, id, changes, keep),
        addDevice: (by, device, keep) => addDevice(commanded, by, device, keep),
        addCertificate: (by, certificate, keep) => addCertificate(deps, by, certificate, keep),
        revokeApiKey: (by, id, keep) => revokeApiKey(deps, by, id, keep),
        requeueFailed: putBack,
        printCopy: (by, id, keep) => printCopy({ store, clock, spool }, by, id, keep),
      },
    })
  const serverSync =
    config.role === 'server'
      ? composeServerSync({ config, store, clock, log: logNow, newUuid, vault, opener: deps.opener })
      : null
  const commands = serverSync?.commands ?? noCommands()
  const office = {
    ...composeOffice({ ...deps, settle: expireOverdue, overview: { ...seeing, role: config.role, isClosed } }),
    alerts: alerting.useCases,
  }
  async function takeUp(): Promise<void> {
    // Where nobody else can have this database, a lease on it belongs to a process that is gone.
    if (!store.isShared) await store.leases.clear()
    const recovered = await recoverPending(store, invoiceLock)
    if (recovered > 0) logNow().warn({ recovered }, 'sales that were being sent when fiskd stopped will be sent again')
    for (const mode of MODES) await revokeListedOf(mode)
  }
  return {
    useCases: {
      async fiscalize(command) {
        try {
          return await liveSales.run(() => fiscalize(command))
        } finally {
          gatewaySync?.uplink.nudge()
        }
      },
      once: createOnce({ store, keyLock, clock }),
      retry,
      async findInvoice(principal, id) {
        await expireOverdue()
        return findInvoice(store, principal, id)
      },
      async listInvoices(principal, filter, slice) {
        await expireOverdue()
        return listInvoices(store, principal, filter, slice)
      },
      messagesOf: (invoiceId) => store.messages.trail(invoiceId),
      receiptPrints: (invoiceIds) => originalsOf(store, invoiceIds),
      authorizeDevice: (principal, deviceId) => authorizeDevice(store, principal, deviceId),
      noteSeen: (deviceId) => store.devices.seen(deviceId, clock.now()),
      addCompany: (principal, company, keep) => addCompany(deps, principal, company, keep),
      changeCompany: (principal, id, changes, keep, seen) => changeCompany(deps, principal, id, changes, keep, seen),
      listCompanies: (principal, filter, slice) => listCompanies(deps, principal, filter, slice),
      companyCertificates: (ids) => companyCertificates(store, ids, clock.now()),
      addDevice: (principal, device, keep) => addDevice(placing, principal, device, keep),
      changeDevice: (principal, id, changes, keep, seen) => changeDevice(placing, principal, id, changes, keep, seen),
      listDevices: (principal, filter, slice) => listDevices(deps, principal, filter, slice),
      importDevices: (principal, file, keep) => importDevices(placing, principal, file, keep),
      addCertificate: (principal, certificate, keep) => addCertificate(deps, principal, certificate, keep),
      listCertificates: (principal, filter) => listCertificates(deps, principal, filter),
      fiscalHealth: probe.ask,
      health: () => serviceHealth(health),
      now: clock.now,
    },
    adminUseCases: {
      createApiKey: (principal, key, keep) => createApiKey(deps, principal, key, keep),
      listApiKeys: (principal) => store.apiKeys.list(principal.tenantId),
      revokeApiKey: (principal, id, keep) => revokeApiKey(deps, principal, id, keep),
      revokeCertificate: (principal, id, keep) => revokeCertificate(deps, principal, id, keep),
      addUser: (principal, user, keep) => addUser(deps, principal, user, keep),
      listUsers: (principal) => store.users.list(principal.tenantId),
      removeUser: (principal, nameOrId, keep) => removeUser(deps, principal, nameOrId, keep),
      resetUser: office.accounts.reset,
      addTenant: (principal, name) => addTenant(deps, principal, name),
      listTenants: () => store.tenants.list(),
      auditLog: ({ tenantId }, slice) =>
        pageOf(
          slice,
          (wanted) => store.audit.list(tenantId, wanted),
          (entry) => entry,
        ),
      devicesNamed: (principal, labelOrId) => store.devices.named(principal.tenantId, labelOrId),
      doctor,
      authorityCheck,
      backUp: createBackup({ store, care: store.care, clock, lookAtDisk, config }),
      status: async (principal, deviceId) =>
        askStatus(
          principal.tenantId,
          deviceId === undefined ? undefined : await findDevice(store, principal, deviceId),
        ),
      requeueFailed: async (principal, code) => ({
        requeued: await putBack(principal, code),
        askedGateways: await commands.requeueFailed(principal, code),
      }),
      listNumbers: (principal) => numberStandings({ store, clock }, principal),
      healNumbers: (principal, order) => healNumbers({ store, clock }, principal, order),
      sweepState: async () => ({ ...sweeper.state(), queue: await store.invoices.queue() }),
      gateways: serverSync?.gateways ?? noGateways(),
      commands,
      sync: syncAdmin,
      ...printingUseCases({ store, clock, spool, dataDir: config.dataDir }),
      trust: createTrustAdmin(trust, config, async (by, { mode, added, addedLists }) => {
        authority.reload(mode)
        probe.forget()
        if (added.length + addedLists.length > 0) {
          const certificates = added.map(({ subject, fingerprint }) => ({ subject, fingerprint }))
          const revocation_lists = addedLists.map(({ issuer }) => issuer)
          await audit(store, by, clock.now(), 'trust.changed', { mode, certificates, revocation_lists })
        }
        await revokeListedOf(mode)
      }),
    },
    sessions,
    office,
    sync: serverSync,
    identifyCaller: (request) => identifyCaller(request, store, sessions),
    identifyOperator: (request) => identifyOperator(request, store),
    async recover() {
      removeHalfBackup(config.dataDir)
      removeHalfRestore(config.dataDir)
      await takeUp().catch((error: unknown) => {
        if (isDamage(error)) throw error
        // A disk that takes no writes keeps nobody from asking, and the sweep takes it up as soon as it does.
        logNow().error({ err: error }, 'what a crash has left could not be taken up yet')
      })
      await spool.load()
    },
    facts: async () => ({
      stored: await readStored(store, clock.now()).catch(() => null),
      diskFreeBytes: (await lookAtDisk()).freeBytes,
      clock: clock.state(),
      sync: await syncAdmin.status().catch(() => null),
      printers: spool.conditions(),
      alerts: await store.alerts.standing(null).catch(() => null),
    }),
    start() {
      sweeper.start()
      alerting.start()
      gatewaySync?.uplink.start()
      commandPolling?.start()
      void spool.start()
      void askSafely()
      asking = setInterval(askSafely, ASK_EVERY_MS)
    },
    sweep: sweeper.sweep,
    watch: alerting.pass,
    ask,
    stop() {
      clearInterval(asking)
      sweeper.stop()
      alerting.stop()
      serverSync?.stop()
    },
    async close() {
      await sweeper.close()
      await alerting.close()
      await commandPolling?.close()
      await gatewaySync?.uplink.close()
      await gatewaySync?.connection.close()
      await spool.close()
      await authority.close()
    },
  }
}
