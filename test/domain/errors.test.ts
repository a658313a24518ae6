import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode, FiskError } from '../../src/domain/errors.ts'

test('every code has a status of the closed set and says what to do', () => {
  for (const [code, { statuses, fix }] of Object.entries(ERRORS)) {
    expect(fix, code).toMatch(/\.$/)
    for (const status of statuses) {
      const { type } = new FiskError(code as ErrorCode, 'why', { status })
      expect(type, `${code} ${status}`).toMatch(
        /^(validation_error|authentication_error|permission_error|not_found|conflict|rate_limit_error|api_error)$/,
      )
    }
  }
})

test('nothing but the table decides status and type', () => {
  expect(new FiskError('mode_mismatch', 'why')).toMatchObject({ status: 403, type: 'permission_error', param: null })
  expect(new FiskError('invalid_request', 'why', { status: 404 })).toMatchObject({ type: 'not_found' })
  expect(new FiskError('rate_limited', 'why')).toMatchObject({ status: 429, type: 'rate_limit_error' })
})
