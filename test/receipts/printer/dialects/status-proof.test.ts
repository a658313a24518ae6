import { expect, test } from 'vitest'
import { createStatusProof } from '../../../../src/receipts/printer/dialects/epson.ts'

const ANSWER = { kind: 'status' } as const

test('an answer to an earlier receipt, come late, does not prove the next one', () => {
  const proof = createStatusProof()
  const one = proof.begin()
  one.after()
  const two = proof.begin()
  two.after()
  proof.hear(ANSWER)
  expect([one.isThere(), two.isThere()]).toEqual([true, false])
  proof.hear(ANSWER)
  expect(two.isThere()).toBe(true)
})

test('whoever sends such bytes unasked proves nothing', () => {
  const proof = createStatusProof()
  const receipt = proof.begin()
  proof.hear(ANSWER)
  receipt.after()
  proof.hear(ANSWER)
  expect(receipt.isThere()).toBe(false)
})
