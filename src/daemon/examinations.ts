import { createCertificateInspector } from '../certificates/inspector.ts'
import { isOfficial } from '../cis/addresses.ts'
import { KNOWN_AUTHORITIES } from '../cis/known-authorities.ts'
import type { TrustBundleFiles } from '../cis/trust-bundles.ts'
import type { MailTransport } from '../fiscal/alert-port.ts'
import { authorityExaminations } from '../fiscal/authority-examinations.ts'
import { backupExaminations } from '../fiscal/backup-examinations.ts'
import type { Beliefs } from '../fiscal/beliefs.ts'
import { certificateExaminations } from '../fiscal/certificate-examinations.ts'
import { configurationExaminations } from '../fiscal/configuration-examinations.ts'
import { databaseExaminations } from '../fiscal/database-examinations.ts'
import type { Examination } from '../fiscal/doctor.ts'
import { listenExaminations } from '../fiscal/listen-examinations.ts'
import type { ListenPlace } from '../fiscal/listen-port.ts'
import { mailExaminations } from '../fiscal/mail-examinations.ts'
import { numberExaminations } from '../fiscal/number-examinations.ts'
import type { ChainValidator, DatabaseCare, ServiceReach, TaxAuthority, TrustCare, Vault } from '../fiscal/ports.ts'
import { printerExaminations } from '../fiscal/printer-examinations.ts'
import type { Spool } from '../fiscal/printing-port.ts'
import { queueExaminations } from '../fiscal/queue-examinations.ts'
import { receiptExaminations } from '../fiscal/receipt-examinations.ts'
import type { LookAtDisk } from '../fiscal/room.ts'
import { setupExaminations } from '../fiscal/setup-examinations.ts'
import type { Store } from '../fiscal/store-port.ts'
import type { SyncAdmin } from '../fiscal/sync-admin.ts'
import { syncExaminations } from '../fiscal/sync-examinations.ts'
import { trustExaminations } from '../fiscal/trust-examinations.ts'
import type { RunningClock } from './clock-start.ts'
import type { Config } from './config.ts'
import { hostExaminations } from './host/examinations.ts'
import type { Machine } from './host/machine.ts'
import { serverCertificateExaminations } from './server-certificate-examinations.ts'
import type { Sweeper } from './sweeper.ts'

export interface ExaminedDeps {
  store: Store & { care: DatabaseCare }
  spool: Spool
  clock: RunningClock
  lookAtDisk: LookAtDisk
  config: Config
  machine: Machine
  vault: Vault
  chains: ChainValidator
  trust: TrustBundleFiles
  authority: TaxAuthority & ServiceReach
  beliefs: Pick<Beliefs, 'lastSignature'>
  sweeper: Sweeper
  sync: SyncAdmin
  /** Null without a mail server. */
  transport: MailTransport | null
  listened: () => readonly ListenPlace[]
}

/** Everything that the doctor looks at, in the order in which it is told. */
export function examinations(deps: ExaminedDeps): Examination[] {
  const { store, spool, clock, lookAtDisk, config, machine, vault, chains, trust, authority, beliefs, sweeper, sync } =
    deps
  const { transport } = deps
  const { deploymentMode, unknownVariables } = config
  const known: TrustCare['known'] = (mode) =>
    isOfficial(mode, config.cisUrls[mode]) ? [...KNOWN_AUTHORITIES[mode]] : []
  const sweep = { state: sweeper.state, intervalMs: config.sweepIntervalMs, since: clock.now() }
  const inspector = createCertificateInspector()
  return [
    ...databaseExaminations({ store, care: store.care, lookAtDisk, clock }),
    ...numberExaminations({ store, clock }),
    ...hostExaminations(config, machine),
    ...configurationExaminations({ store, configuration: { deploymentMode, unknownVariables } }),
    ...trustExaminations({ store, trust: { ...trust, known }, clock, deploymentMode }),
    ...authorityExaminations({ store, authority, clock, beliefs, deploymentMode }),
    ...setupExaminations(store),
    ...certificateExaminations({ store, vault, inspector, chains, trust, clock }),
    ...queueExaminations({ store, authority, clock, sweep }),
    ...(config.role === 'gateway' ? syncExaminations({ sync, clock }) : []),
    ...mailExaminations({ store, transport, alertTo: config.alerts, role: config.role }),
    ...backupExaminations({ store, care: store.care, clock }),
    ...listenExaminations(deps.listened),
    ...serverCertificateExaminations(config, clock),
    ...printerExaminations({ store, spool, clock }),
    ...receiptExaminations(store),
  ]
}
