import type { TrustList, TrustPurpose } from '../../domain/certificate.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'

/** The trusted certificates of each mode. */
export interface TrustBundles {
  /** Base and additions for a purpose, DER each, roots and intermediates alike; empty when none was installed. */
  certificates(mode: Mode, purpose: TrustPurpose): Buffer[]
}

export interface TrustCare {
  list(mode: Mode, list: TrustList): TrustedCertificate[]
  /** Those of a file; without one those that count, the newest of each issuer. */
  revocationLists(mode: Mode, list?: TrustList): RevocationListSummary[]
  /** How the file differs from what is in use, which the next start would notice; null when they are equal. */
  fileProblem(mode: Mode, list: TrustList): string | null
  /** The known CA certificates of the authority's own service; empty where a simulator replaces the service. */
  known(mode: Mode): { name: string; fingerprint: string }[]
  /** The path of the base where the operator has set it; null where fiskd writes it. */
  given(mode: Mode): string | null
}

/** Of a file, or of a part of it. */
interface Contents {
  certificates: TrustedCertificate[]
  revocationLists: RevocationListSummary[]
}

/** The trust bundles as files that change. */
export interface TrustFiles extends Pick<TrustCare, 'list' | 'revocationLists' | 'given'> {
  /**
   * Adds what a file holds, all or nothing, and stores it before it returns. A revocation list takes the place of an
   * older one of its issuer; one that is not newer is left out, and so is what the base has.
   * @param file PEM with CA certificates and revocation lists, or one as DER @returns what was not there before
   * @throws FiskError `invalid_request`, param `certificates`, when the file holds anything else than CA certificates
   *   that have not run out and lists that an authority of the base, of the list, or of the file, has signed
   */
  add(mode: Mode, list: TrustList, file: Buffer): Contents
  /**
   * Ends the trust in a CA for a purpose, with the revocation lists that nobody else has signed. One of a base that
   * fiskd writes goes to the list of the other purpose, for which it counts as before.
   * @param fingerprint SHA-256 in hex, or its beginning @returns what was removed, and from which list
   * @throws FiskError `invalid_request`, param `fingerprint`, when it is not the beginning of exactly one of them
   */
  remove(mode: Mode, purpose: TrustPurpose, fingerprint: string): { list: TrustList; removed: TrustedCertificate }
  /**
   * Takes what another process, or a person, has stored in the files since. A file that is gone or of no use changes
   * nothing, and neither does a base that is empty. @returns whether something is another one now
   */
  reread(mode: Mode): boolean
}

/** The revoked certificates in the revocation lists of the trust bundles. */
export interface RevocationLists {
  /**
   * Since when a list of the mode names a certificate, by issuer and serial number; null when no list names it, and
   * when there is no list of its issuer. A list counts in whichever file it lies, if its issuer is trusted for uploads.
   * One past its next update still counts: a revocation does not end. @param certificate DER
   */
  revokedAt(mode: Mode, certificate: Buffer): EpochMs | null
}

/** Whether a certificate chains to a bundle at a moment. Never throws. */
export interface ChainValidator {
  /** All DER. @param intermediates untrusted, received with the leaf @param bundle trusted roots and intermediates */
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

/** One file. */
export interface TrustBundle extends Contents {
  mode: Mode
  list: TrustList
  path: string
  /** Whether the operator has set its path: fiskd does not write it then. */
  given: boolean
}

/** A file after a change, and what it has now that it had not. */
export interface TrustChange extends TrustBundle {
  added: Contents
}
