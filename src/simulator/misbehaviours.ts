import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { type CisError, cisError, restrictiveError } from './errors.ts'

/** The service is out of order: it processes and records nothing. Under `always`, these also apply to an echo. */
export const OUTAGES = [
  /** Accepts the request and never answers. */
  'timeout',
  /** Closes the connection without answering. */
  'drop-before',
  /** HTTP 503 with a line of text. */
  'http-503',
  /** HTTP 500 with a proxy's HTML page. */
  'html-500',
  /** HTTP 500 with a SOAP fault. */
  'soap-fault',
  /** HTTP 302 to another path of the same server. */
  'redirect',
] as const

/** The receipt is processed and recorded; the answer is lost or damaged on the way. */
export const DELIVERIES = [
  /** Closes the connection without answering. */
  'drop-after',
  /** Sends the first half of the answer, then closes the connection. */
  'truncated',
  /** Answers after three seconds; `{ delayMs }` sets another delay. */
  'slow',
  /** Sends one byte every 100 ms; `{ trickleMs }` sets another interval. */
  'trickle',
  /** Sends 100 MB of spaces after the start of an answer. */
  'huge',
  /** HTTP 200 with plain text. */
  'not-xml',
  /** HTTP 200 without a body. */
  'empty',
] as const

/** The receipt is processed and recorded; the answer is genuine but unusual. */
export const ODDITIES = [
  /** Signed with RSA-SHA1 over a SHA-1 digest, as the service did in 2023. */
  'sha1',
  /** White space around JIR, message id and error codes. */
  'spaced',
  /** In UTF-16, with a byte order mark. */
  'utf-16',
  /** Sends `100 Continue` first, although the client did not ask for it. */
  'continue',
  /** Compressed, as a proxy does, although the client asked for `identity`. */
  'gzip',
  'deflate',
] as const

/** The answer contains no trustworthy statement about the receipt, and no JIR. */
export const HEARSAYS = [
  /** An error answer (`s001`) without signature. */
  'unsigned-error',
  /** `s006` without signature in an element `Odgovor`; the receipt is not processed. */
  'odgovor',
  /** A signed error answer (`s001`) with an empty IdPoruke, so it refers to no message. */
  'empty-message-id',
  /** A signed error answer (`s001`) about another message. */
  'foreign-error',
] as const

/** The receipt is processed and recorded; the answer must not be trusted. */
export const FORGERIES = [
  /** Signed with the right CN by an untrusted CA with the name of the trusted one. */
  'wrong-signer-ca',
  /** Signed by another subject under the trusted CA. */
  'wrong-signer-cn',
  /** Signed by another company under the trusted CA, whose certificate bears the right CN. */
  'wrong-signer-id',
  /** Signed by a certificate that expired a year ago. */
  'expired-signer',
  'unsigned',
  /** The JIR (or error text) was changed after signing. */
  'tampered',
  /** The `header` variant of `{ wrapped }`. */
  'wrapped-signature',
  /** Genuine, but about another message. */
  'wrong-message-id',
  /** Genuine, but the JIR is not a UUID. */
  'bad-jir',
  /** Signed with RSA-SHA256 over a SHA-1 digest. */
  'mixed-hashes',
  /** Genuine, but the document has a DOCTYPE and the JIR is an entity of it. */
  'doctype',
  /** As `doctype`, but the JIR is an entity that expands to ten thousand million characters. */
  'xml-bomb',
  /** As `doctype`, but the JIR is the content of a file on the reader's machine. */
  'external-entity',
] as const

/**
 * Ways to move a genuine signed answer aside and offer a forged one with `FORGED_JIR`:
 * `header`: the genuine one in the SOAP header, the forged one, unsigned, in the body;
 * `sibling`: the forged one before the genuine one in the body;
 * `nested`: the genuine one inside the forged one;
 * `moved-signature`: the forged one in the body holds the genuine signature, what it signed is in the header;
 * `same-id`: like `moved-signature`, and both elements have the same Id;
 * `nested-element`: a signature that covers only the answer's `Zaglavlje`.
 */
export const WRAPPINGS = ['header', 'sibling', 'nested', 'moved-signature', 'same-id', 'nested-element'] as const

export type Outage = (typeof OUTAGES)[number]
export type Delivery = (typeof DELIVERIES)[number]
export type Oddity = (typeof ODDITIES)[number]
export type Hearsay = (typeof HEARSAYS)[number]
export type Forgery = (typeof FORGERIES)[number]
export type Wrapping = (typeof WRAPPINGS)[number]

const DURATION = Type.Number({ minimum: 0 })

/**
 * One misbehaviour for one `racuni` request. `s006` and `s013` (code 179) are short for `{ error }`. `{ error }` is a
 * genuine, signed error answer: any code, for `s013` with the restrictive `codes`, and optionally another text. `{
 * dateAheadMs }` moves the `Date` header of an otherwise correct answer.
 */
const MISBEHAVIOUR = Type.Union([
  Type.Enum([...OUTAGES, ...DELIVERIES, ...ODDITIES, ...HEARSAYS, ...FORGERIES, 's006', 's013']),
  Type.Object({
    error: Type.String(),
    codes: Type.Optional(Type.Array(Type.Integer())),
    message: Type.Optional(Type.String()),
  }),
  Type.Object({ delayMs: DURATION }),
  Type.Object({ trickleMs: DURATION }),
  Type.Object({ dateAheadMs: Type.Integer() }),
  Type.Object({ wrapped: Type.Enum(WRAPPINGS) }),
])
export type Misbehaviour = Static<typeof MISBEHAVIOUR>

/** The JIR of every forged answer: a valid UUID that was never issued. */
export const FORGED_JIR = 'f0f0f0f0-1111-4222-8333-444444444444'

export function isOutage(behaviour: Misbehaviour | null): behaviour is Outage {
  return OUTAGES.some((name) => name === behaviour)
}

export const isMisbehaviour = (value: unknown): value is Misbehaviour => Check(MISBEHAVIOUR, value)

/** @param mood called for every request when the queue is empty and `always` is not set */
export function createPlans(mood: () => Misbehaviour | null = () => null) {
  const queue: Misbehaviour[] = []
  let constant: Misbehaviour | null = null
  return {
    add: (list: readonly Misbehaviour[]) => void queue.push(...list),
    always: (behaviour: Misbehaviour | null) => {
      constant = behaviour
    },
    /** Takes the misbehaviour for the next `racuni` request. */
    next: () => queue.shift() ?? constant ?? mood(),
    standing: () => constant,
  }
}

/** The error that a misbehaviour makes the service answer; null if none. */
export function imposedError(behaviour: Misbehaviour | null): CisError | null {
  if (behaviour === 's006') return cisError('s006')
  if (behaviour === 's013') return restrictiveError([179])
  if (typeof behaviour !== 'object' || behaviour === null || !('error' in behaviour)) return null
  const { error, codes, message } = behaviour
  const usual = error === 's013' ? restrictiveError(codes ?? [179]) : cisError(error)
  return message === undefined ? usual : { code: error, message }
}

/** The forgery that a misbehaviour selects; null when the answer is genuine. */
export function forgeryOf(behaviour: Misbehaviour | null): Forgery | { wrapped: Wrapping } | null {
  if (typeof behaviour === 'object' && behaviour !== null) return 'wrapped' in behaviour ? behaviour : null
  return FORGERIES.find((name) => name === behaviour) ?? null
}
