import type { Reason } from './texts/reason-texts.ts'

export type { Reason }

interface ErrorEntry {
  /** The HTTP statuses of the code, the usual one first. */
  statuses: readonly [number, ...number[]]
  means: string
  fix: string
  /**
   * Whether the same request may be sent again (docs/spec/interface.md, Errors: Retry guidance). `no`: the request itself
   * is wrong. `later`: after the cause outside the request is removed. `yes`: at once.
   */
  again: 'no' | 'later' | 'yes'
}

/** Every error code of `/v1` (docs/spec/interface.md, Errors). A code is never renamed or given another meaning. */
export const ERRORS = {
  invalid_request: {
    statuses: [400, 404, 406, 409],
    means:
      'The request is malformed or names something that does not exist (404), wants a content type that there is not (406), ' +
      'or it clashes with what is stored (409).',
    fix:
      'Correct the field or header named by `param`; on 404 and 409 look at what is stored (`GET`). Where it names ' +
      '`items`, their amounts do not add up to `total`.',
    again: 'no',
  },
  missing_idempotency_key: {
    statuses: [400],
    means: 'A sale came without the header that makes repeating it harmless.',
    fix: 'Send an `Idempotency-Key` header, a UUID v4 for each sale, and the same one when you repeat it.',
    again: 'no',
  },
  device_inactive: {
    statuses: [400],
    means: 'The device, or the company it belongs to, is suspended or archived.',
    fix: 'Set the device and its company to `active`.',
    again: 'later',
  },
  company_missing_certificate: {
    statuses: [400],
    means: 'The company has no certificate that could sign its sales in this mode.',
    fix: 'Upload the fiscal certificate of the company.',
    again: 'later',
  },
  certificate_expired: {
    statuses: [400],
    means: 'The certificate of the company, or the one that was uploaded, is not valid at this moment.',
    fix: 'Upload a certificate that is valid now.',
    again: 'later',
  },
  'hr.certificate_oib_mismatch': {
    statuses: [400],
    means: 'The certificate was issued to another OIB than the one of the company.',
    fix: 'Upload the certificate that was issued to the OIB of this company.',
    again: 'later',
  },
  'hr.device_missing_isu': {
    statuses: [400],
    means: 'The device has no ISU number yet, and without one the tax authority takes no sale from it.',
    fix: 'Register the device in the portal of the tax authority and set the ISU number it issued.',
    again: 'later',
  },
  'hr.sale_older_than_30_days': {
    statuses: [400],
    means: 'More than 30 days have passed since the sale.',
    fix: 'The tax authority no longer accepts this sale: check the clock of the device and ask the tax office.',
    again: 'no',
  },
  'hr.date_in_future': {
    statuses: [400],
    means: '`occurred_at` lies in the future.',
    fix: 'Send the moment of the sale, not a later one; check both clocks.',
    again: 'later',
  },
  'hr.invalid_vat_rate': {
    statuses: [400],
    means: 'A VAT rate is not one of those the law knows.',
    fix: 'Use a VAT rate of 0.00, 5.00, 13.00 or 25.00.',
    again: 'no',
  },
  'hr.invalid_pnp_rate': {
    statuses: [400],
    means: 'A consumption tax rate is outside of what the law allows.',
    fix: 'Use a consumption tax rate between 0.00 and 3.00.',
    again: 'no',
  },
  'hr.invalid_payment_method': {
    statuses: [400],
    means: 'This payment method is not allowed for this kind of sale.',
    fix: 'Use G, K or O; T only on an attended sale and without `recipient_oib`.',
    again: 'no',
  },
  'hr.amount_out_of_range': {
    statuses: [400],
    means: 'A total paid in cash or by card is above what the tax authority accepts.',
    fix: 'Cash and card totals must lie within 10,000.00 EUR of zero.',
    again: 'no',
  },
  'hr.invalid_oib': {
    statuses: [400],
    means: 'An OIB does not have 11 digits, or its check digit is wrong.',
    fix: 'Send 11 digits with a correct check digit.',
    again: 'no',
  },
  'hr.invalid_receipt_number': {
    statuses: [400],
    means: 'The receipt number that was sent is none, or no number is left.',
    fix: 'Send digits without leading zeros, at most 20 and not 0, or leave the number out.',
    again: 'no',
  },
  invalid_api_key: {
    statuses: [401],
    means: 'No API key was sent, or one that does not exist.',
    fix: 'Send `Authorization: Bearer <API key>` with a key that exists.',
    again: 'later',
  },
  api_key_revoked: {
    statuses: [401],
    means: 'The API key has been revoked.',
    fix: 'Create a new key and use it.',
    again: 'later',
  },
  invalid_session: {
    statuses: [401],
    means: 'The session of the dashboard has ended or never existed.',
    fix: 'Sign in again.',
    again: 'later',
  },
  invalid_credentials: {
    statuses: [401],
    means: 'There is no user of this name with this password.',
    fix: 'Check name and password. `fisk user add` makes a user.',
    again: 'later',
  },
  mode_mismatch: {
    statuses: [403],
    means: 'The API key is of one mode, the company of the other.',
    fix: 'Use a key of the mode the company is in.',
    again: 'later',
  },
  insufficient_scope: {
    statuses: [403],
    means: 'The API key, or the role of the user, does not allow this.',
    fix: 'Use a key that has the scope named in the message, and that is not bound to another device.',
    again: 'later',
  },
  csrf_token_invalid: {
    statuses: [403],
    means: 'A request that changes something came with a session but without its token.',
    fix: 'Send the `csrf_token` that the sign-in returned as the header `X-CSRF-Token`.',
    again: 'later',
  },
  idempotency_key_reused: {
    statuses: [409],
    means: 'Within 24 hours this idempotency key has stood for a different request.',
    fix: 'Use a new key for a different request; to repeat the earlier one, which was done, send exactly its bytes.',
    again: 'no',
  },
  invoice_already_exists: {
    statuses: [409],
    means: 'The receipt number that was sent is already used at this selling point in this year.',
    fix: 'Use another number, or leave it out.',
    again: 'no',
  },
  'hr.sequence_level_conflict': {
    statuses: [409],
    means: 'The premises has numbered its receipts by the other level this year.',
    fix: 'A premises numbers by P or by N for a whole calendar year: keep the first one until New Year. Machines always number by P: give them premises of their own.',
    again: 'no',
  },
  invoice_owned_by_gateway: {
    statuses: [409],
    means: 'A gateway has issued this invoice and sends it; this server only knows of it.',
    fix: 'Send the gateway a command: `fisk gateway send`.',
    again: 'no',
  },
  device_owned_by_gateway: {
    statuses: [409],
    means: 'The device or company belongs to a gateway: its receipts are numbered and its settings are kept there.',
    fix: 'Sell at the gateway itself; change settings by a command to it: `fisk gateway send`.',
    again: 'no',
  },
  premises_owned_by_gateway: {
    statuses: [409],
    means: 'Somebody else gives out the receipt numbers of this premises: a gateway, or the server itself.',
    fix: 'Use a premises code of its own for each gateway; the message names who holds this one.',
    again: 'later',
  },
  sync_token_invalid: {
    statuses: [401],
    means: 'The token of the enrolment is unknown, used or older than 24 hours.',
    fix: 'Make a new one on the server: `fisk gateway add NAME`, with `--again` for a gateway that exists.',
    again: 'no',
  },
  gateway_unknown: {
    statuses: [401],
    means: 'The server knows no gateway with this credential.',
    fix: 'Enrol the gateway again with a new token: `fisk gateway add NAME --again` on the server.',
    again: 'later',
  },
  gateway_revoked: {
    statuses: [401],
    means: 'The operator of the server has revoked this gateway.',
    fix: 'If that was a mistake, make a new token on the server: `fisk gateway add NAME --again`.',
    again: 'later',
  },
  gateway_duplicated: {
    statuses: [409],
    means: 'Two machines use the identity of this gateway, so nothing is taken from either.',
    fix: 'Switch one of them off, and enrol the other with a new token: `fisk gateway add NAME --again`.',
    again: 'later',
  },
  sync_session_replaced: {
    statuses: [409],
    means: 'Another process of this gateway has said hello since, or this one has not said it yet.',
    fix: 'Say hello again after a while.',
    again: 'later',
  },
  sync_protocol_unsupported: {
    statuses: [400],
    means: 'The gateway speaks a version of the sync protocol that the server does not.',
    fix: 'Bring gateway and server to the same version of fiskd; the message says what the server speaks.',
    again: 'later',
  },
  file_too_large: {
    statuses: [413],
    means: 'The uploaded file is too large.',
    fix: 'Send a smaller file: a certificate has at most 256 KB, a device import 1 MB.',
    again: 'no',
  },
  request_too_large: {
    statuses: [413],
    means: 'The body is too large.',
    fix: 'Send a JSON body of at most 256 KB.',
    again: 'no',
  },
  rate_limited: {
    statuses: [429],
    means: 'Too many requests came in a short time. Nothing was done.',
    fix: 'Wait for `Retry-After` seconds and repeat with the same idempotency key.',
    again: 'yes',
  },
  internal_error: {
    statuses: [500, 503],
    means:
      'Something failed on our side. With `Retry-After` the database of a central server cannot be reached, which ends by itself, ' +
      'or the disk of a machine refuses to write. `/v1` answers 500 then, pages and gateways get 503.',
    fix: 'Wait for `Retry-After` seconds where it is there, and repeat with the same idempotency key; if it stays, look at the log.',
    again: 'yes',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** The closed set of `error.type`, one per status. */
const TYPES = {
  400: 'validation_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  406: 'validation_error',
  409: 'conflict',
  413: 'validation_error',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
} as const

export type ErrorType = (typeof TYPES)[keyof typeof TYPES]

export function typeOf(status: number): ErrorType {
  return TYPES[status as keyof typeof TYPES] ?? 'api_error'
}

export const ERROR_TYPES: readonly ErrorType[] = [...new Set(Object.values(TYPES))]

export interface FiskErrorOptions {
  /** One of the code's statuses; the usual one when left out. */
  status?: number
  /** The faulty field or header, by its name in the request. */
  param?: string
  reason?: Reason
  /** The name of the object that the reason is about, such as another device. */
  about?: string
  /** After how many seconds to retry; sent as the header `Retry-After`. */
  retryAfterS?: number
  cause?: unknown
}

/** A refusal with a stable code. `message` is for people; branch on `code`. */
export class FiskError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly type: ErrorType
  readonly param: string | null
  readonly reason: Reason | null
  readonly about: string | null
  readonly retryAfterS: number | null

  constructor(code: ErrorCode, message: string, options: FiskErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'FiskError'
    this.code = code
    this.status = options.status ?? ERRORS[code].statuses[0]
    this.type = typeOf(this.status)
    this.param = options.param ?? null
    this.reason = options.reason ?? null
    this.about = options.about ?? null
    this.retryAfterS = options.retryAfterS ?? null
  }
}

export function invalidRequest(param: string, message: string, reason?: Reason): FiskError {
  return new FiskError('invalid_request', message, { param, ...(reason && { reason }) })
}

/** The refusal of an id that does not exist or belongs to another tenant; the caller cannot tell which. */
export function notFound(param: string, message: string): FiskError {
  return new FiskError('invalid_request', message, { status: 404, param })
}

export function conflict(param: string, message: string, reason?: Reason): FiskError {
  return new FiskError('invalid_request', message, { status: 409, param, ...(reason && { reason }) })
}
