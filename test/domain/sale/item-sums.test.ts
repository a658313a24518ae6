import { expect, test } from 'vitest'
import { checkItemSums, countDiffering } from '../../../src/domain/sale/item-sums.ts'

const amounts = (...all: string[]) => all.map((amount) => ({ amount }))

test.each([
  ['no items', [], 250n, []],
  ['their sum is the total', ['1.00', '1.50'], 250n, []],
  ['a discount is an item', ['3.00', '-0.50'], 250n, []],
  ['all is refunded', ['-1.00', '-1.50'], -250n, []],
  ['the deposit is an item, too', ['2.40', '0.10'], 250n, ['0.10']],
  ['the deposit is a fee alone', ['2.40'], 250n, ['0.07', '0.03']],
  ['it is given away', ['0.00'], 0n, []],
] as const)('items are taken: %s', (_, items, total, fees) => {
  expect(() => checkItemSums(amounts(...items), total, amounts(...fees))).not.toThrow()
})

test.each([
  ['a cent less', ['2.49'], 250n, [], 'add up to 2.49, and total is 2.50'],
  ['the wrong sign', ['2.50'], -250n, [], 'add up to 2.50, and total is -2.50'],
  ['one of two fees', ['2.47'], 250n, ['0.07', '0.03'], 'add up to 2.47 (2.57 with the fees), and total is 2.50'],
] as const)('items are refused: %s', (_, items, total, fees, said) => {
  const refused = () => checkItemSums(amounts(...items), total, amounts(...fees))
  expect(refused).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'items' }))
  expect(refused).toThrow(said)
})

test.each([
  ['1', '2.50', '2.50', 0],
  ['0.333', '3.00', '1.00', 0],
  ['0.333', '3.00', '0.99', 0],
  ['-2', '1.00', '-2.00', 0],
  ['2', '1.00', '1.80', 1],
  ['1.5', '1.00', '1.51', 1],
])('%s times %s and %s: %i amounts differ', (quantity, unit_price, amount, count) => {
  expect(countDiffering([{ quantity, unit_price, amount }])).toBe(count)
})
