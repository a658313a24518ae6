import { type TSchema, Type } from 'typebox'
import { PRINT_JOB_STATUSES } from '../../domain/printer.ts'
import { ERROR_CLASSES, FISCAL_ERRORS, type FiscalErrorCode, INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { RECEIPT_LANGUAGES, RECEIPT_PAPERS, type ReceiptFacts } from '../../domain/sale/receipt.ts'
import type { FiscalDocument } from '../../domain/sale/sale.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'
import type { SyncKind, SyncRows } from '../../fiscal/ports/outbox.ts'
import { SYNC_BOUNDS } from './bounds.ts'
import {
  Base64,
  Closed,
  ClosedAs,
  Count,
  Digits,
  Free,
  Handle,
  HoursDatesFields,
  Mode,
  Moment,
  Nullable,
  Pattern,
  PremisesCode,
  StatedHoursFields,
  Text,
  Uuid,
  Year,
} from './schemas.ts'

const Oib = Pattern('^[0-9]{11}$')
const Money = Pattern('^(?!-0\\.00$)-?(0|[1-9][0-9]{0,14})\\.[0-9]{2}$')
const Der = Base64(SYNC_BOUNDS.certificate.most)
/** gzip of UTF-8, as it is kept. */
const Zipped = Base64(SYNC_BOUNDS.archived.most)
const TEXT = Text(SYNC_BOUNDS.text.most)
const Word = Text(SYNC_BOUNDS.word.most)
const Reason = Text(SYNC_BOUNDS.reason.most)
const Mark = Text(SYNC_BOUNDS.mark.most)
const Written = Text(SYNC_BOUNDS.written.most)

const Lines = <T extends TSchema>(line: T) => Type.Array(line, { maxItems: SYNC_BOUNDS.lines.most })
/** Of a receipt. */
const Texts = Type.Array(Text(SYNC_BOUNDS.receiptLine.most), { maxItems: SYNC_BOUNDS.receiptLines.most })
const TaxName = Text(SYNC_BOUNDS.taxName.most)

const taxLine = { rate: Money, base: Money, amount: Money }

/** `FiscalDocument` and `ReceiptFacts` go as they are stored, in the words of the program. */
const Document = ClosedAs<FiscalDocument>()({
  companyOib: Oib,
  vatRegistered: Type.Boolean(),
  occurredAt: Moment,
  sequenceMark: Type.Enum(['P', 'N']),
  number: Digits,
  premisesCode: PremisesCode,
  registerMark: Digits,
  vat: Lines(Closed(taxLine)),
  consumptionTax: Lines(Closed(taxLine)),
  otherTaxes: Lines(Closed({ name: TaxName, ...taxLine })),
  vatExemptAmount: Nullable(Money),
  marginAmount: Nullable(Money),
  nonTaxableAmount: Nullable(Money),
  fees: Lines(Closed({ name: TaxName, amount: Money })),
  total: Money,
  paymentMethod: Type.Enum(['G', 'K', 'O', 'T']),
  operatorOib: Oib,
  zki: Pattern('^[0-9a-f]{32}$'),
  paragonNumber: Nullable(Word),
  specialPurpose: Nullable(Text(SYNC_BOUNDS.specialPurpose.most)),
  recipientOib: Nullable(Oib),
})

const Receipt = ClosedAs<ReceiptFacts>()({
  header: Texts,
  footer: Texts,
  language: Type.Enum(RECEIPT_LANGUAGES),
  paper: Type.Optional(Type.Enum(RECEIPT_PAPERS)),
  issuerName: TEXT,
  issuerAddress: Type.Array(TEXT, { maxItems: SYNC_BOUNDS.receiptLines.most }),
  premisesAddress: Nullable(TEXT),
  machine: TEXT,
  items: Type.Array(
    Closed({ name: Text(SYNC_BOUNDS.itemName.most), quantity: Written, unitPrice: Money, amount: Money }),
    {
      maxItems: SYNC_BOUNDS.items.most,
    },
  ),
  stornoOf: Type.Optional(Word),
  logo: Type.Optional(Pattern('^[0-9a-f]{64}$')),
  hasLink: Type.Optional(Type.Literal(true)),
})

const Corrected = Closed({ paymentMethod: Type.Enum(['G', 'K', 'O', 'T']), recipientOib: Nullable(Oib) })

/** `Asked` goes as it is stored. */
const Asked = Type.Union([
  Closed({ kind: Type.Literal('correction'), from: Corrected, to: Corrected }),
  Closed({ kind: Type.Literal('hours_set'), ...StatedHoursFields }),
  Closed({ kind: Type.Literal('hours_removed'), ...HoursDatesFields }),
])

/** The fields of every kind of row, by the names of the model; on the wire they are in snake case. */
export const FIELDS: { [K in SyncKind]: Record<keyof SyncRows[K], TSchema> } = {
  company: {
    id: Uuid,
    name: TEXT,
    oib: Oib,
    vatRegistered: Type.Boolean(),
    address: Free,
    fiscalConfig: Free,
    mode: Mode,
    status: Type.Enum(ACTIVE_STATUSES),
    createdAt: Moment,
    logo: Nullable(Base64(SYNC_BOUNDS.logo.most)),
  },
  certificate: {
    id: Uuid,
    companyId: Uuid,
    label: Nullable(TEXT),
    subjectOib: Oib,
    subjectCn: Text(SYNC_BOUNDS.certificateName.most),
    issuer: Text(SYNC_BOUNDS.certificateName.most),
    serial: Text(SYNC_BOUNDS.certificateName.most),
    notBefore: Moment,
    notAfter: Moment,
    certificate: Der,
    intermediates: Type.Array(Der, { maxItems: SYNC_BOUNDS.intermediates.most }),
    uploadedAt: Moment,
    supersededAt: Nullable(Moment),
    revokedAt: Nullable(Moment),
  },
  device: {
    id: Uuid,
    companyId: Uuid,
    premisesCode: PremisesCode,
    premisesAddress: Nullable(TEXT),
    label: TEXT,
    isuNumber: Nullable(Digits),
    isuStatus: Type.Enum(ISU_STATUSES),
    deviceConfig: Free,
    status: Type.Enum(ACTIVE_STATUSES),
    installedAt: Moment,
    lastSeenAt: Nullable(Moment),
    lastSuccessAt: Nullable(Moment),
    createdAt: Moment,
  },
  invoice: {
    id: Handle,
    companyId: Uuid,
    deviceId: Uuid,
    certificateId: Uuid,
    mode: Mode,
    occurredAtText: Written,
    occurredAt: Moment,
    year: Year,
    document: Document,
    receipt: Nullable(Receipt),
    numberSupplied: Type.Boolean(),
    deadlineAt: Moment,
    createdAt: Moment,
    journalPosition: Count,
    seal: Mark,
    status: Type.Enum(INVOICE_STATUSES),
    jir: Nullable(Mark),
    lateDelivery: Type.Boolean(),
    attempts: Count,
    confirmedAt: Nullable(Moment),
    lastErrorClass: Nullable(Type.Enum(ERROR_CLASSES)),
    errorCode: Nullable(Type.Enum(Object.keys(FISCAL_ERRORS) as FiscalErrorCode[])),
    errorMessage: Nullable(Reason),
    deliveryFindings: Nullable(Pattern('^v[0-9]{3}( v[0-9]{3}){0,9}$')),
  },
  message: {
    id: Uuid,
    invoiceId: Handle,
    messageUuid: Uuid,
    attemptNo: Count,
    httpStatus: Nullable(Type.Integer({ minimum: 0, maximum: SYNC_BOUNDS.httpStatus.most })),
    errorCode: Nullable(Word),
    errorMessage: Nullable(Reason),
    durationMs: Count,
    createdAt: Moment,
    requestXml: Nullable(Zipped),
    responseXml: Nullable(Zipped),
  },
  print_job: {
    invoiceId: Handle,
    copy: Type.Integer({ minimum: 0, maximum: SYNC_BOUNDS.copies.most }),
    deviceId: Uuid,
    status: Type.Enum(PRINT_JOB_STATUSES),
    createdAt: Moment,
    expiresAt: Moment,
    begunAt: Nullable(Moment),
    endedAt: Nullable(Moment),
    detail: Nullable(TEXT),
    reason: Nullable(Pattern('^[a-z_]{1,60}$')),
  },
  request: {
    id: Uuid,
    companyId: Uuid,
    mode: Mode,
    premisesCode: PremisesCode,
    invoiceId: Nullable(Handle),
    asked: Asked,
    requestedBy: Word,
    messageId: Uuid,
    sentAt: Moment,
    state: Type.Enum(['sent', 'done', 'refused', 'unknown']),
    answeredAt: Nullable(Moment),
    code: Nullable(Word),
    message: Nullable(Reason),
  },
  alert: {
    id: Uuid,
    kind: Pattern('^[a-z0-9_.]{1,60}$'),
    subject: Word,
    detail: Free,
    raisedAt: Moment,
    acknowledgedAt: Nullable(Moment),
    acknowledgedBy: Nullable(Word),
    resolvedAt: Nullable(Moment),
  },
}

/** What is bytes in the program and base64 on the wire. */
export const BYTES: Partial<Record<SyncKind, readonly string[]>> = {
  company: ['logo'],
  certificate: ['certificate', 'intermediates'],
  message: ['requestXml', 'responseXml'],
}
