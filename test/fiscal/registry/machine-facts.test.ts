import { expect, test } from 'vitest'
import { keptFacts, machineChange } from '../../../src/fiscal/registry/machine-facts.ts'

const PI = ['board 10000000a1b2c3d4', 'adapter d8:3a:dd:00:00:01', 'system 0123'] as const

test.each([
  ['nothing is kept yet', [], PI, null],
  ['the same board with a new card, system and adapter', PI, ['board 10000000a1b2c3d4', 'system 4567'], null],
  [
    'a copy of the card in another board',
    PI,
    ['board 10000000ffff0000', 'adapter d8:3a:dd:00:00:01', 'system 0123'],
    'board',
  ],
  ['a PC with one of its two adapters', ['adapter a', 'adapter b'], ['adapter b', 'adapter c'], null],
  ['a copy of the disk in another PC', ['adapter a', 'system 0123'], ['adapter b', 'system 0123'], 'adapter'],
  ['a PC whose adapters cannot be seen now', ['adapter a', 'system 0123'], ['system 0123'], null],
  ['a system that an image tool has renewed, where the board says nothing', ['system 0123'], ['system 4567'], 'system'],
  ['an operator who names the machine from now on', PI, ['given B', ...PI], null],
  ['another name, whatever the board says', ['given A', ...PI], ['given B', ...PI], 'given'],
] as const)('%s is told apart by what does not travel with a card', (_, before, now, differs) => {
  const change = machineChange(before, now)
  expect(change === null ? null : [change.before, change.now]).toEqual(
    differs && [before, now].map((facts) => facts.find((fact) => fact.startsWith(differs))?.split(' ')[1]),
  )
})

test('what a machine does not say today is kept from before', () => {
  expect(keptFacts(['adapter a', 'system 0123'], ['given B', 'system 0123'])).toEqual([
    'given B',
    'system 0123',
    'adapter a',
  ])
})
