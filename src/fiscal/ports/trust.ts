import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../access/principal.ts'

/** The trusted certificates of each mode, for CIS's TLS, CIS's response signature and uploaded certificates. */
export interface TrustBundles {
  /** The bundle of a mode, DER each, roots and intermediates alike; empty when none was installed. */
  certificates(mode: Mode): Buffer[]
}

/** Inspects the trust bundles. */
export interface TrustCare {
  list(mode: Mode): TrustedCertificate[]
  revocationLists(mode: Mode): RevocationListSummary[]
  /**
   * How the bundle file differs from the bundle in use, which the next start would notice; null when they are equal.
   */
  fileProblem(mode: Mode): string | null
  /** The known CA certificates of the authority's own service; empty where a simulator replaces the service. */
  known(mode: Mode): { name: string; fingerprint: string }[]
}

/** The trust bundles as files that grow. */
export interface TrustFiles extends Pick<TrustCare, 'list' | 'revocationLists'> {
  /**
   * Adds what a file holds, all or nothing, and stores the bundle before it returns. A revocation list takes the place
   * of an older one of its issuer; one that is not newer is left out.
   * @param file PEM with one or many CA certificates and revocation lists, or one of them as DER
   * @returns what was not in the bundle before
   * @throws FiskError `invalid_request`, param `certificates`, when the file holds anything else than CA certificates
   *   that have not run out and lists that an authority of the bundle, or of the file, has signed
   */
  add(mode: Mode, file: Buffer): { certificates: TrustedCertificate[]; revocationLists: RevocationListSummary[] }
  /**
   * Takes what another process, or a person, has stored in the file since. A file that is gone, empty or of no use changes
   * nothing. @returns whether the bundle is another one now
   */
  reread(mode: Mode): boolean
}

/** The revoked certificates in the revocation lists of the trust bundles. */
export interface RevocationLists {
  /**
   * Since when a list of the mode's bundle names a certificate, by issuer and serial number; null when no list names
   * it, and when there is no list of its issuer. A list past its next update still counts: a revocation does not end.
   * @param certificate DER
   */
  revokedAt(mode: Mode, certificate: Buffer): EpochMs | null
}

/** Whether a certificate chains to a bundle at a moment. Never throws. */
export interface ChainValidator {
  /**
   * @param leaf DER
   * @param intermediates DER, untrusted certificates received with the leaf
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

/** A bundle after a change, and its new entries. */
export interface TrustChange extends TrustBundle {
  added: TrustedCertificate[]
  addedLists: RevocationListSummary[]
}

/** Lists and extends the trust bundles. A change takes effect with the next message, and is audited. */
export interface TrustAdmin {
  list(mode: Mode): TrustBundle
  /**
   * Adds the CA certificates and revocation lists of a PEM or DER file; stored certificates that are listed are revoked
   * before it resolves.
   * @throws FiskError `invalid_request`, param `certificates`, when the file contains anything else
   */
  add(by: Principal, mode: Mode, file: Buffer): Promise<TrustChange>
  /**
   * Downloads the known CA certificates of a mode, checks their fingerprints and adds them.
   * @throws FiskError `internal_error` when a download failed, `invalid_request` when a fingerprint differs
   */
  fetch(by: Principal, mode: Mode): Promise<TrustChange>
}
