import { type ErrorClass, type FiscalErrorCode, UNPROVEN_ANSWER } from '../../domain/sale/invoice.ts'
import { refusalMessage } from '../../domain/sale/refusal.ts'
import type { Outcome, UpstreamError } from '../../fiscal/ports/tax-authority.ts'
import type { VerifiedReply } from './reply.ts'

/** What the error codes mean (CIS specification, ch. 6; docs/spec/cis.md, Error codes). */
const VERDICTS = new Map(
  Object.entries({
    s001: rejected('validation', 'the message does not match the schema'),
    s002: rejected('certificate', 'the certificate is not from a trusted issuer, expired or revoked'),
    s003: rejected('certificate', 'the certificate lacks mandatory data'),
    s004: rejected('validation', 'the signature of the message is invalid'),
    s005: rejected(
      'certificate',
      'the OIB in the message differs from the OIB in the certificate',
      'hr.certificate_oib_mismatch',
    ),
    s006: rejected('transient', 'a system error at the tax authority', 'upstream_unavailable'),
    s013: rejected('validation', 'the receipt has restrictive errors'),
  }),
)

const UNKNOWN = rejected('validation', 'an error this version has no words for')

/** A code, or several joined by commas; not a part of a number, an amount or a date. */
const RESTRICTIVE = /(?<![\d.,])(?:17[6-9]|18[0-5])(?:,(?:17[6-9]|18[0-5]))*(?![.,]?\d|\s*(?:EUR|\u20ac))/g

/** The outcome of a trusted answer. A JIR counts, whatever warnings come with it. */
export function outcomeOf(reply: Pick<VerifiedReply, 'jir' | 'errors'>): Outcome {
  // A text of its own: as a part of the answer it would keep all of that in memory.
  if (reply.jir !== null) return { kind: 'confirmed', jir: Buffer.from(reply.jir).toString() }
  // A system error beside a rejection would otherwise cause endless repetition.
  const deciding = reply.errors.find(({ code }) => codeOf(code) !== 's006') ?? reply.errors[0]
  const { errorClass, code, meaning } = VERDICTS.get(codeOf(deciding.code)) ?? UNKNOWN
  const restrictiveCodes = restrictiveCodesOf(reply.errors)
  return {
    kind: 'failed',
    errorClass,
    code,
    message: refusalMessage(printable(deciding.code), meaning, restrictiveCodes),
    upstream: reply.errors,
    hearsay: [],
    restrictiveCodes,
  }
}

/** The outcome when no answer came, or the answer is not from the service itself. */
export const unavailable = (message: string): Outcome => failed('transient', 'upstream_unavailable', message)

/** For an answer that fails the conditions for trust (docs/spec/cis.md, XML signature). */
export function unbelievable(reason: string, said: { jir: boolean; errors: UpstreamError[] }): Outcome {
  if (said.jir) return failed('validation', 'upstream_signature_invalid', `The answer cannot be believed: ${reason}.`)
  return failed('transient', 'upstream_unavailable', `${UNPROVEN_ANSWER}: ${reason}.`, said.errors)
}

function failed(
  errorClass: ErrorClass,
  code: FiscalErrorCode,
  message: string,
  hearsay: UpstreamError[] = [],
): Outcome {
  return { kind: 'failed', errorClass, code, message, upstream: [], hearsay, restrictiveCodes: [] }
}

function rejected(errorClass: ErrorClass, meaning: string, code: FiscalErrorCode = 'upstream_rejected') {
  return { errorClass, code, meaning }
}

function restrictiveCodesOf(errors: UpstreamError[]): number[] {
  const texts = errors.filter(({ code }) => codeOf(code) === 's013').map(({ message }) => message)
  const codes = texts.flatMap((text) => text.match(RESTRICTIVE) ?? []).flatMap((list) => list.split(',').map(Number))
  return [...new Set(codes)].sort((a, b) => a - b)
}

const codeOf = (code: string): string => code.toLowerCase()

/** A code of an unexpected form is archived, but not shown to people. */
const printable = (code: string): string => (/^[a-z0-9]{1,10}$/i.test(code) ? code : 'an error')
