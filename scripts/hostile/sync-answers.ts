import { ERRORS, type ErrorCode } from '../../src/domain/errors.ts'

/** To each operation, beside its success. */
const ALWAYS: ErrorCode[] = ['invalid_request', 'request_too_large', 'rate_limited']
/** Where a gateway says who it is. */
const IDENTIFIED: ErrorCode[] = ['gateway_unknown', 'gateway_revoked', 'gateway_duplicated', 'sync_session_replaced']
const ENROLMENT: ErrorCode[] = ['sync_token_invalid', 'premises_owned_by_gateway', 'sync_protocol_unsupported']

/** What a server may answer to gateways, which no document of OpenAPI describes: status of success, and codes of errors. */
export const SYNC_OPERATIONS: readonly [method: string, path: string, success: number, refusals: ErrorCode[]][] = [
  ['GET', '/ca', 200, []],
  ['POST', '/enroll', 200, ENROLMENT],
  ['POST', '/hello', 200, [...IDENTIFIED, 'sync_protocol_unsupported']],
  ['POST', '/identity', 200, IDENTIFIED],
  ['POST', '/identity/numbers', 204, IDENTIFIED],
  ['POST', '/push', 200, IDENTIFIED],
  ['POST', '/poll', 200, IDENTIFIED],
  ['POST', '/commands/{id}', 204, IDENTIFIED],
  ['PUT', '/commands/{id}/attachment', 204, IDENTIFIED],
  ['POST', '/leave', 204, IDENTIFIED],
]

/** @returns the codes by the status that they come with */
export function codesOf([, path, success, refusals]: (typeof SYNC_OPERATIONS)[number]): Map<number, Set<string>> {
  const codes = new Map<number, Set<string>>([[success, new Set()]])
  for (const code of [...refusals, ...ALWAYS]) {
    const status = ERRORS[code].statuses[0]
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  // The command may not be there.
  if (path.includes('{id}')) codes.set(404, new Set(['invalid_request']))
  return codes
}
