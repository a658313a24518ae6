import type { Logger } from 'pino'
import { createBranding } from '../../fiscal/access/branding.ts'
import { createPasswordLinks } from '../../fiscal/access/password-links.ts'
import { readIsuFile } from '../../fiscal/jobs/isu-file.ts'
import type { JobUseCases } from '../../fiscal/jobs/jobs.ts'
import type { TagUseCases } from '../../fiscal/machines/tags.ts'
import type { OfficeMailing } from '../../fiscal/mail/office-mail.ts'
import { createDownloadNotes } from '../../fiscal/office/downloads.ts'
import { createExports } from '../../fiscal/office/export.ts'
import { createFleet } from '../../fiscal/office/fleet.ts'
import { createInvoiceList } from '../../fiscal/office/invoice-list/list-invoices.ts'
import { createModes } from '../../fiscal/office/modes.ts'
import { createRevenue } from '../../fiscal/office/revenue.ts'
import { createSavedViews } from '../../fiscal/office/saved-views.ts'
import { createSearch } from '../../fiscal/office/search.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { createReceiptMails } from '../../fiscal/printing/mail-receipt.ts'
import type { AdminUseCases, OfficeUseCases } from '../../fiscal/use-cases.ts'
import { clientNetwork } from '../http/connection-limit.ts'
import type { Access } from './access.ts'
import type { Alerting } from './alerts.ts'
import type { Authority } from './authority.ts'
import type { RunningClock } from './clocks.ts'
import type { ClosingSchedules } from './closing-schedules.ts'
import type { Closings } from './closings.ts'
import type { Status } from './status.ts'

export interface OfficeDeps {
  store: Store
  clock: RunningClock
  authority: Pick<Authority, 'chains' | 'trust'>
  access: Pick<Access, 'accounts' | 'secondFactor'>
  alerting: Pick<Alerting, 'useCases'>
  status: Pick<Status, 'machines' | 'overview'>
  closings: Pick<Closings, 'useCases' | 'receipts' | 'mails'>
  closingSchedules: Pick<ClosingSchedules, 'useCases'>
  mails: OfficeMailing
  previewReceipt: AdminUseCases['previewReceipt']
  /** Brings statuses up to date that change by time alone. */
  expireOverdue: () => Promise<void>
  jobs: JobUseCases
  tags: TagUseCases
  newUuid: () => string
  dashboardUrl: string
  log: () => Pick<Logger, 'warn'>
}

/** What the dashboard alone needs. */
export function composeOffice({
  store,
  clock,
  authority,
  access,
  alerting,
  status,
  closings,
  closingSchedules,
  mails,
  previewReceipt,
  expireOverdue,
  jobs,
  tags,
  newUuid,
  dashboardUrl,
  log,
}: OfficeDeps): OfficeUseCases {
  const { chains, trust } = authority
  const fleet = createFleet({ store, clock, chains, trust })
  return {
    accounts: access.accounts,
    secondFactor: access.secondFactor,
    alerts: alerting.useCases,
    fleet,
    machines: status.machines,
    overview: status.overview,
    branding: createBranding({ store, clock }),
    revenue: createRevenue({ store, clock }),
    modesOf: createModes({ store, clock }),
    search: createSearch({ store, clock, expireOverdue }),
    invoiceList: createInvoiceList({ store, clock, expireOverdue }),
    exports: createExports({ store }),
    noteDownload: createDownloadNotes({ store, clock }),
    jobs,
    tags,
    savedViews: createSavedViews({ store, clock, newUuid }),
    isuFile: (principal, file) => readIsuFile(fleet, principal, file),
    closings: closings.useCases,
    closingReceipts: closings.receipts,
    closingMails: closings.mails,
    passwordLinks: createPasswordLinks({
      ...{ store, clock, newUuid, mails, dashboardUrl, networkOf: clientNetwork },
      onFault: (error) => log().warn({ err: error }, 'a mail about a user name could not be sent'),
    }),
    closingSchedules: closingSchedules.useCases,
    receiptMails: createReceiptMails({ store, clock, mails, previewReceipt }),
  }
}
