import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../access/principal.ts'

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
