import { expect, test } from 'vitest'
import { learnNumbers } from '../../../src/fiscal/numbering/learned-numbers.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

test('an answer that names a sequence again and again lifts it no farther than an answer that names it once', async () => {
  const store = await freshStore()
  const { companyId, sold } = await openShop(store)
  const { document, year } = await sold()
  const sequence = { companyId, mode: 'test', premisesCode: document.premisesCode, year, register: '' } as const
  const climbing = [900_000, 1_800_000, 2_700_000].map((highest) => ({
    ...{ ...sequence, highest: String(highest), level: null },
  }))
  const { kept } = await store.transaction((tx) => learnNumbers(tx, clerkOf(), climbing, Date.now(), true))
  expect(kept).toMatchObject([
    { highest: '1800000', doubt: 'out_of_reach' },
    { highest: '2700000', doubt: 'out_of_reach' },
  ])
  expect(await store.numbering.highest(sequence)).toBe('900000')
})
