import { expect, test } from 'vitest'
import { RESTRICTIVE_CODES, refusalMessage, restrictiveCodesIn } from '../../../src/domain/sale/refusal.ts'

test('the codes that are written into a message are read out of it', () => {
  for (const codes of [[], [176], [179, 182], RESTRICTIVE_CODES]) {
    const message = refusalMessage('s013', 'the receipt has restrictive errors', codes)
    expect(restrictiveCodesIn(message)).toEqual(codes)
  }
  expect(refusalMessage('s013', 'the receipt has restrictive errors', [179, 182])).toBe(
    'The tax authority answered s013: the receipt has restrictive errors: 179, 182.',
  )
})

test('an unknown code is left out', () => {
  expect(restrictiveCodesIn(refusalMessage('s013', 'the receipt has restrictive errors', [175, 179, 186]))).toEqual([
    179,
  ])
})

test.for([
  [null],
  [''],
  ['s013: Račun sadrži restriktivne pogreške. Šifre pogrešaka: 179, 182'],
  ['The tax authority answered s001: the message does not match the schema.'],
  ['The tax authority answered s013: the receipt has restrictive errors: 179, 182. Iznos: 183'],
  [`The tax authority answered s013: ${': 179, 182'.repeat(2000)}`],
])('codes are read out of no other text: %s', ([message]) => {
  expect(restrictiveCodesIn(message ?? null)).toEqual([])
})
