import { expect, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'

test('the id of a company is a UUID version 5 that depends on its OIB alone', () => {
  expect(companyIdOf('02994650199')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(companyIdOf('02994650199')).toBe(companyIdOf('02994650199'))
  expect(companyIdOf('18683136487')).not.toBe(companyIdOf('02994650199'))
})

test('the id never changes from one version to the next: two gateways of one company must agree', () => {
  // As any other UUIDv5 implementation computes it from the same name space.
  expect(companyIdOf('02994650199')).toBe('a2ab7d10-2b86-5da6-aa42-386169898c22')
})
