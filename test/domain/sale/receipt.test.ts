import { expect, test } from 'vitest'
import { parseInstant } from '../../../src/domain/instant.ts'
import { qrPayload } from '../../../src/domain/sale/qr-payload.ts'
import {
  higherReceiptNumber,
  isPremisesCode,
  isReceiptNumber,
  nextReceiptNumber,
  printedNumber,
} from '../../../src/domain/sale/receipt-number.ts'
import { zkiText } from '../../../src/domain/sale/zki-text.ts'

const occurredAt = parseInstant('2026-07-15T14:03:04.250+02:00') ?? 0

test('the ZKI text joins the six facts without separators, with a space in the date', () => {
  const text = zkiText({
    companyOib: '02994650199',
    occurredAt,
    number: '1234567890',
    premisesCode: 'POSL1',
    registerMark: '123456789',
    totalCents: -10550n,
  })
  expect(text).toBe('0299465019915.07.2026 14:03:041234567890POSL1123456789-105.50')
})

const jir = '9d6f5bb6-da48-4fcd-a803-4586a025e0e4'
const zki = 'e4d909c290d0fb1ca068ffaddf22cbd0'

test.each([
  [jir, '450', `jir=${jir}&datv=20260715_1403&izn=450`],
  [null, '450', `zki=${zki}&datv=20260715_1403&izn=450`],
  [null, '0', `zki=${zki}&datv=20260715_1403&izn=0`],
  [jir, '-10550', `jir=${jir}&datv=20260715_1403&izn=-10550`],
  [jir, '5', `jir=${jir}&datv=20260715_1403&izn=5`],
])('the QR payload with JIR %s of a total of %s cents', (proof, cents, query) => {
  expect(qrPayload({ jir: proof, zki, occurredAt, totalCents: BigInt(cents) })).toBe(
    `https://porezna.gov.hr/rn?${query}`,
  )
})

test.each(['1', '10', '99999999999999999999'])('%s is a receipt number', (number) => {
  expect(isReceiptNumber(number)).toBe(true)
})

test.each(['0', '01', '', '-1', '1.0', '1 ', '100000000000000000000', 'A1', 1, null])(
  '%j is not a receipt number',
  (number) => {
    expect(isReceiptNumber(number)).toBe(false)
  },
)

test('numbers start at 1, go up by one, and end with their twentieth digit', () => {
  expect(nextReceiptNumber(undefined)).toBe('1')
  expect(nextReceiptNumber('9')).toBe('10')
  expect(nextReceiptNumber('9223372036854775807')).toBe('9223372036854775808')
  expect(nextReceiptNumber('99999999999999999999')).toBeUndefined()
})

test('numbers compare as numbers, not as text', () => {
  expect(higherReceiptNumber('9', '10')).toBe('10')
  expect(higherReceiptNumber('100', '20')).toBe('100')
  expect(higherReceiptNumber(undefined, '7')).toBe('7')
})

test('a buyer sees number, premises and register', () => {
  expect(printedNumber('1234567890', 'POSL1', '123456789')).toBe('1234567890/POSL1/123456789')
})

test.each([
  ['POSL1', true],
  ['a', true],
  ['ABCDEFGHIJ0123456789', true],
  ['ABCDEFGHIJ01234567890', false],
  ['', false],
  ['ŠIB1', false],
  ['POS-1', false],
  ['POSL1\n', false],
])('premises code %j: %s', (code, is) => {
  expect(isPremisesCode(code)).toBe(is)
})
