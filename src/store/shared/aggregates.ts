import type { SaleRows } from '../../fiscal/ports/rows/sales.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { apiKeys, audit, branding, tenants } from './access.ts'
import { alerts } from './alerts.ts'
import { closingSchedules, closings } from './figures/closings.ts'
import { machines } from './figures/machines.ts'
import { figures } from './figures/sales-figures.ts'
import { turnover } from './figures/turnover.ts'
import { idempotency } from './idempotency.ts'
import { authorityRequests } from './invoices/authority-requests.ts'
import { invoiceLookups } from './invoices/invoice-lookups.ts'
import { invoiceRanges } from './invoices/invoice-ranges.ts'
import { invoices } from './invoices/invoices.ts'
import { issued } from './issued.ts'
import { jobs } from './jobs.ts'
import { logos } from './logos.ts'
import { mails, officeMails } from './mails/mails.ts'
import { messages } from './messages.ts'
import { clockMarks, connectionBreaks } from './meta.ts'
import { numbering } from './numbering.ts'
import { receiptLinks } from './office/receipt-links.ts'
import { deviceNotes, deviceTags, savedViews } from './office/tags-notes-views.ts'
import { paperRolls, printers, printJobs } from './printing.ts'
import { leases, processes, subjects } from './processes.ts'
import { certificates, companies, devices } from './registry.ts'
import { enrolments } from './sync/enrolment.ts'
import { gatewayCommands } from './sync/gateway-commands.ts'
import { gateways } from './sync/gateways.ts'
import { outbox } from './sync/outbox.ts'
import { receivedCommands } from './sync/received-commands.ts'
import { replicas } from './sync/replica-writes.ts'
import { passwordLinks, recoveryCodes, sessions, users } from './users.ts'

/** How the way of a sale is stored differs from one kind of database to the other. */
export type MakeSales = (db: Db, rows: Omit<StoreTransaction, 'sales'>) => SaleRows

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
  breaks: connectionBreaks,
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
  authorityRequests,
  deviceTags,
  deviceNotes,
  savedViews,
  closingSchedules,
  receiptLinks,
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
