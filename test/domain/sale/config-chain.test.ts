import { expect, test } from 'vitest'
import { type ConfigLevel, resolveConfigured, resolveField } from '../../../src/domain/sale/config-chain.ts'

const chain = (request: ConfigLevel = {}, ...configured: ConfigLevel[]) => ({ request, configured })

test('the first level that has the field wins: request, device, company', () => {
  const levels = (...texts: (string | undefined)[]) =>
    chain(...texts.map((special_purpose) => (special_purpose === undefined ? {} : { special_purpose })))
  expect(resolveField('special_purpose', levels('request', 'device', 'company'))).toBe('request')
  expect(resolveField('special_purpose', levels(undefined, 'device', 'company'))).toBe('device')
  expect(resolveField('special_purpose', levels(undefined, undefined, 'company'))).toBe('company')
  expect(resolveField('special_purpose', levels())).toBeUndefined()
})

test('null at any level says none and hides the levels below', () => {
  expect(resolveField('vat', chain({ vat: null }, { vat: [] }))).toBeNull()
  expect(resolveField('vat', chain({}, { vat: null }, { vat: [] }))).toBeNull()
  expect(resolveConfigured('default_vat_rate', [{ default_vat_rate: null }, { default_vat_rate: '25.00' }])).toBeNull()
})

test.each([
  ['sale_type', 'manned'],
  ['sequence_mark', 'X'],
  ['register_mark', 7],
  ['register_mark', '07'],
  ['operator_oib', 2994650199],
  ['late_delivery', 'true'],
  ['vat_registered', 1],
  ['vat', '25.00'],
  ['vat', [{ rate: '25.00', base: 1, amount: '0.25' }]],
  ['other_taxes', [{ rate: '5.00', base: '1.00', amount: '0.05' }]],
  ['fees', [{ name: 'Deposit', amount: '0.1' }]],
  ['vat_exempt_amount', 3],
  ['special_purpose', 'x'.repeat(1001)],
] as const)('a configured %s of the wrong type (%j) is ignored, as if its level had not spoken', (key, value) => {
  expect(resolveField(key, chain({}, { [key]: value }))).toBeUndefined()
})

test('what is inherited from Object.prototype is not configured', () => {
  const inherited = Object.create({ special_purpose: 'inherited' })
  expect(resolveField('special_purpose', chain({}, inherited))).toBeUndefined()
})

test('the sequence mode of a company is P or N', () => {
  expect(resolveConfigured('sequence_mode', [{ sequence_mode: 'N' }])).toBe('N')
  expect(resolveConfigured('sequence_mode', [{ sequence_mode: 'n' }])).toBeUndefined()
})

test('a value of the wrong type in the request is refused: what was sent is never replaced by what is configured', () => {
  const configured = { special_purpose: 'configured' }
  expect(() => resolveField('special_purpose', chain({ special_purpose: 7 }, configured))).toThrow('special_purpose')
})

test('lengths are counted in characters, not in halves of them', () => {
  const special_purpose = '😀'.repeat(1000)
  expect(resolveField('special_purpose', chain({ special_purpose }))).toBe(special_purpose)
  expect(resolveField('special_purpose', chain({}, { special_purpose: `${special_purpose}😀` }))).toBeUndefined()
})
