import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEtbProof } from '../../../../src/receipts/printer/dialects/etb-proof.ts'

/** A Star that executes what it has, in order, and tells its counter. */
function startStar(counter = 0) {
  const proof = createEtbProof()
  const star = { counter, buffer: 0 }
  return {
    proof,
    take: (bytes: Uint8Array) => {
      star.buffer += bytes.length
    },
    execute(most = Number.POSITIVE_INFINITY) {
      const done = Math.min(most, star.buffer)
      star.buffer -= done
      star.counter = (star.counter + done) % 32
    },
    losePower() {
      star.counter = 0
      star.buffer = 0
    },
    /** What it has not executed yet. */
    left: () => star.buffer,
    answer: () => proof.hear({ kind: 'etb', count: star.counter }),
  }
}

test.each(Array.from({ length: 32 }, (_, count) => count))(
  'from a counter of %i, the end of a receipt is recognised, and half of it after a power cycle is not',
  (count) => {
    for (const cycle of [false, true]) {
      const { proof, take, execute, losePower, answer } = startStar(count)
      answer()
      const receipt = proof.begin()
      take(receipt.before)
      execute()
      if (cycle) losePower()
      take(receipt.after())
      execute()
      answer()
      expect(receipt.isThere()).toBe(!cycle)
    }
  },
)

test('without a counter in the status nothing is proved', () => {
  const { proof } = startStar()
  const receipt = proof.begin()
  receipt.after()
  proof.hear({ kind: 'etb', count: 1 })
  expect(receipt.isThere()).toBe(false)
})

test('whatever is late or lost, a receipt is proved only when all of it was executed', () => {
  const job = fc.record({
    // How much of the earlier receipts, and of this one, is executed before its content is sent.
    early: fc.nat(6),
    powerCycle: fc.boolean(),
    gaveUp: fc.boolean(),
    steps: fc.nat(20),
  })
  fc.assert(
    fc.property(fc.nat(31), fc.array(job, { minLength: 1, maxLength: 8 }), (count, jobs) => {
      const star = startStar(count)
      for (const { early, powerCycle, gaveUp, steps } of jobs) {
        star.answer()
        const receipt = star.proof.begin()
        star.take(receipt.before)
        star.execute(early)
        if (powerCycle) star.losePower()
        if (gaveUp) continue
        const after = receipt.after()
        star.take(after)
        for (let step = 0; step < steps; step += 1) {
          star.execute(1)
          star.answer()
          if (receipt.isThere()) expect(star.left()).toBeLessThan(after.length)
          if (receipt.isThere()) expect(powerCycle).toBe(false)
        }
      }
    }),
    // The third one is proved when some of the `ETB` behind it are still to come.
    { examples: [[0, [0, 0, 8, 2].map((steps) => ({ early: 0, powerCycle: false, gaveUp: false, steps }))]] },
  )
})
