import type { KeyObject } from 'node:crypto'
import type { EpochMs } from '../../domain/instant.ts'

/** A company's certificate with its private key, held in memory and never written anywhere. */
export interface SigningIdentity {
  certificateId: string
  /** RSA, 2048 bits or more. */
  privateKey: KeyObject
  /** The leaf certificate, DER. */
  certificateDer: Buffer
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
