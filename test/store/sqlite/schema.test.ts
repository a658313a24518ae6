import { expect, test } from 'vitest'
import { digestOf, freshSchema, SCHEMA_DIGEST } from '../../../src/store/sqlite/schema-check.ts'

test('the schema that a start expects is the one that all changes make', async () => {
  expect(SCHEMA_DIGEST).toBe(digestOf(await freshSchema()))
})
