import { expect, test } from 'vitest'
import { outcomeOf } from '../../../src/cis/answer/outcome.ts'
import { restrictiveCodesIn } from '../../../src/domain/sale/refusal.ts'
import type { Outcome, UpstreamError } from '../../../src/fiscal/ports/tax-authority.ts'

function outcome(...errors: [UpstreamError, ...UpstreamError[]]): Outcome & { kind: 'failed' } {
  const result = outcomeOf({ jir: null, errors })
  if (result.kind !== 'failed') throw new Error('confirmed')
  return result
}

test.for([
  ['s001', 'validation', 'upstream_rejected'],
  ['s002', 'certificate', 'upstream_rejected'],
  ['s003', 'certificate', 'upstream_rejected'],
  ['s004', 'validation', 'upstream_rejected'],
  ['s005', 'certificate', 'hr.certificate_oib_mismatch'],
  ['s006', 'transient', 'upstream_unavailable'],
  ['s013', 'validation', 'upstream_rejected'],
  ['s999', 'validation', 'upstream_rejected'],
  ['constructor', 'validation', 'upstream_rejected'],
  ['S006', 'transient', 'upstream_unavailable'],
] as const)('%s is of class %s and becomes %s', ([code, errorClass, fiscalCode]) => {
  const error = { code, message: 'Tekst s OIB-om 02994650199' }
  expect(outcome(error)).toMatchObject({ errorClass, code: fiscalCode, upstream: [error], restrictiveCodes: [] })
})

test('a system error never hides a rejection that stands beside it', () => {
  const [s006, s005] = [
    { code: 's006', message: 'Sistemska pogreška' },
    { code: 's005', message: 'OIB' },
  ]
  expect(outcome(s006, s005)).toMatchObject({ errorClass: 'certificate', upstream: [s006, s005] })
  expect(outcome(s006, s006)).toMatchObject({ errorClass: 'transient' })
})

test('the first rejection decides', () => {
  const errors = ['s006', 's002', 's005'].map((code) => ({ code, message: '' }))
  expect(outcome(...(errors as [UpstreamError]))).toMatchObject({
    errorClass: 'certificate',
    code: 'upstream_rejected',
  })
})

test('restrictive codes are read out of the text of s013 and of nothing else', () => {
  const listed = outcome(
    { code: 's013', message: 'Račun sadrži restriktivne greške: 185, 176;182,182 (v175, 186, 1820, 3176)' },
    { code: 's001', message: '177' },
  )
  expect(listed.restrictiveCodes).toEqual([176, 182, 185])
  expect(listed.message).toContain('176, 182, 185')
})

test('the restrictive codes of an outcome are read out of its message again, whichever code decides', () => {
  const s013 = { code: 's013', message: 'Šifre pogrešaka: 177, 184' }
  for (const result of [outcome(s013), outcome({ code: 's002', message: '' }, s013)]) {
    expect(result.restrictiveCodes).toEqual([177, 184])
    expect(restrictiveCodesIn(result.message)).toEqual([177, 184])
  }
  expect(restrictiveCodesIn(outcome({ code: 's001', message: 'Šifre pogrešaka: 177' }).message)).toEqual([])
})

test.for([
  ['Ukupni iznos 182 EUR', []],
  ['Ukupni iznos 182 €, porez 177€', []],
  ['Iznos 1.182,00, osnovica 182,00, 182.50 i 1,182.00', []],
  ['Iznos 182,185 EUR', []],
  ['176,182,185.', [176, 182, 185]],
  ['Šifre: 179. Iznos 183,10', [179]],
] as const)('amounts are not restrictive codes: %s', ([text, codes]) => {
  expect(outcome({ code: 's013', message: text }).restrictiveCodes).toEqual(codes)
})

test('what people read carries the code and our words, never the text that came', () => {
  expect(outcome({ code: 's002', message: '<x>02994650199</x>' }).message).toBe(
    'The tax authority answered s002: the certificate is not from a trusted issuer, expired or revoked.',
  )
  expect(outcome({ code: '<script>', message: '' }).message).not.toContain('<')
})
