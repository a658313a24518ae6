import { describe, expect, test } from 'vitest'
import type { ReceiptItem } from '../../../src/domain/sale/receipt.ts'
import { item, receipt } from '../escpos/golden/sales.ts'
import { allText, asText } from './as-text.ts'

const goods = (sold: ReceiptItem) => asText(receipt({ paper: 'compact', items: [sold] }), 32)

describe('the price of one', () => {
  test('stands behind the name', () => {
    expect(goods(item('Kava', '2', '1.50', '3.00'))).toMatch(/\n2 x Kava po 1,50 +3,00\n/)
  })

  test('stands below a long name, before the amount', () => {
    const text = goods(item('Sendvič sa šunkom i sirom', '2', '1.50', '3.00'))
    expect(text).toContain('\n2 x Sendvič sa šunkom i sirom\n  po 1,50                   3,00\n')
  })

  test('is there for one with a discount, too', () => {
    expect(goods(item('Kava', '1', '1.50', '1.20'))).toMatch(/\n1 x Kava po 1,50 +1,20\n/)
  })

  test('is not there where it is the amount', () => {
    expect(goods(item('Kava', '1', '1.50', '1.50'))).toMatch(/\n1 x Kava +1,50\n/)
  })
})

test.each([
  ['hr', 'KOPIJAbr.3'],
  ['en', 'KOPIJACopyno.3'],
  ['both', 'KOPIJAbr.3'],
] as const)('a copy in %s says which one it is, and KOPIJA once', (language, words) => {
  const text = allText(receipt({ paper: 'compact', language, copy: 3 }), 48)
  expect(text).toContain(words)
  expect(text.match(/kopija/gi)).toHaveLength(1)
})
