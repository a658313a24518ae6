import type { KeyObject } from 'node:crypto'
import type { Certificate } from './model.ts'

/** A company's certificate with its private key, held in memory and never written anywhere. */
export interface SigningIdentity {
  certificateId: string
  /** RSA, 2048 bits or more. */
  privateKey: KeyObject
  /** The leaf certificate, DER. */
  certificateDer: Buffer
}

export interface OpenedCertificate
  extends Pick<Certificate, 'certificate' | 'subjectCn' | 'issuer' | 'serial' | 'notBefore' | 'notAfter'> {
  /** PKCS#8 DER, unencrypted. The caller seals it in the vault at once. */
  privateKey: Buffer
  /** The other certificates in the file, DER. */
  intermediates: Buffer[]
  /** The OIB in `organizationIdentifier` or `O`; null when neither contains one. */
  subjectOib: string | null
  /** The attribute that has an OIB in another form, for people; decides only what is said where `subjectOib` is null. */
  oibElsewhere: string | null
}

export interface OpeningRequest {
  /** The id of the principal. */
  requestedBy: string
  /** Aborts when no caller waits for the file any more; the work on it then stops. */
  signal?: AbortSignal | undefined
}

export interface CertificateOpener {
  /**
   * Opens a PKCS#12 container with exactly one private key (RSA, 2048 bits or more) and the certificate that belongs to
   * it. This may take seconds, depending on the iteration counts of the file; the process can do other work meanwhile.
   * One file is opened at a time. A principal with many files waits behind one file of every other principal.
   * @throws FiskError `invalid_request`: param `passphrase` when it does not open the container, param `file` for
   *   everything else (not PKCS#12, no key, two keys, no certificate for the key, a key that is not RSA or too short);
   *   `rate_limited` when too many files wait. Throws the reason of the signal when it aborts.
   */
  open(file: Buffer, passphrase: string, request: OpeningRequest): Promise<OpenedCertificate>
}

/** Reads and checks certificates and keys from the store. */
export interface CertificateInspector {
  /** @returns null when the subject contains no OIB. @throws Error when the bytes are not a certificate */
  subjectOib(certificate: Buffer): string | null
  /** Whether key (PKCS#8) and certificate belong together, by a signature as of a sale. Never throws. */
  belongTogether(privateKey: Buffer, certificate: Buffer): boolean
}

/** Encrypts secrets that the database may only hold sealed. */
export interface Vault {
  /** @param context the row of the secret; `open` needs the same text, so no secret can be moved to another row */
  seal(secret: Buffer, context: string): Buffer
  /** @throws Error when the sealed bytes, the context or the vault key are not the ones used to seal */
  open(sealed: Buffer, context: string): Buffer
}
