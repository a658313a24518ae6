import type { EpochMs } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { ErrorClass, FiscalErrorCode } from '../../domain/sale/invoice.ts'
import type { FiscalDocument, Mode } from '../../domain/sale/sale.ts'
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
      /** What the tax authority said, empty when it said nothing that could be believed. */
      upstream: UpstreamError[]
      /** What an answer says that cannot be believed, made fit to be shown; nothing is decided by it. */
      hearsay: UpstreamError[]
      /** Restrictive codes (176 to 185) that the text of `s013` names. */
      restrictiveCodes: number[]
    }

/** One message and its answer, as they went over the wire. */
export interface Exchange {
  requestXml: string
  /** Verbatim, whatever it was; null when no answer came. */
  responseXml: string | null
  httpStatus: number | null
  durationMs: number
  outcome: Outcome
  /** How the answer is signed; null when it is not believed. */
  signature: AnswerSignature | null
}

export interface Probe {
  reachable: boolean
  latencyMs: number
  endpoint: string
  /** For people; null when all is well. */
  detail: string | null
}

export interface TaxAuthority {
  /**
   * Sends one message and waits at most four seconds for a verified answer. Not idempotent: every call is a new
   * message. Never throws for an answer or for the lack of one: an unreachable service is an `Exchange` whose outcome
   * is `transient`; only an answer that meets every condition of spec/cis.md is `confirmed`.
   */
  submit(message: FiscalMessage): Promise<Exchange>

  /** Sends an unsigned echo and tells whether the same text came back within four seconds. Never throws. */
  echo(mode: Mode): Promise<Probe>
}

/** The way to the tax authority's service, each step resting on the one before it. */
export type ReachStep = 'name' | 'port' | 'TLS' | 'echo' | 'signature'

export interface Reach {
  /** In order. One with a fix is the last: it was not made. Without a trust bundle the way ends before TLS. */
  steps: {
    step: ReachStep
    /** What was found, for people. */
    detail: string
    /** What to do, when it was not made. */
    fix: string | null
  }[]
  /** How much the clock of this machine is ahead of the service's, to about a second; null when it did not say. */
  aheadMs: number | null
  /** How a signed answer was signed that is believed; null when none came. */
  signature: AnswerSignature | null
  /** How much its `Date` is ahead of the moment that is signed in it; null where it does not say both. */
  dateAheadOfSignedMs: number | null
  /** The service is closed now by its own timetable. */
  closed: boolean
}

export interface ServiceReach {
  /** Goes to the service of a mode step by step, at most five seconds each. Sends no sale. Never throws. */
  reach(mode: Mode): Promise<Reach>
}
