import type { ErrorView } from '../contract/error.ts'
import { ERRORS, type ErrorCode, type ErrorType } from '../domain/errors.ts'

/**
 * The body of every refusal (docs/spec/interface.md, Errors). `doc_url` is null only when `fisk` itself refuses, and
 * only then the code may be `daemon_unreachable` or `unexpected_answer`.
 */
export interface ErrorBody {
  error: Omit<ErrorView['error'], 'doc_url'> & { doc_url: string | null }
}

/** 1: the thing asked about is not fine, or the daemon refused. 2: wrong use. */
export type FailureCode = 1 | 2

export class Failure extends Error {
  readonly body: ErrorBody
  readonly exitCode: FailureCode
  readonly fix: string | null

  constructor(body: ErrorBody, exitCode: FailureCode, fix: string | null) {
    super(body.error.message)
    this.name = 'Failure'
    this.body = body
    this.exitCode = exitCode
    this.fix = fix
  }
}

/** Null for an unknown code, and for `invalid_request`, whose message says it better. For technicians. */
export function fixOf(code: string): string | null {
  if (code === 'invalid_request') return null
  if (code === 'internal_error') return 'Look at the log of the daemon: journalctl -u fiskd'
  if (code === 'company_missing_certificate') return 'Upload its certificate: fisk cert add --company OIB --file FILE'
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].fix : null
}

function local(type: ErrorType, code: string, param: string | null, message: string): ErrorBody {
  return { error: { type, code, message, param, upstream: null, doc_url: null } }
}

/** The command line itself is wrong: exit code 2. */
export function wrongUse(param: string, message: string, fix: string | null = null): Failure {
  return new Failure(local('validation_error', 'invalid_request', param, message), 2, fix)
}

/** What was asked about does not exist: exit code 1. */
export function missing(param: string, message: string, fix: string | null = null): Failure {
  return new Failure(local('not_found', 'invalid_request', param, message), 1, fix)
}

/** What was asked for clashes with what is there: exit code 1. */
export function clash(param: string, message: string, fix: string | null = null): Failure {
  return new Failure(local('conflict', 'invalid_request', param, message), 1, fix)
}

/** What was given breaks a rule of the catalogue that is checked before the daemon is asked: exit code 1. */
export function refused(code: ErrorCode, param: string, message: string): Failure {
  return new Failure(local('validation_error', code, param, message), 1, fixOf(code))
}

/** The daemon, or something it should have done, does not work: exit code 1. */
export function broken(code: 'daemon_unreachable' | 'internal_error', message: string, fix: string | null): Failure {
  return new Failure(local('api_error', code, null, message), 1, fix)
}

/** The daemon says something else than this `fisk` reads: exit code 1. @param from who said it; a whole has no field */
export function misshapen(from: string, field: string, demand: string): Failure {
  const message = `${from} answered in a form that this fisk does not know: ${field || 'the answer'} ${demand}.`
  const fix = 'fiskd and fisk have to be of the same version: systemctl restart fiskd'
  return new Failure(local('api_error', 'unexpected_answer', field || null, message), 1, fix)
}
