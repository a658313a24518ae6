import type { EpochMs } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { ActiveStatus, Certificate, Company, Device, IsuStatus } from '../model.ts'
import type { Realm, Slice } from './lists.ts'

export interface CompanyFilter extends Realm {
  id?: string | undefined
  status?: ActiveStatus | undefined
}

export interface DeviceFilter extends Realm {
  /** Only own rows, without rows from gateways. */
  ours?: true | undefined
  id?: string | undefined
  companyId?: string | undefined
  premisesCode?: string | undefined
  isuStatus?: IsuStatus | undefined
  status?: ActiveStatus | undefined
  /** Only rows from this gateway. */
  gatewayId?: string | undefined
  /** A part of its label or address, or its whole premises code or ISU number. */
  text?: string | undefined
}

/** The number of devices of a company with these properties. */
export interface DeviceCount extends Pick<Device, 'gatewayId' | 'status' | 'isuStatus'> {
  count: number
}

export interface CertificateFilter extends Realm {
  /** Only own rows, without rows from gateways. */
  ours?: true | undefined
  companyId?: string | undefined
}

export interface CertificateInUse extends Pick<Certificate, 'companyId' | 'serial' | 'notAfter'> {
  /** Where it signs; `LOCAL_GATEWAY` for here. */
  gatewayId: string
}

export interface CompanyRows {
  /** A new company has no logo unless it is named. */
  insert(company: Omit<Company, 'logoHash'> & Partial<Pick<Company, 'logoHash'>>): Promise<void>
  get(id: string): Promise<Company | undefined>
  byOib(tenantId: string, oib: string): Promise<Company | undefined>
  /**
   * The id that a company has, or will have, in a tenant. It is the given id, which is derived from the OIB, or another
   * one where the given id belongs to the company of another tenant. The id of a stored company never changes.
   */
  idWithin(tenantId: string, companyId: string): Promise<string>
  /** Whether this database has an own company with this OIB in another tenant that is not archived. */
  isOursElsewhere(tenantId: string, oib: string): Promise<boolean>
  all(): Promise<Company[]>
  /** Own companies, which this database sells for, without companies from gateways. */
  ours(): Promise<Company[]>
  /** The modes of own companies that are active. */
  activeModes(): Promise<Mode[]>
  /** The oldest first. */
  list(filter: CompanyFilter, slice: Slice): Promise<Company[]>
  update(id: string, changes: Partial<Omit<Company, 'id' | 'tenantId' | 'oib' | 'createdAt'>>): Promise<void>
}

/** The logos on receipts, each stored once and for ever. */
export interface LogoRows {
  /** @returns its hash */
  put(file: Buffer): Promise<string>
  get(hash: string): Promise<Buffer | undefined>
}

export interface DeviceRows {
  insert(device: Device): Promise<void>
  get(id: string): Promise<Device | undefined>
  /** Finds devices by id or by label; several companies may use the same label. */
  named(tenantId: string, labelOrId: string): Promise<Device[]>
  /** An own device with this label. Labels of gateways' devices are compared by `Gateways.conflicts`. */
  labelled(companyId: string, label: string): Promise<Device | undefined>
  withIsuNumber(isuNumber: string): Promise<Device | undefined>
  /** The oldest first. */
  list(filter: DeviceFilter, slice: Slice): Promise<Device[]>
  counts(companyId: string): Promise<DeviceCount[]>
  update(id: string, changes: Partial<Omit<Device, 'id' | 'companyId' | 'tenantId' | 'premisesCode'>>): Promise<void>
  /** Stores that an own device has sent a request. For other devices only their gateway reports this. */
  seen(id: string, at: EpochMs): Promise<void>
  /** Counts active devices; `lastSuccessAt` is the moment of the latest JIR. */
  summary(): Promise<{ total: number; withoutIsu: number; lastSuccessAt: EpochMs | null }>
}

export interface CertificateRows {
  insert(certificate: Certificate): Promise<void>
  get(id: string): Promise<Certificate | undefined>
  /** The gateway that sent it; `LOCAL_GATEWAY` for an own certificate. */
  ownerOf(id: string): Promise<string>
  /** What companies sign with, here and at each gateway that is still set up, where they have devices; the first to end first. */
  inUse(companyIds: readonly string[]): Promise<CertificateInUse[]>
  /** The newest first. */
  list(filter: CertificateFilter): Promise<Certificate[]>
  /** The certificate in use: neither superseded nor revoked. */
  current(companyId: string): Promise<Certificate | undefined>
  /** Marks the certificate in use as superseded, if there is one. */
  supersedeCurrent(companyId: string, at: EpochMs): Promise<void>
  /** Stores the first revocation; later calls change nothing. */
  revoke(id: string, at: EpochMs): Promise<void>
}
