import type { HoursDates, WorkingHours } from '../../domain/hours/hours.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { ErrorClass, FiscalErrorCode } from '../../domain/sale/invoice.ts'
import type { FiscalDocument, Mode } from '../../domain/sale/sale.ts'
import type { Both } from '../../domain/texts/both.ts'
import type { SigningIdentity } from './certificates.ts'

/** One message about one sale. A re-send is a new message: new id, new sending time, same document. */
export interface FiscalMessage {
  mode: Mode
  document: FiscalDocument
  /** IdPoruke: a fresh lowercase UUID for every attempt. */
  messageId: string
  /** DatumVrijeme: the moment of sending. */
  sentAt: EpochMs
  /** NakDost. */
  lateDelivery: boolean
  identity: SigningIdentity
}

/** A message with the bytes that are sent: XML in UTF-8. */
export interface SignedMessage extends FiscalMessage {
  xml: Buffer
}

/** One error the tax authority named, verbatim. */
export interface UpstreamError {
  code: string
  message: string
}

export type Outcome =
  | { kind: 'confirmed'; jir: string }
  | {
      kind: 'failed'
      errorClass: ErrorClass
      code: FiscalErrorCode
      /** For people: what happened, without XML. */
      message: string
      /** The errors in the answer; empty when there are none or the answer is not trusted. */
      upstream: UpstreamError[]
      /** Errors from an answer that is not trusted, sanitised for display; no decision depends on them. */
      hearsay: UpstreamError[]
      /** Restrictive codes (176 to 185) that the text of `s013` names. */
      restrictiveCodes: number[]
    }

/** One message and its answer, as sent and received. */
export interface Exchange {
  requestXml: Buffer
  /** The answer verbatim, even if it is not valid; null when no answer came. */
  responseXml: string | null
  httpStatus: number | null
  durationMs: number
  outcome: Outcome
  /** The signature of the answer; null when the answer is not trusted. */
  signature: AnswerSignature | null
  /** When the service answered, by its own clock; null when it did not say, or no answer came. */
  answeredAt: EpochMs | null
}

export interface Probe {
  reachable: boolean
  latencyMs: number
  endpoint: string
  /** What is wrong; null when all is well. */
  detail: Both | null
}

export interface TaxAuthority {
  /** A message of this mode follows in a moment: connects meanwhile. Returns at once and never throws. */
  expect(mode: Mode): void

  /** Writes and signs a message, and sends nothing. */
  sign(message: FiscalMessage): Promise<SignedMessage>

  /**
   * Sends one message and waits at most four seconds for a verified answer. Not idempotent: every call is a new
   * message. Never throws for an answer or for the lack of one: an unreachable service is an `Exchange` whose outcome
   * is `transient`; only an answer that meets every condition of docs/spec/cis.md is `confirmed`.
   * @param sent called once the message has left this process: what is done now takes time from nobody. Must not throw.
   */
  submit(message: SignedMessage, sent?: () => void): Promise<Exchange>

  /** Sends an unsigned echo and tells whether the same text came back within four seconds. Never throws. */
  echo(mode: Mode): Promise<Probe>
}

/** The steps to reach the tax authority's service; each step needs the one before it. */
export type ReachStep = 'name' | 'port' | 'TLS' | 'echo' | 'signature'

export interface Reach {
  /** In order. A step with a fix has failed and is the last. Without a trust bundle, the list ends before TLS. */
  steps: {
    step: ReachStep
    detail: Both
    /** What to do when the step failed; null when it succeeded. */
    fix: Both | null
  }[]
  /** How far this clock is ahead of the service's, to about a second; null when the service did not give its time. */
  aheadMs: number | null
  /** The signature of a trusted signed answer; null when none came. */
  signature: AnswerSignature | null
  /** How far the `Date` header is ahead of the signed time; null unless the answer has both. */
  dateAheadOfSignedMs: number | null
  /** The service is closed now according to its timetable. */
  closed: boolean
}

export interface ServiceReach {
  /** Tests the service of a mode step by step, at most five seconds per step. Sends no sale. Never throws. */
  reach(mode: Mode): Promise<Reach>
}

/** What is asked of the tax authority beside sales (docs/spec/cis.md, Other messages). */
export type AuthorityRequest =
  /** The test service alone looks at a sale so; nothing is delivered. */
  | ({ operation: 'provjera' } & OfSale)
  | ({
      operation: 'promijeniPodatkeRacuna'
      paymentMethod: FiscalDocument['paymentMethod']
      /** Null for none. */
      recipientOib: string | null
    } & OfSale)
  | ({ operation: 'prijaviRadnoVrijeme'; hours: WorkingHours } & OfPremises)
  | ({ operation: 'obrisiRadnoVrijeme'; dates: HoursDates } & OfPremises)
  | ({ operation: 'dohvatiRadnoVrijeme' } & OfPremises)

/** A sale as it was fiscalized. */
export type OfSale = Pick<FiscalMessage, 'document' | 'lateDelivery'>

export interface OfPremises {
  companyOib: string
  premisesCode: string
  operatorOib: string
}

export type AuthorityOperation = AuthorityRequest['operation']

export interface AuthorityMessage extends Pick<FiscalMessage, 'mode' | 'messageId' | 'sentAt' | 'identity'> {
  request: AuthorityRequest
}

/** What an answer says; only one that meets every condition of docs/spec/cis.md says anything. */
export type AuthorityAnswer =
  /** `p003` to `p005`, with the words of the authority. */
  | { kind: 'done'; code: string; message: string }
  | { kind: 'hours'; hours: WorkingHours }
  /** Or what a check has found: `v100` is nothing. */
  | { kind: 'refused'; errors: [UpstreamError, ...UpstreamError[]] }
  /** No answer that can be believed, or a system error there: it may have been done or not. `hearsay` as of `Outcome`. */
  | { kind: 'unknown'; message: string; hearsay: UpstreamError[] }

export interface AuthorityExchange extends Pick<Exchange, 'requestXml' | 'responseXml' | 'answeredAt'> {
  answer: AuthorityAnswer
}

export interface AuthorityRequests {
  /** Waits at most twelve seconds for a verified answer; its lack throws nothing. Every call sends a new message. */
  request(message: AuthorityMessage): Promise<AuthorityExchange>
}
