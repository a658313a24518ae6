import { type Proof, UNPROVABLE } from './dialect.ts'

const ETB = 0x17
/** The counter has five bits. */
const COUNTS = 32

/**
 * The counter of executed `ETB` in the status of a Star. The printer executes an `ETB` when it has printed all before it
 * (STAR Line Mode Command Specifications, 3-54). The counter is 0 after a power cycle, and turns over after 31; so a
 * receipt begins and ends with as many `ETB` as make the count at its end one that neither a power cycle in the middle
 * nor the late end of earlier receipts can make. `ESC RS E`, which clears the counter, would make each end look alike.
 */
export function createEtbProof(): Proof {
  /** The last count that came, if any. */
  let heard: number | undefined
  /** The most `ETB` that earlier receipts may have left in the buffer of the printer. */
  let pending = 0

  return {
    hear(mark) {
      if (mark.kind === 'etb') heard = mark.count
    },
    begin() {
      const from = heard
      const plan = from === undefined ? undefined : planFrom(from, pending)
      // Without a count, or with too many `ETB` on their way.
      if (from === undefined || !plan) return UNPROVABLE
      const { ahead, behind } = plan
      const least = pending + ahead + 1
      /** How many `ETB` the printer may still have when it tells this count at the end; undefined before the end. */
      const leftAt = (count: number) => {
        const left = least + behind - 1 - ((count - from + COUNTS) % COUNTS)
        return left >= 0 && left < behind ? left : undefined
      }
      let isSent = false
      let isThere = false
      pending += ahead
      return {
        before: new Uint8Array(ahead).fill(ETB),
        after() {
          isSent = true
          pending += behind
          return new Uint8Array(behind).fill(ETB)
        },
        isThere() {
          const left = isSent && !isThere && heard !== undefined ? leftAt(heard) : undefined
          if (left !== undefined) {
            isThere = true
            pending = left
          }
          return isThere
        },
      }
    },
    forget() {
      pending = 0
    },
  }
}

/** How many `ETB` go ahead and behind when the counter is at `from` and `pending` may come; undefined if uncertain. */
function planFrom(from: number, pending: number): { ahead: number; behind: number } | undefined {
  const behind = pending + 1
  for (let ahead = 1; pending + ahead + behind < COUNTS; ahead += 1) {
    const ends = Array.from({ length: behind }, (_, index) => (from + pending + ahead + 1 + index) % COUNTS)
    // After a power cycle in the middle of the content, the counter gets as far as `behind`.
    if (ends.every((end) => end > behind)) return { ahead, behind }
  }
  return undefined
}
