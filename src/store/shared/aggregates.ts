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

/** The repositories on either database: for a transaction, or with each call on its own. */
export function aggregates(db: Db, makeSales: MakeSales): StoreTransaction {
  const rows = {
    companies: companies(db),
    devices: devices(db),
    certificates: certificates(db),
    numbering: numbering(db),
    invoices: invoices(db),
    lookups: invoiceLookups(db),
    invoiceRanges: invoiceRanges(db),
    figures: figures(db),
    turnover: turnover(db),
    machines: machines(db),
    messages: messages(db),
    printers: printers(db),
    paperRolls: paperRolls(db),
    printJobs: printJobs(db),
    idempotency: idempotency(db),
    moments: clockMarks(db),
    apiKeys: apiKeys(db),
    tenants: tenants(db),
    branding: branding(db),
    logos: logos(db),
    users: users(db),
    sessions: sessions(db),
    passwordLinks: passwordLinks(db),
    recoveryCodes: recoveryCodes(db),
    audit: audit(db),
    leases: leases(db),
    processes: processes(db),
    subjects: subjects(db),
    gateways: gateways(db),
    alerts: alerts(db),
    mails: mails(db),
    officeMails: officeMails(db),
    jobs: jobs(db),
    replicas: replicas(db),
    gatewayCommands: gatewayCommands(db),
    receivedCommands: receivedCommands(db),
    outbox: outbox(db),
    closings: closings(db),
    deviceTags: deviceTags(db),
    savedViews: savedViews(db),
    closingSchedules: closingSchedules(db),
    enrolment: enrolments(db),
  }
  return { ...rows, sales: makeSales(db, rows) }
}
