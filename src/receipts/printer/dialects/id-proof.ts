import { randomInt } from 'node:crypto'
import { NOTHING, type Proof } from './proof.ts'

const LETTERS = 4
const IDS = 36 ** LETTERS

/**
 * Function 48 of `GS ( H`: the printer sends an id back when it has printed all before it (Epson, ESC/POS reference).
 * No id repeats before all others were used, so a late answer cannot match wrongly; each start begins at another one.
 */
export function createIdProof(start = randomInt(IDS)): Proof {
  let next = start
  let awaited: { id: string; isThere: boolean } | undefined

  return {
    hear(mark) {
      if (mark.kind === 'id' && mark.id === awaited?.id) awaited.isThere = true
    },
    begin() {
      const id = next.toString(36).toUpperCase().padStart(LETTERS, '0')
      next = (next + 1) % IDS
      const own = { id, isThere: false }
      return {
        before: NOTHING,
        after() {
          // Answers that came before belong to another receipt.
          awaited = own
          return Buffer.from(`\x1d(H\x06\x0000${id}`, 'latin1')
        },
        isThere: () => own.isThere,
      }
    },
    forget() {},
  }
}
