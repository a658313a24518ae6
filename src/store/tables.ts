import type { ColumnType } from 'kysely'
import type { ErrorClass, FiscalErrorCode, InvoiceStatus } from '../domain/invoice.ts'
import type { SequenceMark } from '../domain/receipt-number.ts'
import type { Mode } from '../domain/sale.ts'
import type { ActiveStatus, IsuStatus } from '../fiscal/model.ts'

/** 0 or 1 in the database. */
type Flag = number
/** JSON text in the database. */
type Json = string
type Bytes = ColumnType<Buffer, Buffer, Buffer>

export interface Tables {
  meta: { key: string; value: Bytes }
  tenants: { id: string; name: string; createdAt: number }
  companies: {
    id: string
    tenantId: string
    name: string
    oib: string
    vatRegistered: Flag
    address: Json
    fiscalConfig: Json
    mode: Mode
    status: ActiveStatus
    createdAt: number
  }
  devices: {
    id: string
    tenantId: string
    companyId: string
    premisesCode: string
    premisesAddress: string | null
    label: string
    isuNumber: string | null
    isuStatus: IsuStatus
    deviceConfig: Json
    status: ActiveStatus
    installedAt: number
    lastSeenAt: number | null
    lastSuccessAt: number | null
    createdAt: number
  }
  certificates: {
    id: string
    companyId: string
    label: string | null
    subjectOib: string
    subjectCn: string
    issuer: string
    serial: string
    notBefore: number
    notAfter: number
    certificate: Bytes
    sealedKey: Bytes
    uploadedAt: number
    supersededAt: number | null
    revokedAt: number | null
  }
  numberingLevels: { companyId: string; mode: Mode; premisesCode: string; year: number; level: SequenceMark }
  sequences: { companyId: string; mode: Mode; premisesCode: string; year: number; register: string; highest: string }
  invoices: {
    id: string
    tenantId: string
    companyId: string
    deviceId: string
    certificateId: string
    mode: Mode
    status: InvoiceStatus
    jir: string | null
    zki: string
    premisesCode: string
    year: number
    sequenceRegister: string
    number: string
    occurredAtText: string
    occurredAt: number
    document: Json
    lateDelivery: Flag
    attempts: number
    deadlineAt: number
    confirmedAt: number | null
    createdAt: number
    lastErrorClass: ErrorClass | null
    errorCode: FiscalErrorCode | null
    errorMessage: string | null
  }
  messages: {
    id: string
    invoiceId: string
    messageUuid: string
    attemptNo: number
    httpStatus: number | null
    errorCode: string | null
    errorMessage: string | null
    durationMs: number
    createdAt: number
    requestXml: string
    responseXml: string | null
  }
  idempotencyKeys: {
    scope: string
    key: string
    requestHash: string
    createdAt: number
    invoiceId: string | null
    responseStatus: number | null
    responseBody: string | null
  }
  apiKeys: {
    id: string
    tenantId: string
    mode: Mode
    hash: string
    name: string | null
    scopes: Json
    deviceId: string | null
    createdAt: number
    revokedAt: number | null
  }
}
