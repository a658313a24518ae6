import { expect, test } from 'vitest'
import { TOLD_LENGTH } from '../../../src/domain/text-lengths.ts'
import { toldError } from '../../../src/fiscal/gateways/told-error.ts'

test('of 250,000 characters that a gateway says of a refused command, the beginning is read', () => {
  const { code, message } = toldError({ error: { code: 'c'.repeat(1000), message: '\u{1F600}'.repeat(250_000) } })
  expect(code).toBe('c'.repeat(TOLD_LENGTH))
  expect(message).toBe('\u{1F600}'.repeat(TOLD_LENGTH))
})

test.each([null, {}, { error: null }, { error: 'x' }, { error: { code: 1, message: {} } }])(
  'of %j nothing is read, for it is no error',
  (result) => {
    expect(toldError(result)).toEqual({ code: null, message: '' })
  },
)
