import { expect, test } from 'vitest'
import { createIdProof } from '../../../../src/receipts/printer/dialects/epson.ts'

const idOf = (question: Uint8Array) => Buffer.from(question.subarray(7)).toString()

test('a process id comes again only when all others have', () => {
  const proof = createIdProof(36 ** 4 - 2)
  expect([1, 2, 3].map(() => idOf(proof.begin().after()))).toEqual(['ZZZY', 'ZZZZ', '0000'])
})

test('an id that is answered proves its receipt and no other one', () => {
  const proof = createIdProof()
  const [one, two] = [proof.begin(), proof.begin()]
  const id = idOf(one.after())
  proof.hear({ kind: 'id', id })
  two.after()
  proof.hear({ kind: 'id', id })
  expect([one.isThere(), two.isThere()]).toEqual([true, false])
})

test('an id that came before it was asked for proves nothing', () => {
  const proof = createIdProof(0)
  const receipt = proof.begin()
  proof.hear({ kind: 'id', id: '0000' })
  receipt.after()
  expect(receipt.isThere()).toBe(false)
})
