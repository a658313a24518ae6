import type { HoursDates } from '../../../domain/hours/hours.ts'
import type { StatedHours } from '../../../domain/hours/hours-text.ts'
import type { EpochMs } from '../../../domain/instant.ts'
import type { Mode, PaymentMethod } from '../../../domain/sale/sale.ts'

/** What was asked of the tax authority beside sales, from before it is sent on. */
export interface AskedRequest {
  id: string
  tenantId: string
  /** Who has sent it: empty for this daemon. */
  gatewayId: string
  companyId: string
  mode: Mode
  premisesCode: string
  /** Of a correction. */
  invoiceId: string | null
  asked: Asked
  /** The id of the principal. */
  requestedBy: string
  /** IdPoruke. */
  messageId: string
  sentAt: EpochMs
  /** The row of a bulk job, so that it is not sent again while it is not known whether it was done. */
  jobRow: string | null
  /** `sent`: under way, or the process ended meanwhile; `unknown`: no answer that can be believed came. */
  state: 'sent' | 'done' | 'refused' | 'unknown'
  answeredAt: EpochMs | null
  /** The first code of the answer, and its words; of `unknown` why. */
  code: string | null
  message: string | null
  /** Verbatim. */
  requestXml: string | null
  responseXml: string | null
}

export type Asked =
  | { kind: 'correction'; from: CorrectedFields; to: CorrectedFields }
  | ({ kind: 'hours_set' } & StatedHours)
  | ({ kind: 'hours_removed' } & HoursDates)

export interface CorrectedFields {
  paymentMethod: PaymentMethod
  recipientOib: string | null
}

export type RequestEnd = Pick<AskedRequest, 'state' | 'answeredAt' | 'code' | 'message' | 'requestXml' | 'responseXml'>

export interface AuthorityRequestRows {
  insert(request: AskedRequest): Promise<void>
  /** Ends one that is `sent` or `unknown`. @returns false for one that has ended */
  end(id: string, end: RequestEnd): Promise<boolean>
  /** The latest first. */
  ofInvoices(invoiceIds: readonly string[]): Promise<AskedRequest[]>
  /** The corrections of a premises that were done, by when they were sent; the latest first. */
  corrections(
    premises: { companyId: string; premisesCode: string; mode: Mode },
    span: { from: EpochMs; to: EpochMs },
    limit: number,
  ): Promise<AskedRequest[]>
  /** Working hours alone; the latest first. */
  ofPremises(companyId: string, premisesCode: string, limit: number): Promise<AskedRequest[]>
  /** The latest for a row of a job. */
  ofJobRow(jobRow: string): Promise<AskedRequest | undefined>
}
