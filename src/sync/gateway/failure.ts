import type { SyncState } from '../../fiscal/ports/central-server.ts'

export class SyncFailure extends Error {
  /** The server's code, or one of ours: `unreachable`, `no_answer`, `not_understood`, `enrolment_unreadable`. */
  readonly code: string
  /** Of the answer; null when none came. */
  readonly status: number | null
  /** The server wants to be left alone for so long. */
  readonly retryAfterMs: number | null

  constructor(
    code: string,
    message: string,
    {
      status = null,
      retryAfterMs = null,
      cause,
    }: { status?: number | null; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'SyncFailure'
    this.code = code
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

const STATES: Record<string, SyncState> = {
  gateway_revoked: 'revoked',
  gateway_unknown: 'revoked',
  gateway_duplicated: 'duplicated',
  sync_session_replaced: 'replaced',
  sync_protocol_unsupported: 'incompatible',
  enrolment_unreadable: 'unreadable',
}

/** What a failure says about the server; undefined when it is about the one request only. */
export function stateOf(error: unknown): SyncState | undefined {
  if (!(error instanceof SyncFailure)) return undefined
  if (STATES[error.code]) return STATES[error.code]
  return error.status === null || error.status === 404 || error.status >= 500 ? 'unreachable' : undefined
}

type Cause = Error & { code?: string }

const CERTIFICATE =
  /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERROR_IN_CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/
const OUT_OF_TIME: Record<string, string> = { CERT_NOT_YET_VALID: 'is not valid yet', CERT_HAS_EXPIRED: 'has ended' }
const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

/** What undici, Node's sockets and OpenSSL throw. */
export function notReached(error: unknown, server: string, timeoutMs: number): SyncFailure {
  const cause = error as Cause
  const code = cause.code ?? ''
  const why = (text: string) => new SyncFailure('unreachable', `${server}: ${text}`, { cause })
  if (cause.name === 'TimeoutError' || TIMEOUTS.has(code)) {
    return new SyncFailure('no_answer', `${server}: no answer came within ${Math.ceil(timeoutMs / 1000)} seconds`, {
      cause,
    })
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return why('its certificate does not carry this name')
  const wrongTime = OUT_OF_TIME[code]
  if (wrongTime) return why(`its certificate, or its CA, ${wrongTime} by the clock of this machine; check: timedatectl`)
  if (CERTIFICATE.test(code)) {
    return why(`its certificate is not from the CA that this gateway was enrolled with (${code})`)
  }
  if (/^ERR_(?:TLS|SSL)_|^EPROTO$/.test(code)) return why(`the secure connection could not be made (${code})`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return why(`the address could not be looked up (${code})`)
  if (code === 'ECONNREFUSED') return why('nobody listens there')
  return why(`the connection failed or was cut (${code || cause.name})`)
}

const FIRST_MS = 1000
/** With the ten seconds that a connection may take, a gateway is back within a minute, however long the outage was. */
const LONGEST_MS = 50_000
const HOUR_MS = 3_600_000
const REPLACED_MS = 30_000
const REPLACED_LONGEST_MS = 5 * 60_000

/** How long to wait before the next request to a server that has failed, milliseconds. Pure except for `random`. */
export function backoffMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const state = stateOf(error)
  // Only a new token can fix this.
  if (state === 'revoked' || state === 'duplicated' || state === 'unreadable') return HOUR_MS * (0.9 + 0.2 * random())
  const doublings = 2 ** Math.min(failures - 1, 20)
  if (state === 'replaced') return Math.min(REPLACED_LONGEST_MS, REPLACED_MS * doublings) * (0.5 + 0.5 * random())
  const bound = Math.min(LONGEST_MS, FIRST_MS * doublings)
  // All gateways of a fleet lost the server at the same time, or were told the same, and must not return at one moment.
  const asked = (error instanceof SyncFailure && error.retryAfterMs) || 0
  const least = Math.min(asked, LONGEST_MS / 2)
  return least + random() * Math.min(LONGEST_MS - least, Math.max(bound, least))
}
