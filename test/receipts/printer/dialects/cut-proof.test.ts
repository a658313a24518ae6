import { expect, test } from 'vitest'
import { createCutProof } from '../../../../src/receipts/printer/dialects/cut-proof.ts'
import type { Proof } from '../../../../src/receipts/printer/dialects/dialect.ts'

function tell(proof: Proof, cuts: number, powerUps = 7): void {
  proof.hear({ kind: 'power_ups', count: powerUps })
  proof.hear({ kind: 'cuts', count: cuts })
}

test('a cut between the two answers proves the receipt', () => {
  const proof = createCutProof()
  const receipt = proof.begin()
  receipt.after()
  tell(proof, 41)
  expect(receipt.isThere()).toBe(false)
  tell(proof, 42)
  expect(receipt.isThere()).toBe(true)
})

test.each([
  ['without a cut', 41, 7],
  ['after the printer was switched off and on', 42, 8],
])('%s, nothing is proved', (_, cuts, powerUps) => {
  const proof = createCutProof()
  const receipt = proof.begin()
  receipt.after()
  tell(proof, 41)
  tell(proof, cuts, powerUps)
  expect(receipt.isThere()).toBe(false)
})

test('the late answers to an earlier receipt do not prove the next one', () => {
  const proof = createCutProof()
  proof.begin().after()
  const next = proof.begin()
  next.after()
  tell(proof, 41)
  tell(proof, 42)
  tell(proof, 42)
  expect(next.isThere()).toBe(false)
  tell(proof, 43)
  expect(next.isThere()).toBe(true)
})

test('counters that come without a question prove nothing', () => {
  const proof = createCutProof()
  const receipt = proof.begin()
  receipt.after()
  for (const cuts of [41, 42, 43]) tell(proof, cuts)
  expect(receipt.isThere()).toBe(false)
})
