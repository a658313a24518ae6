import type { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { findingsOfDelivery, keptFindings } from '../../domain/sale/findings.ts'
import { type ErrorClass, type FiscalErrorCode, nextStatus } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { FAULT_LENGTH } from '../../domain/text-lengths.ts'
import { cutText } from '../../domain/texts/cut-text.ts'
import type { SigningIdentity } from '../ports/certificates.ts'
import type { ModeClocks } from '../ports/clock.ts'
import type { Invoice, InvoiceProgress } from '../ports/model.ts'
import type { AttemptOutcome } from '../ports/rows/sales.ts'
import { ClaimLost, type Store } from '../ports/store.ts'
import type { Exchange, Outcome, SignedMessage, TaxAuthority, UpstreamError } from '../ports/tax-authority.ts'
import { timeOrderedUuid } from '../time-ordered-id.ts'
import type { Keep } from './idempotency.ts'
import { storeOutcome } from './store-outcome.ts'

/** Within one request a sale is sent at most twice (docs/spec/interface.md, Limits). */
export const ATTEMPTS_IN_A_REQUEST = 2

/** The XML of the first messages about an invoice is always archived; after that only the XML of a confirmation. */
const ARCHIVED_ATTEMPTS = 20

/** Called for faults of fiskd, not of the tax authority. */
export type ReportFault = (fault: { invoiceId: string; error: unknown }) => void

/** A message whose signature is being made. */
export interface BegunMessage extends Pick<SignedMessage, 'messageId' | 'sentAt'> {
  signed: Promise<SignedMessage>
}

/** What is stored with an outcome: the response of an idempotent request, the receipt to print. */
export type Along = Pick<AttemptOutcome, 'response' | 'receipt'>

export const nothingAlong = (): Along => ({ response: null, receipt: null })

export interface SubmitOptions<A extends Along = Along> {
  /** How many messages may be sent now. */
  attempts: number
  /** The first of them, where it was begun; otherwise it is written and signed now. */
  begun?: BegunMessage | undefined
  /** Called when a message has left, while its answer is waited for. What it throws is reported. */
  onSent?: () => void
  /** Makes what is stored with the outcome. */
  along: (decided: Invoice) => A
  /** Runs in the transaction that stores the outcome. */
  onOutcome?: Keep<Invoice>
}

export interface Submitted<A extends Along = Along> {
  /** The invoice as stored after the last attempt. */
  invoice: Invoice
  along: A
  outcome: Outcome
  /** False when a message was sent and no trusted answer came back. */
  reached: boolean
}

/** One attempt and its outcome, for metrics. */
export interface Attempt extends Pick<Exchange, 'outcome' | 'signature'> {
  mode: Mode
  /** Null when nothing was sent. */
  durationMs: number | null
}

export interface SubmitterDeps {
  store: Store
  authority: TaxAuthority
  clock: ModeClocks
  newUuid: () => string
  reportFault: ReportFault
  /** Whether there is room to keep the XML of a message. */
  keepsXml: () => Promise<boolean>
  /** Called for every attempt, after its outcome is known and before it is stored. */
  observe: (attempt: Attempt) => void
  /** Called with an invoice as soon as the outcome of its last attempt is stored. */
  onStored: (invoice: Invoice) => void
}

export type Submitter = ReturnType<typeof createSubmitter>

/**
 * Sends a stored invoice and stores the outcome. Every attempt is a new message with its own record; document and ZKI
 * never change. Callers hold the lock of the invoice. All methods resolve when the outcome is stored, however long the
 * database is away.
 * @throws ClaimLost when another process has taken the invoice over
 */
export function createSubmitter(deps: SubmitterDeps) {
  const { store, authority, clock, newUuid, reportFault, keepsXml, observe, onStored } = deps

  function begin({ document, mode, lateDelivery }: Invoice, identity: SigningIdentity): BegunMessage {
    const messageId = newUuid()
    // Whatever the clock says, the sending time is never before the sale.
    const sentAt = Math.max(clock.of(mode).now(), document.occurredAt)
    const signed = authority.sign({ mode, document, messageId, sentAt, lateDelivery, identity })
    // The sender gets the error; without this line, nobody would handle it when the sale is not stored.
    signed.catch(() => {})
    return { messageId, sentAt, signed }
  }

  async function attempt(invoice: Invoice, begun: BegunMessage, onSent?: () => void): Promise<Sent> {
    const { messageId, sentAt, signed } = begun
    try {
      await store.invoiceLock.requireHeld(invoice.id)
      const message = await signed
      let packed: Buffer | undefined
      const exchange = await authority.submit(message, () => {
        try {
          packed = store.sales.packed(message.xml)
          onSent?.()
        } catch (error) {
          // Packed with the outcome, then.
          reportFault({ invoiceId: invoice.id, error })
        }
      })
      return { messageId, sentAt, exchange, packed, outcome: exchange.outcome }
    } catch (error) {
      if (error instanceof ClaimLost) throw error
      // The sale is valid whatever happens here (CIS specification, 2.2); the sweep sends it again.
      reportFault({ invoiceId: invoice.id, error })
      return { messageId, sentAt, outcome: failure('transient', 'upstream_unavailable', 'sending failed') }
    }
  }

  function messageOf(invoice: Invoice, sent: Sent, withXml: boolean): AttemptOutcome['message'] {
    if (!sent.exchange) return null
    const { requestXml, responseXml, httpStatus, durationMs, outcome } = sent.exchange
    return {
      id: timeOrderedUuid(sent.sentAt),
      invoiceId: invoice.id,
      messageUuid: sent.messageId,
      attemptNo: invoice.attempts,
      httpStatus,
      errorCode: outcome.kind === 'failed' ? outcome.code : null,
      errorMessage: outcome.kind === 'failed' ? cutText(describe(outcome), FAULT_LENGTH) : null,
      durationMs,
      createdAt: sent.sentAt,
      requestXml: withXml ? (sent.packed ?? store.sales.packed(requestXml)) : null,
      responseXml: withXml ? responseXml : null,
    }
  }

  /** Stores the outcome of the last attempt. @param message null when none was sent */
  async function conclude<A extends Along>(
    invoice: Invoice,
    message: AttemptOutcome['message'],
    { outcome, exchange }: Pick<Sent, 'outcome' | 'exchange'>,
    options: SubmitOptions<A>,
  ): Promise<{ invoice: Invoice; along: A }> {
    const decided = withOutcome(invoice, outcome, clock.of(invoice.mode).now())
    if (decided.confirmedAt !== null && message) {
      // The time of the authority counts: by our own clock nothing is ever sent at a wrong time.
      const delivery = { sentAt: message.createdAt, arrivedAt: exchange?.answeredAt ?? decided.confirmedAt }
      decided.deliveryFindings = keptFindings(findingsOfDelivery(decided.document, delivery))
    }
    const along = options.along(decided)
    const { onOutcome } = options
    const attempt = { invoice: decided, message, isLast: true, device: deviceNote(decided, outcome), ...along }
    await storeOutcome(store, decided, () => {
      if (!onOutcome) return store.sales.storeOutcome(attempt)
      return store.transaction(async (tx) => {
        await tx.sales.storeOutcome(attempt)
        await onOutcome(tx, decided)
      })
    })
    return { invoice: decided, along }
  }

  /** Stores that an invoice waits for one more message, before that is sent. */
  async function goOn(next: Invoice, message: AttemptOutcome['message']): Promise<void> {
    const attempt = { invoice: next, message, isLast: false, device: null, ...nothingAlong() }
    await storeOutcome(store, next, () => store.sales.storeOutcome(attempt))
  }

  async function send<A extends Along>(
    start: Invoice,
    identity: SigningIdentity,
    options: SubmitOptions<A>,
  ): Promise<Submitted<A>> {
    let invoice = start
    let message = options.begun ?? begin(invoice, identity)
    for (let left = options.attempts - 1; ; left--) {
      const sent = await attempt(invoice, message, options.onSent)
      const { outcome } = sent
      const { durationMs = null, signature = null } = sent.exchange ?? {}
      observe({ mode: invoice.mode, outcome, durationMs, signature })
      // A queue that is refused every five minutes for a month would fill the disk with equal texts.
      const repeats = invoice.attempts > ARCHIVED_ATTEMPTS && outcome.kind === 'failed'
      const record = messageOf(invoice, sent, !repeats && (await keepsXml()))
      if (outcome.kind === 'confirmed' || outcome.errorClass !== 'transient' || left === 0) {
        const decided = await conclude(invoice, record, sent, options)
        onStored(decided.invoice)
        return { ...decided, outcome, reached: sent.exchange === undefined || !isUnreachable(outcome) }
      }
      const next = late(invoice)
      await goOn(next, record)
      invoice = next
      message = begin(invoice, identity)
    }
  }

  return {
    /** A first message about a sale follows in a moment: connects meanwhile. Returns at once and never throws. */
    expect: (mode: Mode): void => authority.expect(mode),
    /** Signs the first message while the invoice is stored: both take as long. Send it once that is on disk only. */
    begin,
    /** The first send; its first attempt was counted when the invoice was stored. */
    send,
    /** A late delivery, signed with the company's current certificate. */
    async resend(invoice: Invoice, identity: SigningIdentity, options: SubmitOptions): Promise<Submitted> {
      const next = late(invoice)
      await goOn(next, null)
      return send(next, identity, options)
    },
    /** Stores why nothing can be sent: the company has no certificate to sign with. */
    async leaveUnsent(invoice: Invoice, refusal: FiskError, options: SubmitOptions): Promise<Invoice> {
      const outcome = failure('certificate', refusal.code as FiscalErrorCode, refusal.message)
      return (await conclude(invoice, null, { outcome }, options)).invoice
    },
  }
}

interface Sent extends Pick<SignedMessage, 'messageId' | 'sentAt'> {
  exchange?: Exchange
  /** The request as it is stored; undefined when it did not leave. */
  packed?: Buffer | undefined
  outcome: Outcome
}

function withOutcome(invoice: Invoice, outcome: Outcome, now: EpochMs): Invoice {
  const confirmed = outcome.kind === 'confirmed'
  return {
    ...invoice,
    status: nextStatus(invoice.status, confirmed ? 'confirmed' : outcome.errorClass) ?? invoice.status,
    jir: confirmed ? outcome.jir : null,
    confirmedAt: confirmed ? now : null,
    lastErrorClass: confirmed ? null : outcome.errorClass,
    errorCode: confirmed ? null : outcome.code,
    errorMessage: confirmed ? null : cutText(outcome.message, FAULT_LENGTH),
  }
}

/** A JIR proves the device's ISU number; by restrictive codes 182 to 184 the tax authority has a different one. */
function deviceNote({ confirmedAt }: Invoice, outcome: Outcome): AttemptOutcome['device'] {
  if (outcome.kind === 'confirmed') return confirmedAt === null ? null : { lastSuccessAt: confirmedAt }
  return outcome.restrictiveCodes.some((code) => code >= 182 && code <= 184) ? { mismatch: true } : null
}

export function progressOf(invoice: Invoice): InvoiceProgress {
  const { status, jir, confirmedAt, lateDelivery, attempts, lastErrorClass, errorCode, errorMessage } = invoice
  const failure = { lastErrorClass, errorCode, errorMessage }
  return { status, jir, confirmedAt, lateDelivery, attempts, ...failure, deliveryFindings: invoice.deliveryFindings }
}

/** The progress of an invoice that waits for its next message, with the reason. */
export function unsentProgress(invoice: Invoice, why: string): InvoiceProgress {
  const waits = { lastErrorClass: 'transient', errorCode: 'upstream_unavailable', errorMessage: why } as const
  return { ...progressOf(invoice), ...waits }
}

/** No trusted answer came, so the next message will most likely fail, too. */
export function isUnreachable(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.errorClass === 'transient' && outcome.upstream.length === 0
}

function failure(errorClass: ErrorClass, code: FiscalErrorCode, message: string): Outcome {
  return { kind: 'failed', errorClass, code, message, upstream: [], hearsay: [], restrictiveCodes: [] }
}

/** The invoice for its next message: one more attempt, with NakDost. */
const late = (invoice: Invoice): Invoice => ({ ...invoice, attempts: invoice.attempts + 1, lateDelivery: true })

/** The tax authority's errors, as `s001: text`; without any our own message, then the errors of an untrusted answer. */
function describe({ upstream, hearsay, message }: Outcome & { kind: 'failed' }): string {
  const listed = (errors: UpstreamError[]) => errors.map(({ code, message: text }) => `${code}: ${text}`).join('; ')
  if (upstream.length > 0) return listed(upstream)
  return hearsay.length > 0 ? `${message} It claims, unproven: ${listed(hearsay)}` : message
}
