import type { Bound } from '../domain/bound.ts'

/** What a PKCS#12 file may ask for that somebody uploads, and what a chain of certificates may cost. */
export const CERTIFICATE_BOUNDS = {
  // The dearest files of real tools spend 600,000 on each of the MAC, the certificates and the key; a hostile file could
  // ask for years.
  rounds: {
    most: 2_000_000,
    of: 'hash rounds of all key derivations of one PKCS#12 file',
    beyond: '400 invalid_request',
  },
  // Milliseconds. Most files have 2048.
  roundsHere: {
    most: 4096,
    of: 'hash rounds of one key derivation in the daemon itself',
    beyond: 'done in a process of its own',
  },
  // An old file of 2048 rounds derives seven times.
  roundsOfFileHere: {
    most: 20_000,
    of: 'hash rounds of all key derivations of one file in the daemon itself',
    beyond: 'done in a process of its own',
  },
  // SHA-512.
  mac: { most: 64, of: 'bytes of the MAC of a PKCS#12 file', beyond: '400 invalid_request' },
  // Files carry the leaf and its issuers, a handful; more would only cost the chain check time.
  certificates: { most: 20, of: 'certificates in a PKCS#12 file', beyond: '400 invalid_request' },
  // Real chains have three or four.
  path: { most: 8, of: 'certificates from a leaf to its root, both counted', beyond: 'not trusted' },
  // Certificates may sign each other in circles.
  signatures: { most: 200, of: 'signatures that are verified to find one chain', beyond: 'not trusted' },
} as const satisfies Record<string, Bound>
