import type { EpochMs } from './instant.ts'

/** The five statuses, frozen for the life of `/v1`. */
export const INVOICE_STATUSES = ['pending', 'confirmed', 'retrying', 'failed', 'expired'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** Why an attempt failed. Only `transient` is tried again by itself. */
export type ErrorClass = 'transient' | 'validation' | 'certificate'

/** The codes that `fiscal_error` carries inside a 200 response. */
export type FiscalErrorCode =
  | 'upstream_unavailable'
  | 'upstream_rejected'
  | 'upstream_signature_invalid'
  | 'hr.certificate_oib_mismatch'
  | 'certificate_expired'
  | 'company_missing_certificate'

export const FISCALIZATION_DEADLINE_DAYS = 30
const DAY_MS = 86_400_000

/** The moment after which CIS no longer takes the sale: 30 days after it happened. */
export function deadlineOf(occurredAt: EpochMs): EpochMs {
  return occurredAt + FISCALIZATION_DEADLINE_DAYS * DAY_MS
}

/** A sale moment more than this before sending makes even a first message a late delivery (NakDost). */
export const LATE_DELIVERY_AFTER_MS = 5 * 60_000

export type InvoiceEvent = 'confirmed' | ErrorClass | 'deadline_passed' | 'found_at_start'

/**
 * The state machine of an invoice (interface.md, States and transitions).
 * @returns the next status, or `undefined` when the event means nothing in this state: `confirmed` and `expired` are final.
 */
export function nextStatus(from: InvoiceStatus, event: InvoiceEvent): InvoiceStatus | undefined {
  if (from === 'confirmed' || from === 'expired') return undefined
  switch (event) {
    case 'confirmed':
      return 'confirmed'
    case 'transient':
      return 'retrying'
    case 'validation':
    case 'certificate':
      return 'failed'
    case 'deadline_passed':
      return from === 'pending' ? undefined : 'expired'
    case 'found_at_start':
      // The answer to a message that may have been sent is unknown: it is sent again, with NakDost.
      return from === 'pending' ? 'retrying' : undefined
  }
}
