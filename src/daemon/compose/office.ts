import { createBranding } from '../../fiscal/access/branding.ts'
import { createPasswordLinks } from '../../fiscal/access/password-links.ts'
import type { ClosingUseCases } from '../../fiscal/closings/closings.ts'
import { createClosingMails, createClosingReceipts } from '../../fiscal/closings/give-closings.ts'
import { readHoursFile, readIsuFile } from '../../fiscal/jobs/device-file.ts'
import type { OfficeMailing } from '../../fiscal/mail/office-mail.ts'
import { createDownloadNotes, createExports } from '../../fiscal/office/export.ts'
import { createFleet } from '../../fiscal/office/fleet.ts'
import { createInvoiceList } from '../../fiscal/office/invoice-list/list-invoices.ts'
import { createModes } from '../../fiscal/office/modes.ts'
import { createRevenue } from '../../fiscal/office/revenue.ts'
import { createSavedViews } from '../../fiscal/office/saved-views.ts'
import { createSearch } from '../../fiscal/office/search.ts'
import { createReceiptMails } from '../../fiscal/printing/give-receipt.ts'
import type { OfficeUseCases } from '../../fiscal/use-cases.ts'
import { clientNetwork } from '../http/connection-limit.ts'
import { dashboardUrlOf } from './alerts.ts'
import type { Authority } from './authority.ts'
import type { Base } from './base.ts'
import type { composePrinting } from './printing.ts'

type OfficeDeps = Base & {
  authority: Authority
  closings: ClosingUseCases
  mails: OfficeMailing
  printing: ReturnType<typeof composePrinting>
}

/** What the dashboard alone needs, beside what other parts have for it. */
export function composeOffice(deps: OfficeDeps) {
  const { config, store, clock, newUuid, log, expireOverdue, closings, mails, printing } = deps
  const { chains, trust } = deps.authority
  const { spool, drawing } = printing
  const { previewReceipt } = printing.adminUseCases
  const fleet = createFleet({ store, clock, chains, trust })
  return {
    fleet,
    branding: createBranding({ store, clock }),
    revenue: createRevenue({ store, clock }),
    modesOf: createModes({ store, clock }),
    search: createSearch({ store, clock, expireOverdue }),
    invoiceList: createInvoiceList({ store, clock, expireOverdue }),
    exports: createExports({ store }),
    noteDownload: createDownloadNotes({ store, clock }),
    savedViews: createSavedViews({ store, clock, newUuid }),
    isuFile: (principal, file) => readIsuFile(fleet, principal, file),
    hoursFile: (principal, file) => readHoursFile(fleet, principal, file),
    closings,
    closingReceipts: createClosingReceipts({ store, clock, spool, drawing, closings }),
    closingMails: createClosingMails({ mails, clock }),
    passwordLinks: createPasswordLinks({
      store,
      clock,
      newUuid,
      mails,
      dashboardUrl: dashboardUrlOf(config),
      networkOf: clientNetwork,
      onFault: (error) => log.warn({ err: error }, 'a mail about a user name could not be sent'),
    }),
    receiptMails: createReceiptMails({ store, clock, mails, previewReceipt }),
  } satisfies Partial<OfficeUseCases>
}
