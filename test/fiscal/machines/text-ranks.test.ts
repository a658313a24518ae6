import { expect, test } from 'vitest'
import { createTextRanks } from '../../../src/fiscal/machines/machine-list.ts'

const inOrder = (texts: string[], ranks: ReadonlyMap<string, number>) =>
  texts.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))

test('texts are in Croatian order, numbers within them count, and new ones find their place among those before', async () => {
  const ranksOf = createTextRanks()
  const first = ['Stroj 10', 'Čaj', 'Stroj 9', 'Cola', 'Džem']
  expect(inOrder(first, await ranksOf(first))).toEqual(['Cola', 'Čaj', 'Džem', 'Stroj 9', 'Stroj 10'])
  const more = [...first, 'Stroj 9a', 'Ananas', 'Žele']
  const wanted = ['Ananas', 'Cola', 'Čaj', 'Džem', 'Stroj 9', 'Stroj 9a', 'Stroj 10', 'Žele']
  expect(inOrder(more, await ranksOf(more))).toEqual(wanted)
  expect(inOrder(first, await ranksOf(first))).toEqual(['Cola', 'Čaj', 'Džem', 'Stroj 9', 'Stroj 10'])
})

test('thousands of texts are ranked as one comparison after another ranks them', async () => {
  const texts = Array.from({ length: 2500 }, (_, i) => `Stroj ${(i * 7919) % 2500}`)
  const sorted = texts.toSorted(new Intl.Collator('hr', { numeric: true }).compare)
  expect(inOrder(texts, await createTextRanks()(texts))).toEqual(sorted)
})
