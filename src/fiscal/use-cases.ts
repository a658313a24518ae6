import type { EpochMs } from '../domain/instant.ts'
import type { FiscalErrorCode } from '../domain/sale/invoice.ts'
import type { Both } from '../domain/texts/both.ts'
import type { AccessAdmin } from './access/access.ts'
import type { AccountUseCases } from './access/accounts.ts'
import type { createBranding } from './access/branding.ts'
import type { createSecondFactor } from './access/own-second-factor.ts'
import type { PasswordLinkUseCases } from './access/password-links.ts'
import type { Principal } from './access/principal.ts'
import type { AlertUseCases } from './alerts/alerts.ts'
import type { createClosingSchedules } from './closings/closing-schedules.ts'
import type { ClosingUseCases } from './closings/closings.ts'
import type { createClosingMails, createClosingReceipts } from './closings/give-closings.ts'
import type { Diagnosis } from './doctor/doctor.ts'
import type { ServiceHealth } from './doctor/service-health.ts'
import type { CompanyCertificate, GatewayStatus } from './doctor/status.ts'
import type { AdminCommands, AdminGateways } from './gateways/gateway-admin.ts'
import type { SyncAdmin } from './gateways/sync-admin.ts'
import type { DeviceFile } from './jobs/device-file.ts'
import type { createJobs } from './jobs/jobs.ts'
import type { createMachines } from './machines/machines.ts'
import type { createNotes } from './machines/notes.ts'
import type { TagUseCases } from './machines/tags.ts'
import type { NumberingAdmin } from './numbering/numbering.ts'
import type { createExports, NoteDownload } from './office/export.ts'
import type { FleetUseCases } from './office/fleet.ts'
import type { createInvoiceList } from './office/invoice-list/list-invoices.ts'
import type { ModesOf } from './office/modes.ts'
import type { createMoney } from './office/money.ts'
import type { createOverview } from './office/overview.ts'
import type { createRevenue } from './office/revenue.ts'
import type { createSavedViews } from './office/saved-views.ts'
import type { createSearch } from './office/search.ts'
import type { Backup } from './ports/database-maintenance.ts'
import type { Device, Invoice } from './ports/model.ts'
import type { MessageTrail, Queue } from './ports/rows/sales.ts'
import type { createReceiptMails } from './printing/give-receipt.ts'
import type { PrintingAdmin, PrintingUseCases } from './printing/printing.ts'
import type { ReceiptUrlOf } from './receipt-links/links.ts'
import type { ViewUseCases } from './receipt-links/views.ts'
import type { WithdrawalUseCases } from './receipt-links/withdrawals.ts'
import type { MachineIdentity } from './registry/machine-identity.ts'
import type { RegistryAdmin, RegistryUseCases } from './registry/registry.ts'
import type { TrustAdmin } from './registry/trust-admin.ts'
import type { checkInvoice } from './requests/check-invoice.ts'
import type { CorrectionUseCases } from './requests/correct-invoice.ts'
import type { HoursUseCases } from './requests/hours.ts'
import type { FiscalHealth } from './sales/authority-probe.ts'
import type { authorizeDevice, Fiscalize } from './sales/fiscalize.ts'
import type { Keep, Once } from './sales/idempotency.ts'
import type { findInvoice, listInvoices } from './sales/read-invoices.ts'
import type { Wired } from './wired.ts'

/** The use cases of the routes, each one the function of the same name in `fiscal/` with its dependencies given. */
export interface UseCases extends RegistryUseCases, PrintingUseCases {
  fiscalize: Fiscalize
  once: Once
  retry(principal: Principal, invoiceId: string, keep: Keep<Invoice>): Promise<Invoice>
  findInvoice: Wired<typeof findInvoice>
  listInvoices: Wired<typeof listInvoices>
  messagesOf(invoiceId: string): Promise<MessageTrail>
  /** What makes the links of invoices. */
  receiptUrls(): Promise<ReceiptUrlOf>
  /** @throws FiskError `mode_mismatch` when the device belongs to a company of the other mode */
  authorizeDevice: Wired<typeof authorizeDevice>
  /** Stores that a device has sent a request, successful or not. */
  noteSeen(deviceId: string): Promise<void>
  /** The certificates that these companies sign with now. */
  companyCertificates(companyIds: string[]): Promise<(companyId: string) => CompanyCertificate>
  fiscalHealth(): Promise<FiscalHealth>
  health(): Promise<ServiceHealth>
  now(): number
}

export interface Requeued {
  /** How many own invoices are back in the queue. */
  requeued: number
  /** How many gateways will requeue theirs with their next poll. */
  askedGateways: number
}

export interface SweepState {
  running: boolean
  endedAt: EpochMs | null
  /** The last pass ended because the tax authority was not reachable. */
  unreachable: boolean
  queue: Queue
}

export interface AdminUseCases extends RegistryAdmin, AccessAdmin, PrintingAdmin, NumberingAdmin {
  /** Resets a user who cannot sign in any more. @throws FiskError 404, `invalid_request` for a short password */
  resetUser: AccountUseCases['reset']
  limitUser: AccountUseCases['limitUser']
  devicesNamed(principal: Principal, labelOrId: string): Promise<Device[]>
  /** @param deviceId also tells whether this device can sell @throws FiskError 404 for an unknown device */
  status(principal: Principal, deviceId?: string): Promise<GatewayStatus>
  doctor(): Promise<Diagnosis>
  /** The part of `doctor` about the tax authority, for use before the first sale. */
  authorityCheck(): Promise<Diagnosis>
  /** @throws FiskError 409 while another backup is running; 500 when there is no room for it or the copy is damaged */
  backUp(principal: Principal): Promise<Backup>
  /** Puts failed invoices back into the queue and starts a sweep, and lets gateways do the same with theirs. */
  requeueFailed(principal: Principal, code?: FiscalErrorCode): Promise<Requeued>
  sweepState(): Promise<SweepState>
  checkInvoice: Wired<typeof checkInvoice>
  /** Device nodes of this machine that could be printers. */
  foundPrinterLines(): Promise<string[]>
  /** Attached printers that no line leads to, and what to do about it. */
  unusablePrinters(): Promise<{ name: string; problem: Both; fix: Both }[]>
  /** Goes on with this machine. @returns how it differs from the one before; null when it does not */
  acceptMachine: MachineIdentity['accept']
  trust: TrustAdmin
  hours: HoursUseCases
  corrections: CorrectionUseCases
  sync: SyncAdmin
  /** For a central server; a gateway has no gateways. */
  gateways: AdminGateways
  commands: AdminCommands
}

/** Of links to receipts: their state and end, and how often they are looked at. */
export type ReceiptLinkUseCases = WithdrawalUseCases & { viewsOf: ViewUseCases['ofCompany'] }

/** The additional use cases of the dashboard and the technician's command. */
export interface OfficeUseCases {
  fleet: FleetUseCases
  machines: ReturnType<typeof createMachines>
  overview: ReturnType<typeof createOverview>
  revenue: ReturnType<typeof createRevenue>
  moneyOf: ReturnType<typeof createMoney>
  modesOf: ModesOf
  branding: ReturnType<typeof createBranding>
  accounts: AccountUseCases
  secondFactor: ReturnType<typeof createSecondFactor>
  alerts: AlertUseCases
  search: ReturnType<typeof createSearch>
  invoiceList: ReturnType<typeof createInvoiceList>
  exports: ReturnType<typeof createExports>
  noteDownload: NoteDownload
  jobs: ReturnType<typeof createJobs>
  tags: TagUseCases
  notes: ReturnType<typeof createNotes>
  hours: HoursUseCases
  corrections: CorrectionUseCases
  savedViews: ReturnType<typeof createSavedViews>
  isuFile(principal: Principal, file: Buffer): Promise<DeviceFile>
  hoursFile(principal: Principal, file: Buffer): Promise<DeviceFile>
  closings: ClosingUseCases
  closingReceipts: ReturnType<typeof createClosingReceipts>
  closingMails: ReturnType<typeof createClosingMails>
  closingSchedules: ReturnType<typeof createClosingSchedules>
  receiptMails: ReturnType<typeof createReceiptMails>
  /** Null where no receipts are shown to customers. */
  receiptLinks: ReceiptLinkUseCases | null
  passwordLinks: PasswordLinkUseCases
}
