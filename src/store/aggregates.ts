import type { StoreTransaction } from '../fiscal/ports/store.ts'
import { alerts } from './alerts.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { certificates } from './certificates.ts'
import { companies } from './companies.ts'
import type { Db } from './connection.ts'
import { devices } from './devices.ts'
import { enrolments } from './enrolment.ts'
import { figures } from './figures.ts'
import { gatewayCommands } from './gateway-commands.ts'
import { gateways } from './gateways.ts'
import { idempotency } from './idempotency.ts'
import { invoiceLookups } from './invoice-lookups.ts'
import { invoices } from './invoices.ts'
import { leases } from './leases.ts'
import { mails } from './mails.ts'
import { messages } from './messages.ts'
import { moments } from './moments.ts'
import { numbering } from './numbering.ts'
import { outbox } from './outbox.ts'
import { printJobs } from './print-jobs.ts'
import { printers } from './printers.ts'
import { receivedCommands } from './received-commands.ts'
import { replicas } from './replicas.ts'
import { tenants } from './tenants.ts'
import { sessions, users } from './users.ts'

/** What is stored, on either database: in a transaction, or each call by itself. */
export function aggregates(db: Db): StoreTransaction {
  return {
    companies: companies(db),
    devices: devices(db),
    certificates: certificates(db),
    numbering: numbering(db),
    invoices: invoices(db),
    lookups: invoiceLookups(db),
    figures: figures(db),
    messages: messages(db),
    printers: printers(db),
    printJobs: printJobs(db),
    idempotency: idempotency(db),
    moments: moments(db),
    apiKeys: apiKeys(db),
    tenants: tenants(db),
    users: users(db),
    sessions: sessions(db),
    audit: audit(db),
    leases: leases(db),
    gateways: gateways(db),
    alerts: alerts(db),
    mails: mails(db),
    replicas: replicas(db),
    gatewayCommands: gatewayCommands(db),
    receivedCommands: receivedCommands(db),
    outbox: outbox(db),
    enrolment: enrolments(db),
  }
}
