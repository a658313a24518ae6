import { expect, test } from 'vitest'
import { townOf } from '../../../src/domain/premises/town.ts'

test.each([
  ['Trg kralja Tomislava 12, Zagreb', 'Zagreb'],
  ['Ilica 1, 10000 Zagreb', 'Zagreb'],
  ['Riva 3, HR-51000 Rijeka, Hrvatska', 'Rijeka'],
  ['10290 Zaprešić', 'Zaprešić'],
  [' Gat sv. Duje 1 , Slavonski Brod ', 'Slavonski Brod'],
  ['Glavni kolodvor, peron 2', ''],
  ['Zagreb Centar', ''],
  ['', ''],
  [null, ''],
])('the town of the address %j is %j', (address, town) => {
  expect(townOf(address)).toBe(town)
})
