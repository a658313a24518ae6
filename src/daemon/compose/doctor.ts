import { createCertificateInspector } from '../../certificates/inspector.ts'
import { isOfficial } from '../../cis/addresses.ts'
import { KNOWN_AUTHORITIES } from '../../cis/trust/known-authorities.ts'
import type { TrustBundleFiles } from '../../cis/trust/trust-bundles.ts'
import { authorityExaminations } from '../../fiscal/doctor/authority-checks.ts'
import { backupExaminations } from '../../fiscal/doctor/backup-checks.ts'
import { certificateExaminations } from '../../fiscal/doctor/certificate-checks.ts'
import { configurationExaminations } from '../../fiscal/doctor/configuration-checks.ts'
import { databaseExaminations } from '../../fiscal/doctor/database-checks.ts'
import type { Examination } from '../../fiscal/doctor/doctor.ts'
import { listenExaminations } from '../../fiscal/doctor/listen-checks.ts'
import { mailExaminations } from '../../fiscal/doctor/mail-checks.ts'
import { numberExaminations } from '../../fiscal/doctor/number-checks.ts'
import { printerExaminations } from '../../fiscal/doctor/printer-checks.ts'
import { queueExaminations } from '../../fiscal/doctor/queue-checks.ts'
import { receiptExaminations } from '../../fiscal/doctor/receipt-checks.ts'
import { setupExaminations } from '../../fiscal/doctor/setup-checks.ts'
import { syncExaminations } from '../../fiscal/doctor/sync-checks.ts'
import { trustExaminations } from '../../fiscal/doctor/trust-checks.ts'
import type { SyncAdmin } from '../../fiscal/gateways/sync-status.ts'
import type { ListenPlace } from '../../fiscal/ports/listen-address.ts'
import type { MailTransport } from '../../fiscal/ports/mail.ts'
import type {
  ChainValidator,
  DatabaseCare,
  ServiceReach,
  TaxAuthority,
  TrustCare,
  Vault,
} from '../../fiscal/ports/ports.ts'
import type { Spool } from '../../fiscal/ports/printing.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { Beliefs } from '../../fiscal/sales/answer-trust.ts'
import type { LookAtDisk } from '../../fiscal/sales/disk-space.ts'
import type { Config } from '../config.ts'
import { hostExaminations } from '../host/host-checks.ts'
import type { Machine } from '../host/machine.ts'
import { serverCertificateExaminations } from '../host/server-certificate-checks.ts'
import type { Sweeper } from '../lifecycle/sweep-timer.ts'
import type { RunningClock } from './clocks.ts'

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
