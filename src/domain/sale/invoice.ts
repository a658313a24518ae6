import { DAY_MS, type EpochMs } from '../instant.ts'

/** The five statuses, frozen for the life of `/v1`. */
export const INVOICE_STATUSES = ['pending', 'confirmed', 'retrying', 'failed', 'expired'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** Why an attempt failed. Only `transient` is retried automatically. */
export const ERROR_CLASSES = ['transient', 'validation', 'certificate'] as const
export type ErrorClass = (typeof ERROR_CLASSES)[number]

/** The codes of `fiscal_error` in a 200 response, with their meanings. The sale is valid with each of them. */
export const FISCAL_ERRORS = {
  upstream_unavailable: {
    means: 'The tax authority could not be reached, or nothing came from it that can be believed.',
    fix: 'Nothing while `retry_scheduled` is true: the sale is sent again by itself. After 30 days it is `expired` for good.',
  },
  upstream_rejected: {
    means: 'The tax authority refused the message. `message` says what it objected to.',
    fix: 'Correct the cause (device, company, configuration), then retry the invoice before its `deadline_at`.',
  },
  upstream_signature_invalid: {
    means: 'An answer came that is not proven to be from the tax authority, so its JIR is not believed.',
    fix:
      'Run `fisk doctor` on the gateway: it says what is wrong with the answers. When they are believed again, send all of ' +
      'these sales with `fisk invoice retry --failed --code upstream_signature_invalid`.',
  },
  'hr.certificate_oib_mismatch': {
    means: 'The tax authority says that the OIB of the sale is not the one of the certificate.',
    fix: 'Upload the certificate of this company, then retry the invoice before its `deadline_at`.',
  },
  certificate_expired: {
    means: 'The certificate of the company was not valid when the sale was sent again.',
    fix: 'Upload a valid certificate, then retry the invoice before its `deadline_at`.',
  },
  company_missing_certificate: {
    means: 'The company had no certificate when the sale was sent again.',
    fix: 'Upload a certificate, then retry the invoice before its `deadline_at`.',
  },
} as const
export type FiscalErrorCode = keyof typeof FISCAL_ERRORS

/** The tax authority's answer had a JIR without proof of origin. Such a sale is only sent again on request. */
export const UNPROVEN_JIR = 'upstream_signature_invalid' satisfies FiscalErrorCode

/** How messages begin when an answer came without proof of origin: no other stored field shows that one came. */
export const UNPROVEN_ANSWER = 'An answer came that cannot be believed'

/** Whether the last answer for an invoice without a JIR had no proof of origin. */
export function isAnsweredUnproven({ errorMessage }: { errorMessage: string | null }): boolean {
  return errorMessage?.startsWith(UNPROVEN_ANSWER) ?? false
}

export const FISCALIZATION_DEADLINE_DAYS = 30

/** The moment after which CIS does not accept the sale any more: 30 days after it happened. */
export function deadlineOf(occurredAt: EpochMs): EpochMs {
  return occurredAt + FISCALIZATION_DEADLINE_DAYS * DAY_MS
}

/** A sale more than this long before sending makes even a first message a late delivery (NakDost). */
export const LATE_DELIVERY_AFTER_MS = 5 * 60_000

export type InvoiceEvent = 'confirmed' | ErrorClass | 'deadline_passed' | 'found_at_start' | 'requeued'

/** The states of an invoice (docs/spec/interface.md, States and transitions); undefined for an event without effect. */
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
      // It is unknown whether the message was sent and answered, so it is sent again with NakDost.
      return from === 'pending' ? 'retrying' : undefined
    case 'requeued':
      return from === 'failed' ? 'retrying' : undefined
  }
}
