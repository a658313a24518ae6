import type { KeyObject } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { EpochMs, Present } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { ErrorClass, FiscalErrorCode } from '../../domain/sale/invoice.ts'
import type { FiscalDocument, Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../access/principal.ts'

export type { Store, StoreTransaction } from './store.ts'

/** Where the use cases take time and randomness from; tests bring their own. */
export interface Clock {
  now(): EpochMs
}

/** The clocks of the machine. The one on the wall may be wrong, and may be moved while we look at it. */
export interface SystemClock extends Clock {
  /** Milliseconds that have passed since some moment, whatever is done to the other clock. */
  elapsed(): number
  /**
   * Whether `now` follows a time server, by what the operating system says; null when nobody can tell. Takes a few
   * seconds at most and never throws.
   */
  synchronised(): Promise<boolean | null>
}

/** Each mode goes by what its own service has said: neither moves what the other one goes by. */
export interface ModeClocks {
  of(mode: Mode): WatchedClock
}

/** A clock that knows how far it can be relied on. */
export interface WatchedClock extends Clock {
  /** The best guess at the time. */
  now(): EpochMs
  /** The time as far as anybody may be refused something because of it. */
  present(): Present
  /**
   * A moment that is certainly past, by what has been proven and how long we have run since: the time for what cannot
   * be undone. A clock that is moved does not move it.
   */
  proven(): EpochMs
}

/** What an answer of the tax authority says about the time, come over TLS that was verified. */
export interface TimeWord {
  /** The moment that is signed in it, or else its `Date`, which the certificate shown with it allows; cut to the second. */
  at: EpochMs
  isSigned: boolean
}

/** A company's certificate with its private key, held in memory and never written anywhere. */
export interface SigningIdentity {
  certificateId: string
  /** RSA, 2048 bits or more. */
  privateKey: KeyObject
  /** The leaf certificate, DER. */
  certificateDer: Buffer
}

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

/** The certificates each mode trusts: CIS's TLS, CIS's response signature and uploaded certificates. */
export interface TrustBundles {
  /** The bundle of a mode, DER each, roots and intermediates alike; empty when none was installed. */
  certificates(mode: Mode): Buffer[]
}

/** Whether the trust bundles are what they should be. */
export interface TrustCare {
  list(mode: Mode): TrustedCertificate[]
  revocationLists(mode: Mode): RevocationListSummary[]
  /** Why the bundle in force is not what the next start would find in its file; null when it is. */
  fileProblem(mode: Mode): string | null
  /** The CA certificates of the authority's own service; none where a stand-in for it is used. */
  known(mode: Mode): { name: string; fingerprint: string }[]
}

/** What issuers have taken back, as far as the revocation lists of the trust bundles say. */
export interface RevocationLists {
  /**
   * Since when a list of the mode's bundle names a certificate, by issuer and serial number; null when none does, and
   * when there is no list of its issuer. A list past its next update still counts: a revocation does not end.
   * @param certificate DER
   */
  revokedAt(mode: Mode, certificate: Buffer): EpochMs | null
}

/** Whether a certificate chains to a bundle at a moment. Never throws. */
export interface ChainValidator {
  /**
   * @param leaf DER
   * @param intermediates DER, untrusted certificates that came along with the leaf
   * @param bundle DER, the trusted roots and intermediates
   */
  validate(
    leaf: Buffer,
    intermediates: Buffer[],
    bundle: Buffer[],
    at: EpochMs,
  ): Promise<{ trusted: true } | { trusted: false; reason: string }>
}

/** What a PKCS#12 file holds. */
export interface OpenedCertificate {
  /** PKCS#8 DER, unencrypted: goes into the vault at once. */
  privateKey: Buffer
  /** The leaf that belongs to the key, DER. */
  certificate: Buffer
  /** The other certificates in the file, DER. */
  intermediates: Buffer[]
  /** From `organizationIdentifier` or `O`; null when neither holds one. */
  subjectOib: string | null
  subjectCn: string
  /** RFC 4514 text, e.g. `CN=Fina Demo CA 2020,O=Financijska agencija,C=HR`. */
  issuer: string
  /** Uppercase hex. */
  serial: string
  notBefore: EpochMs
  notAfter: EpochMs
}

export interface OpeningRequest {
  /** The id of the principal. */
  requestedBy: string
  /** Ends when nobody waits for the file any more: the work on it stops. */
  signal?: AbortSignal | undefined
}

export interface CertificateOpener {
  /**
   * Opens a PKCS#12 container with exactly one private key (RSA, 2048 bits or more) and the certificate that belongs to it.
   * May take seconds, as the file's iteration counts want; it does not keep the process from other work meanwhile.
   * One file is opened at a time; who brings many waits behind one file of every other principal.
   * @throws FiskError `invalid_request`: param `passphrase` when it does not open the container, param `file` for
   *   everything else (not PKCS#12, no key, two keys, no certificate for the key, a key that is not RSA or too short);
   *   `rate_limited` when too many files wait. The reason of the signal, as soon as that ends.
   */
  open(file: Buffer, passphrase: string, request: OpeningRequest): Promise<OpenedCertificate>
}

/** What certificates and keys that are in the store say of themselves. */
export interface CertificateInspector {
  /** @returns null when the subject names none. @throws Error when it is no certificate */
  subjectOib(certificate: Buffer): string | null
  /**
   * Whether what a key (PKCS#8) signs is what a certificate verifies, found out by signing as sales are signed. Never
   * throws.
   */
  belongTogether(privateKey: Buffer, certificate: Buffer): boolean
}

/** Keeps secrets that the database may hold only sealed. */
export interface Vault {
  /** @param context what the secret belongs to; the same text is needed to open it, so a row's secret cannot be moved to another row */
  seal(secret: Buffer, context: string): Buffer
  /** @throws Error when the sealed bytes, the context or the vault key are not the ones it was sealed with. */
  open(sealed: Buffer, context: string): Buffer
}

/** A certificate in a trust bundle, for people. */
export interface TrustedCertificate {
  subject: string
  /** SHA-256 of the DER, uppercase hex. */
  fingerprint: string
  notAfter: EpochMs
}

/** A revocation list in a trust bundle, for people. */
export interface RevocationListSummary {
  /** As `TrustedCertificate.subject`. */
  issuer: string
  thisUpdate: EpochMs
  nextUpdate: EpochMs | null
  /** How many certificates it names. */
  entries: number
}

export interface TrustBundle {
  mode: Mode
  path: string
  certificates: TrustedCertificate[]
  revocationLists: RevocationListSummary[]
}

/** A bundle as it is now, and what is new in it. */
export interface TrustChange extends TrustBundle {
  added: TrustedCertificate[]
  addedLists: RevocationListSummary[]
}

/** How the operator looks at and extends the trust bundles. A change is in force for the next message, and audited. */
export interface TrustAdmin {
  list(mode: Mode): TrustBundle
  /**
   * Adds the CA certificates and revocation lists of a PEM or DER file; stored certificates that are listed are revoked
   * before it resolves.
   * @throws FiskError `invalid_request`, param `certificates`, when it holds anything else
   */
  add(by: Principal, mode: Mode, file: Buffer): Promise<TrustChange>
  /**
   * Downloads the known CA certificates of a mode, checks their fingerprints and adds them.
   * @throws FiskError `internal_error` when a download failed, `invalid_request` when a fingerprint differs
   */
  fetch(by: Principal, mode: Mode): Promise<TrustChange>
}

/** A database copied into one file. */
export interface DatabaseCopy {
  bytes: number
  /** Lowercase hex. */
  sha256: string
  invoices: number
  newestInvoiceAt: EpochMs | null
}

/** A copy on its way to whoever asked for it; nothing is left of it when it has been read or destroyed. */
export interface Backup extends DatabaseCopy {
  body: Readable
}

/** What the database knows about itself. Problems are for people, none when all is well; sales go on meanwhile. */
export interface DatabaseCare {
  /** Where the database is when it is no file of ours: `fileProblems` finds none then, and `backUp` throws. */
  server: string | null
  /** By SQLite's own check of every page. */
  fileProblems(): Promise<string[]>
  schemaProblems(): Promise<string[]>
  durabilityProblems(): Promise<string[]>
  /** Invoices whose columns say something else than their documents, and JIRs that more than one of them has. */
  contradictions(): Promise<{ strays: string[]; repeated: string[] }>
  /**
   * Copies the database as it is at this moment and checks the copy by opening it.
   * @throws Error when the copy is not whole, or could not be made; what there is of it stays
   */
  backUp(target: string): Promise<DatabaseCopy>
}
