import { createCertificateInspector } from '../../certificates/inspector.ts'
import { isOfficial } from '../../cis/service-windows.ts'
import { KNOWN_AUTHORITIES } from '../../cis/trust/trust-fetch.ts'
import { unprovenHosts } from '../../domain/database-url.ts'
import { closingChecks } from '../../fiscal/closings/verify-closing.ts'
import { authorityChecks } from '../../fiscal/doctor/authority-checks.ts'
import { certificateChecks } from '../../fiscal/doctor/certificate-checks.ts'
import { databaseChecks } from '../../fiscal/doctor/database-checks.ts'
import { databaseLineChecks } from '../../fiscal/doctor/database-line-check.ts'
import { createDoctor, type HealthCheck } from '../../fiscal/doctor/doctor.ts'
import { backupChecks } from '../../fiscal/doctor/durability-checks.ts'
import { findingChecks } from '../../fiscal/doctor/finding-checks.ts'
import { mailChecks } from '../../fiscal/doctor/mail-checks.ts'
import { numberChecks } from '../../fiscal/doctor/number-checks.ts'
import { filesInPlaceChecks, permissionChecks } from '../../fiscal/doctor/own-files-checks.ts'
import { printerChecks } from '../../fiscal/doctor/printer-checks.ts'
import {
  configurationChecks,
  listenChecks,
  processChecks,
  servingProcessChecks,
} from '../../fiscal/doctor/process-checks.ts'
import { queueChecks } from '../../fiscal/doctor/queue-checks.ts'
import { receiptChecks } from '../../fiscal/doctor/receipt-checks.ts'
import { serverCertificateChecks } from '../../fiscal/doctor/server-certificate-checks.ts'
import { settingChecks } from '../../fiscal/doctor/setting-checks.ts'
import { setupChecks } from '../../fiscal/doctor/setup-checks.ts'
import { storageChecks } from '../../fiscal/doctor/storage-checks.ts'
import { syncChecks } from '../../fiscal/doctor/sync-checks.ts'
import { trustChecks } from '../../fiscal/doctor/trust-checks.ts'
import type { SyncAdmin } from '../../fiscal/gateways/sync-admin.ts'
import type { MailTransport } from '../../fiscal/ports/mail.ts'
import type { Spool } from '../../fiscal/ports/printing.ts'
import type { TrustCare } from '../../fiscal/ports/trust.ts'
import type { ReceiptLinks } from '../../fiscal/receipt-links/links.ts'
import type { MachineIdentity } from '../../fiscal/registry/machine-identity.ts'
import { dataDisk } from '../host/data-disk.ts'
import { thisProcess } from '../host/machine.ts'
import { ownFiles } from '../host/own-files.ts'
import { servedCertificates } from '../host/served-certificates.ts'
import type { createSweeper } from '../lifecycle/sweep-timer.ts'
import type { Authority } from './authority.ts'
import type { Base } from './base.ts'

export type DoctorDeps = Base & {
  spool: Spool
  authority: Authority
  sweeper: ReturnType<typeof createSweeper>
  sync: SyncAdmin
  links: ReceiptLinks
  /** Null without a mail server. */
  transport: MailTransport | null
  machine: MachineIdentity
}

/** The doctor, and of all that it looks at the way to the tax authority alone. */
export function composeDoctor(deps: DoctorDeps) {
  const { store, clock, config } = deps
  const { authority, beliefs } = deps.authority
  const { deploymentMode } = config
  return {
    doctor: createDoctor(allChecks(deps)),
    authorityCheck: createDoctor(authorityChecks({ store, authority, clock, beliefs, deploymentMode })),
  }
}

function allChecks(deps: DoctorDeps): HealthCheck[] {
  const { store, spool, clock, lookAtDisk, config, host, vault, sweeper, sync, transport } = deps
  const { authority, chains, trust, beliefs } = deps.authority
  const { deploymentMode, unknownVariables } = config
  const known: TrustCare['known'] = (mode) =>
    isOfficial(mode, config.cisUrls[mode]) ? [...KNOWN_AUTHORITIES[mode]] : []
  const sweep = { state: sweeper.state, intervalMs: config.sweepIntervalMs, since: clock.now() }
  const inspector = createCertificateInspector()
  const files = ownFiles(config)
  return [
    ...databaseChecks({ store, care: store.care, lookAtDisk, clock }),
    ...databaseLineChecks(unprovenHosts(config.databaseUrl ?? '')),
    ...numberChecks({ store, clock, issued: deps.issued }),
    ...closingChecks(store),
    ...permissionChecks(files),
    ...filesInPlaceChecks(files),
    ...storageChecks(dataDisk(config.dataDir, host)),
    ...deps.machine.checks,
    ...processChecks(thisProcess(host)),
    ...servingProcessChecks({ store, clock, wanted: config.processes }),
    ...configurationChecks({ store, configuration: { deploymentMode, unknownVariables } }),
    ...trustChecks({ store, trust: { ...trust, known }, clock, deploymentMode }),
    ...authorityChecks({ store, authority, clock, beliefs, deploymentMode }),
    ...setupChecks(store, config.role),
    ...settingChecks(store, deps.links),
    ...certificateChecks({ store, vault, inspector, chains, trust, clock }),
    ...findingChecks(store),
    ...queueChecks({ store, authority, clock, sweep }),
    ...(config.role === 'gateway' ? syncChecks({ store, sync, clock }) : []),
    ...mailChecks({ store, transport, alertTo: config.alerts, role: config.role }),
    ...backupChecks({ store, care: store.care, clock }),
    ...listenChecks(deps.listened),
    ...serverCertificateChecks(servedCertificates(config), clock),
    ...printerChecks({ store, spool, clock }),
    ...receiptChecks(store),
  ]
}
