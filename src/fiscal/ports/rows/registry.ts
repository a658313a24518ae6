import type { EpochMs } from '../../../domain/instant.ts'
import type { ActiveStatus, Certificate, Company, Device, IsuStatus } from '../model.ts'
import type { Realm, Slice } from './lists.ts'

export interface CompanyFilter extends Realm {
  id?: string | undefined
  status?: ActiveStatus | undefined
}

export interface DeviceFilter extends Realm {
  /** Without those that gateways have told of. */
  ours?: true | undefined
  id?: string | undefined
  companyId?: string | undefined
  premisesCode?: string | undefined
  isuStatus?: IsuStatus | undefined
  status?: ActiveStatus | undefined
  /** Of those that this gateway has told of. */
  gatewayId?: string | undefined
  /** A part of its label or address, or its whole premises code or ISU number. */
  text?: string | undefined
}

/** How many devices of a company are alike in this. */
export interface DeviceCount {
  gatewayId: string
  status: ActiveStatus
  isuStatus: IsuStatus
  count: number
}

export interface CertificateFilter extends Realm {
  /** Without those that gateways have told of. */
  ours?: true | undefined
  companyId?: string | undefined
}

export interface CompanyRows {
  insert(company: Company): Promise<void>
  get(id: string): Promise<Company | undefined>
  byOib(tenantId: string, oib: string): Promise<Company | undefined>
  /**
   * The id that a company has, or will have, in a tenant: the one that follows from its OIB, which is given, or another
   * one where that stands for the company of another tenant. Once a company is there it stays the same.
   */
  idWithin(tenantId: string, companyId: string): Promise<string>
  /** Whether this database decides on a company of this OIB in another tenant, which is not archived. */
  isOursElsewhere(tenantId: string, oib: string): Promise<boolean>
  all(): Promise<Company[]>
  /** Those that this database decides on and sells for: without those that gateways have told of. */
  ours(): Promise<Company[]>
  /** The oldest first. */
  list(filter: CompanyFilter, slice: Slice): Promise<Company[]>
  update(id: string, changes: Partial<Omit<Company, 'id' | 'tenantId' | 'oib' | 'createdAt'>>): Promise<void>
}

export interface DeviceRows {
  insert(device: Device): Promise<void>
  get(id: string): Promise<Device | undefined>
  /** By id, or by label, which several companies may use. */
  named(tenantId: string, labelOrId: string): Promise<Device[]>
  /** Of our own: those of gateways are compared as conflicts. */
  labelled(companyId: string, label: string): Promise<Device | undefined>
  withIsuNumber(isuNumber: string): Promise<Device | undefined>
  /** The oldest first. */
  list(filter: DeviceFilter, slice: Slice): Promise<Device[]>
  counts(companyId: string): Promise<DeviceCount[]>
  update(id: string, changes: Partial<Omit<Device, 'id' | 'companyId' | 'tenantId' | 'premisesCode'>>): Promise<void>
  /** It has posted something; of those that gateways have told of only the gateway says so. */
  seen(id: string, at: EpochMs): Promise<void>
  /** Of the active ones; `lastSuccessAt` is the moment of the latest JIR. */
  summary(): Promise<{ total: number; withoutIsu: number; lastSuccessAt: EpochMs | null }>
}

export interface CertificateRows {
  insert(certificate: Certificate): Promise<void>
  get(id: string): Promise<Certificate | undefined>
  /** The gateway that has told of it; `LOCAL_GATEWAY` for our own. */
  ownerOf(id: string): Promise<string>
  /** The one that a company signs with: ours, or of a company that gateways have told of the newest of theirs. */
  shown(companyId: string): Promise<Certificate | undefined>
  /** The newest first. */
  list(filter: CertificateFilter): Promise<Certificate[]>
  /** The one in use: neither superseded nor revoked. */
  current(companyId: string): Promise<Certificate | undefined>
  /** Takes the one in use, if there is one, out of use. */
  supersedeCurrent(companyId: string, at: EpochMs): Promise<void>
  /** Its first revocation counts. */
  revoke(id: string, at: EpochMs): Promise<void>
}
