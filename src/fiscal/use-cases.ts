import type { CertificateStatus } from '../domain/certificate.ts'
import type { EpochMs } from '../domain/instant.ts'
import type { PrinterSettings } from '../domain/printer.ts'
import type { FiscalErrorCode } from '../domain/sale/invoice.ts'
import type { AccountUseCases } from './access/accounts.ts'
import type { CreatedApiKey, NewApiKey } from './access/api-keys.ts'
import type { Principal } from './access/principal.ts'
import type { NewUser } from './access/users.ts'
import type { AlertUseCases } from './alerts/read-alerts.ts'
import type { Diagnosis } from './doctor/doctor.ts'
import type { ServiceHealth } from './doctor/service-health.ts'
import type { CompanyCertificate, GatewayStatus } from './doctor/status.ts'
import type { AdminCommands } from './gateways/command-list.ts'
import type { AdminGateways } from './gateways/gateways.ts'
import type { SyncAdmin } from './gateways/sync-status.ts'
import type { Page } from './list-page.ts'
import type { HealedSequence, HealOrder } from './numbering/heal-numbers.ts'
import type { NumberStanding } from './numbering/list-numbers.ts'
import type { ExportUseCases } from './office/export.ts'
import type { FleetUseCases } from './office/fleet.ts'
import type { OverviewUseCases } from './office/overview.ts'
import type { SearchUseCases } from './office/search.ts'
import type { Backup } from './ports/database-maintenance.ts'
import type {
  ActiveStatus,
  ApiKey,
  AuditEntry,
  Certificate,
  Company,
  Device,
  Invoice,
  PrintJob,
  User,
} from './ports/model.ts'
import type { PrintOutcome } from './ports/printing.ts'
import type { Tenant } from './ports/rows/access.ts'
import type { Slice } from './ports/rows/lists.ts'
import type { DeviceFilter } from './ports/rows/registry.ts'
import type { InvoiceFilter, MessageTrail, Queue } from './ports/rows/sales.ts'
import type { TrustAdmin } from './ports/trust.ts'
import type { PrinterChanges, PrinterView } from './printing/printers.ts'
import type { CertificateUpload } from './registry/certificates.ts'
import type { CompanyChanges, NewCompany } from './registry/companies.ts'
import type { ImportReport, ImportRow, WrongRow } from './registry/device-import.ts'
import type { DeviceChanges, NewDevice } from './registry/devices.ts'
import type { Expected } from './registry/expected-fields.ts'
import type { FiscalHealth } from './sales/authority-probe.ts'
import type { Fiscalize, Origin } from './sales/fiscalize.ts'
import type { Keep, Once } from './sales/idempotency.ts'

/** What the routes may do, each the use case of the same name in `fiscal/`, already wired. */
export interface UseCases {
  fiscalize: Fiscalize
  once: Once
  retry(principal: Principal, invoiceId: string, keep: Keep<Invoice>): Promise<Invoice>
  findInvoice(principal: Principal, invoiceId: string): Promise<Invoice>
  listInvoices(
    principal: Principal,
    filter: Omit<InvoiceFilter, 'tenantId' | 'mode'>,
    slice: Slice,
  ): Promise<Page<Invoice>>
  messagesOf(invoiceId: string): Promise<MessageTrail>
  /** The printing of their originals, by invoice. */
  receiptPrints(invoiceIds: string[]): Promise<Map<string, PrintJob>>
  /** @throws FiskError `mode_mismatch` when the device belongs to a company of the other mode */
  authorizeDevice(principal: Principal, deviceId: string): Promise<Origin | undefined>
  /** A device has posted something, whatever came of it. */
  noteSeen(deviceId: string): Promise<void>
  addCompany(principal: Principal, company: NewCompany, keep: Keep<Company>): Promise<Company>
  changeCompany(
    principal: Principal,
    companyId: string,
    changes: CompanyChanges,
    keep?: Keep<Company>,
    seen?: Expected<Company>,
  ): Promise<Company>
  listCompanies(
    principal: Principal,
    filter: { status?: ActiveStatus | undefined; allTenants: boolean },
    slice: Slice,
  ): Promise<Page<Company>>
  /** What these companies sign with now, by their ids. */
  companyCertificates(companyIds: string[]): Promise<(companyId: string) => CompanyCertificate>
  addDevice(principal: Principal, device: NewDevice, keep: Keep<Device>): Promise<Device>
  changeDevice(
    principal: Principal,
    deviceId: string,
    changes: DeviceChanges,
    keep?: Keep<Device>,
    seen?: Expected<Device>,
  ): Promise<Device>
  listDevices(
    principal: Principal,
    filter: Omit<DeviceFilter, 'id' | 'tenantId' | 'mode'> & { allTenants: boolean },
    slice: Slice,
  ): Promise<Page<Device>>
  importDevices(
    principal: Principal,
    file: { companyId: string; rows: (ImportRow | WrongRow)[]; dryRun: boolean },
    keep: Keep<ImportReport>,
  ): Promise<ImportReport>
  addCertificate(principal: Principal, upload: CertificateUpload, keep: Keep<Certificate>): Promise<Certificate>
  listCertificates(
    principal: Principal,
    filter: { companyId?: string | undefined; status?: CertificateStatus | undefined },
  ): Promise<Certificate[]>
  fiscalHealth(): Promise<FiscalHealth>
  health(): Promise<ServiceHealth>
  now(): number
}

/** What is sent again. */
export interface Requeued {
  /** How many invoices are back in the queue here. */
  requeued: number
  /** How many gateways do it as soon as they ask. */
  askedGateways: number
}

/** How the sweep gets on. */
export interface SweepState {
  running: boolean
  /** When the last pass ended. */
  endedAt: EpochMs | null
  /** The last pass ended because the tax authority could not be reached. */
  unreachable: boolean
  queue: Queue
}

/** What only the admin socket may do. */
export interface AdminUseCases {
  createApiKey(principal: Principal, key: NewApiKey, keep?: Keep<CreatedApiKey>): Promise<CreatedApiKey>
  listApiKeys(principal: Principal): Promise<ApiKey[]>
  revokeApiKey(principal: Principal, keyId: string, keep?: Keep<ApiKey>): Promise<ApiKey>
  revokeCertificate(principal: Principal, certificateId: string, keep?: Keep<Certificate>): Promise<Certificate>
  addUser(principal: Principal, user: NewUser, keep?: Keep<User>): Promise<User>
  listUsers(principal: Principal): Promise<User[]>
  removeUser(principal: Principal, nameOrId: string, keep?: Keep<User>): Promise<User>
  /** Of somebody who cannot sign in any more. @throws FiskError 404, `invalid_request` for a short password */
  resetUser: AccountUseCases['reset']
  addTenant(principal: Principal, name: string): Promise<Tenant>
  listTenants(): Promise<Tenant[]>
  auditLog(principal: Principal, slice: Slice): Promise<Page<AuditEntry>>
  devicesNamed(principal: Principal, labelOrId: string): Promise<Device[]>
  /** @param deviceId whether this device can sell @throws FiskError 404 for an unknown one */
  status(principal: Principal, deviceId?: string): Promise<GatewayStatus>
  doctor(): Promise<Diagnosis>
  /** Of all that, the way to the tax authority and how it signs: before the first sale. */
  authorityCheck(): Promise<Diagnosis>
  /** @throws FiskError 409 while another one is being made; 500 when there is no room for it or it is not whole */
  backUp(principal: Principal): Promise<Backup>
  /** Puts failed invoices back into the queue and has it swept, and has gateways do the same with theirs. */
  requeueFailed(principal: Principal, code?: FiscalErrorCode): Promise<Requeued>
  sweepState(): Promise<SweepState>
  /** How far the receipt numbers have got. @throws FiskError `insufficient_scope` */
  listNumbers(principal: Principal): Promise<NumberStanding[]>
  /** @throws FiskError, see `healNumbers` */
  healNumbers(principal: Principal, order: HealOrder): Promise<HealedSequence[]>
  listPrinters(principal: Principal, look: boolean): Promise<PrinterView[]>
  /** Device nodes of this machine that may be printers. */
  foundPrinterLines(): Promise<string[]>
  setPrinter(principal: Principal, deviceId: string, changes: PrinterChanges): Promise<PrinterView>
  removePrinter(principal: Principal, deviceId: string): Promise<PrinterView>
  testPrinter(principal: Principal, deviceId: string): Promise<PrintOutcome & { printer: PrinterView }>
  printCopy(principal: Principal, invoiceId: string, keep?: Keep<PrintJob>): Promise<PrintJob>
  findPrintJob(principal: Principal, invoiceId: string, copy: number): Promise<PrintJob>
  /** @param columns other paper than that of the device's printer */
  receiptText(principal: Principal, invoiceId: string, columns?: PrinterSettings['columns']): Promise<string>
  /** PNG. */
  receiptPicture(principal: Principal, invoiceId: string, columns?: PrinterSettings['columns']): Promise<Buffer>
  trust: TrustAdmin
  sync: SyncAdmin
  /** Of a central server; a gateway has none. */
  gateways: AdminGateways
  commands: AdminCommands
}

/** What the dashboard and the technician's command show and do beside that. */
export interface OfficeUseCases {
  fleet: FleetUseCases
  overview: OverviewUseCases
  /** What users set about themselves. */
  accounts: AccountUseCases
  alerts: AlertUseCases
  search: SearchUseCases
  exports: ExportUseCases
}
