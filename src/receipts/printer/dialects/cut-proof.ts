import type { Mark, Proof } from './dialect.ts'

type Counter = 'cuts' | 'power_ups'

/**
 * The counters of a Custom: `GS E2` sends how often it has cut, `GS E5` how often it was switched on (Custom KPM216H
 * command manual) [V], both in the order of the content. They are asked ahead of a receipt and behind it: when the
 * printer has cut in between, and was not switched on in between, all of the content is on paper. That the counter has
 * risen by the time of the answer is assumed [U]; where it has not, the receipt is `unconfirmed`. Counters that come
 * without a question prove nothing.
 */
export function createCutProof(): Proof {
  /** Answers have no id, so they are counted: the n-th one answers the n-th question. */
  const answers: Record<Counter, Map<number, number>> = { cuts: new Map(), power_ups: new Map() }
  const seen: Record<Counter, number> = { cuts: 0, power_ups: 0 }
  let asked = 0
  let unasked = 0

  const question = Uint8Array.of(0x1d, 0xe5, 0x1d, 0xe2)
  const isCounter = (mark: Mark): mark is Mark & { kind: Counter } => mark.kind === 'cuts' || mark.kind === 'power_ups'

  return {
    hear(mark) {
      if (!isCounter(mark)) return
      if (seen[mark.kind] >= asked) {
        unasked += 1
        return
      }
      seen[mark.kind] += 1
      answers[mark.kind].set(seen[mark.kind], mark.count)
    },
    begin() {
      answers.cuts.clear()
      answers.power_ups.clear()
      asked += 1
      const first = asked
      let last: number | undefined
      const unaskedBefore = unasked
      return {
        before: question,
        after() {
          asked += 1
          last = asked
          return question
        },
        isThere() {
          if (last === undefined || unasked > unaskedBefore) return false
          const [before, after] = [answers.cuts.get(first), answers.cuts.get(last)]
          const [on, still] = [answers.power_ups.get(first), answers.power_ups.get(last)]
          return before !== undefined && after !== undefined && after > before && on !== undefined && on === still
        },
      }
    },
    forget() {
      seen.cuts = asked
      seen.power_ups = asked
    },
  }
}
