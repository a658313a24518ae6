import type { Bound } from '../domain/bound.ts'
import { CERTIFICATE_NAME_LENGTH } from '../domain/text-lengths.ts'
import { CERTIFICATE_CHAIN_BYTES } from '../domain/upload.ts'

/** The limits for an uploaded PKCS#12 file, and for the validation of a certificate chain. */
export const CERTIFICATE_BOUNDS = {
  // The most expensive files of real tools use 600,000 rounds each for the MAC, the certificates and the key; a
  // malicious file could require years of work.
  rounds: {
    most: 2_000_000,
    of: 'hash rounds of all key derivations of one PKCS#12 file',
    beyond: '400 invalid_request',
  },
  // Takes milliseconds. Most files have 2048.
  roundsHere: {
    most: 4096,
    of: 'hash rounds of one key derivation in the daemon itself',
    beyond: 'done in a process of its own',
  },
  // An old file with 2048 rounds needs seven derivations.
  roundsOfFileHere: {
    most: 20_000,
    of: 'hash rounds of all key derivations of one file in the daemon itself',
    beyond: 'done in a process of its own',
  },
  // SHA-512.
  mac: { most: 64, of: 'bytes of the MAC of a PKCS#12 file', beyond: '400 invalid_request' },
  // Files contain the leaf and a few issuers; more would only make the chain check slower.
  certificates: { most: 20, of: 'certificates in a PKCS#12 file', beyond: '400 invalid_request' },
  certificateBytes: {
    most: CERTIFICATE_CHAIN_BYTES,
    of: 'bytes of all certificates in a PKCS#12 file',
    beyond: '400 invalid_request',
  },
  names: {
    most: CERTIFICATE_NAME_LENGTH,
    of: 'characters of the name of its subject or issuer',
    beyond: '400 invalid_request',
  },
  // Real chains have three or four.
  path: { most: 8, of: 'certificates from a leaf to its root, both counted', beyond: 'not trusted' },
  // Certificates may sign each other in circles.
  signatures: { most: 200, of: 'signatures that are verified to find one chain', beyond: 'not trusted' },
} as const satisfies Record<string, Bound>
