import { NOTHING, type Proof } from './proof.ts'

/**
 * `GS r 1`: answered in the order of the content, and not while the paper is out (Epson, ESC/POS reference). The answers
 * have no id, so they are counted: as many must come as were asked for. One that nobody asked for proves that the other
 * end sends such bytes anyway, so nothing is proved by it. It is answered when it is read, which in a printer with a line
 * buffer is before the paper is out.
 */
export function createStatusProof(): Proof {
  let seen = 0
  let due = 0
  let unasked = 0

  return {
    hear(mark) {
      if (mark.kind !== 'status') return
      if (seen >= due) unasked += 1
      seen += 1
    },
    begin() {
      let own = Number.POSITIVE_INFINITY
      const before = unasked
      return {
        before: NOTHING,
        after() {
          due = Math.max(due, seen) + 1
          own = due
          return Uint8Array.of(0x1d, 0x72, 1)
        },
        isThere: () => seen >= own && unasked === before,
        mayComeAhead: true,
      }
    },
    forget() {
      due = seen
    },
  }
}
