import type { CreatedApiKey, NewApiKey } from '../fiscal/api-keys.ts'
import type { CertificateUpload } from '../fiscal/certificates.ts'
import type { NewCompany } from '../fiscal/companies.ts'
import type { DeviceChanges, NewDevice } from '../fiscal/devices.ts'
import type { Fiscalize, Origin } from '../fiscal/fiscalize.ts'
import type { Certificate, Company, Device, Invoice, MessageRecord } from '../fiscal/model.ts'
import type { TrustAdmin } from '../fiscal/ports.ts'
import type { Principal } from '../fiscal/principal.ts'
import type { FiscalHealth } from '../fiscal/probe.ts'
import type { GatewayStatus } from '../fiscal/status.ts'

/** What the routes may do, each the use case of the same name in `fiscal/`, already wired. */
export interface UseCases {
  fiscalize: Fiscalize
  retry(principal: Principal, invoiceId: string): Promise<Invoice>
  findInvoice(principal: Principal, invoiceId: string): Promise<Invoice>
  messagesOf(invoiceId: string): Promise<MessageRecord[]>
  /** @throws FiskError `mode_mismatch` when the device belongs to a company of the other mode */
  greetDevice(principal: Principal, deviceId: string): Promise<Origin | undefined>
  /** A device has posted something, whatever came of it. */
  noteSeen(deviceId: string): Promise<void>
  addCompany(principal: Principal, company: NewCompany): Promise<Company>
  addDevice(principal: Principal, device: NewDevice): Promise<Device>
  changeDevice(principal: Principal, deviceId: string, changes: DeviceChanges): Promise<Device>
  addCertificate(principal: Principal, upload: CertificateUpload): Promise<Certificate>
  fiscalHealth(): Promise<FiscalHealth>
  /** Milliseconds the database takes to answer. @throws when it does not */
  pingDatabase(): Promise<number>
  now(): number
}

/** What only the admin socket may do. */
export interface AdminUseCases {
  createApiKey(principal: Principal, key: NewApiKey): Promise<CreatedApiKey>
  devicesNamed(principal: Principal, labelOrId: string): Promise<Device[]>
  status(): Promise<GatewayStatus>
  trust: TrustAdmin
}
