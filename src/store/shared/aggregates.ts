import type { SaleRows } from '../../fiscal/ports/rows/sales.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { alerts } from './alerts.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { certificates } from './certificates.ts'
import { clockMarks } from './clock-marks.ts'
import { companies } from './companies.ts'
import { devices } from './devices.ts'
import { closings } from './figures/closings.ts'
import { machines } from './figures/machines.ts'
import { figures } from './figures/sales-figures.ts'
import { turnover } from './figures/turnover.ts'
import { idempotency } from './idempotency.ts'
import { invoiceLookups } from './invoices/invoice-lookups.ts'
import { invoiceRanges } from './invoices/invoice-ranges.ts'
import { invoices } from './invoices/invoices.ts'
import { issued } from './issued.ts'
import { jobs } from './jobs.ts'
import { logos } from './logos.ts'
import { mails } from './mails/alert-mails.ts'
import { closingSchedules } from './mails/closing-schedules.ts'
import { officeMails } from './mails/office-mails.ts'
import { messages } from './messages.ts'
import { numbering } from './numbering.ts'
import { deviceTags } from './office/device-tags.ts'
import { savedViews } from './office/saved-views.ts'
import { passwordLinks } from './password-links.ts'
import { paperRolls } from './printing/paper-rolls.ts'
import { printJobs } from './printing/print-jobs.ts'
import { printers } from './printing/printers.ts'
import { leases } from './processes/leases.ts'
import { processes } from './processes/processes.ts'
import { subjects } from './processes/subjects.ts'
import { recoveryCodes } from './recovery-codes.ts'
import { enrolments } from './sync/enrolment.ts'
import { gatewayCommands } from './sync/gateway-commands.ts'
import { gateways } from './sync/gateways.ts'
import { outbox } from './sync/outbox.ts'
import { receivedCommands } from './sync/received-commands.ts'
import { replicas } from './sync/replicas.ts'
import { branding, tenants } from './tenants.ts'
import { sessions, users } from './users.ts'

/** How the way of a sale is stored differs from one kind of database to the other. */
export type MakeSales = (db: Db, rows: Omit<StoreTransaction, 'sales'>) => SaleRows

/** What makes each repository, on either database. */
const MAKERS = {
  companies,
  devices,
  certificates,
  numbering,
  invoices,
  lookups: invoiceLookups,
  invoiceRanges,
  figures,
  turnover,
  machines,
  messages,
  printers,
  paperRolls,
  printJobs,
  idempotency,
  issued,
  moments: clockMarks,
  apiKeys,
  tenants,
  branding,
  logos,
  users,
  sessions,
  passwordLinks,
  recoveryCodes,
  audit,
  leases,
  processes,
  subjects,
  gateways,
  alerts,
  mails,
  officeMails,
  jobs,
  replicas,
  gatewayCommands,
  receivedCommands,
  outbox,
  closings,
  deviceTags,
  savedViews,
  closingSchedules,
  enrolment: enrolments,
} satisfies { [name in keyof Repositories]: (db: Db) => Repositories[name] }

type Repositories = Omit<StoreTransaction, 'sales'>

/** The repositories, with each call on its own. */
export function aggregates(db: Db, makeSales: MakeSales): StoreTransaction {
  const made = Object.entries(MAKERS).map(([name, make]) => [name, make(db)])
  const rows = Object.fromEntries(made) as Repositories
  return { ...rows, sales: makeSales(db, rows) }
}

/** For a transaction: each repository is made when it is first asked for. A sale needs hardly any of some forty. */
export function aggregatesInUse(db: Db, makeSales: MakeSales): StoreTransaction {
  const rows = new InUse(db) as unknown as StoreTransaction
  rows.sales = makeSales(db, rows)
  return rows
}

class InUse {
  readonly #db: Db
  readonly #made: Record<string, unknown> = {}

  constructor(db: Db) {
    this.#db = db
  }

  static {
    for (const [name, make] of Object.entries(MAKERS)) {
      Object.defineProperty(InUse.prototype, name, {
        get(this: InUse) {
          this.#made[name] ??= make(this.#db)
          return this.#made[name]
        },
      })
    }
  }
}
