import type { Bound } from '../domain/bound.ts'

const TOO_COSTLY = 'not believed: upstream_signature_invalid'

/** Limits for answers of the tax authority, or of another server that answers in its place. */
export const CIS_BOUNDS = {
  // The limit covers connecting, waiting and the whole answer (docs/spec/interface.md, Limits).
  exchangeMs: {
    most: 4000,
    of: 'milliseconds until the whole answer to a message is there',
    beyond: 'no answer: no answer came within 4 seconds',
  },
  // The service may take ten seconds (CIS specification, 2.8).
  requestMs: {
    most: 12_000,
    of: 'milliseconds until the answer to a message that is no sale is there',
    beyond: 'no answer: no answer came within 12 seconds',
  },
  // A real answer has some thousand bytes. A proxy may have compressed it.
  answer: {
    most: 64 * 1024,
    of: 'bytes of the body of an answer, unpacked too',
    beyond: 'no answer: the answer is too large',
  },
  // A real answer has some thirty elements, six levels deep, and declares about five name spaces.
  elements: { most: 1000, of: 'elements of an answer', beyond: TOO_COSTLY },
  attributes: { most: 1000, of: 'attributes of an answer', beyond: TOO_COSTLY },
  depth: { most: 32, of: 'levels of elements of an answer', beyond: TOO_COSTLY },
  nameSpaces: { most: 32, of: 'name spaces that an answer declares', beyond: TOO_COSTLY },
  trustFile: { most: 64 * 1024, of: 'bytes of a CA certificate that is downloaded', beyond: '500 internal_error' },
  redirects: { most: 5, of: 'redirects of such a download through a proxy', beyond: '500 internal_error' },
  // The tax authority has five, and each is parsed at every start.
  authorities: { most: 500, of: 'CA certificates and revocation lists of a file', beyond: '400 invalid_request' },
  // Each takes some microseconds; real lists have up to some ten thousand.
  listed: { most: 50_000, of: 'entries of a revocation list', beyond: '400 invalid_request' },
  // Real names have a hundred bytes, and comparing them is not free.
  issuerName: {
    most: 2048,
    of: 'bytes of the name of the issuer of a revocation list',
    beyond: '400 invalid_request',
  },
} as const satisfies Record<string, Bound>
