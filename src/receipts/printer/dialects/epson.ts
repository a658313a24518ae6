import { randomInt } from 'node:crypto'
import { ERROR, OFFLINE, readCondition } from '../printer-condition.ts'
import { type Answer, type Ask, counting, type Dialect, NOTHING, NULS, type Proof } from './dialect.ts'
import { createEpsonSorter } from './epson-answers.ts'

const dleEot = (n: number) => Uint8Array.of(0x10, 0x04, n)
const [PRINTER, CAUSE, FAULT, PAPER] = [dleEot(1), dleEot(2), dleEot(3), dleEot(4)]
const byteOf = (answer: Answer | undefined) => answer?.[0] ?? null

/** Epson and the printers that take its commands: `DLE EOT n`, and at the end `GS ( H` or `GS r`. */
export const EPSON: Dialect = {
  storesLogos: true,
  wake: Uint8Array.of(0x1b, 0x40), // ESC @
  recover: NULS,
  stands: { question: PRINTER, read: (answer) => ((answer[0] ?? 0) & OFFLINE) !== 0 },
  async look(ask: Ask) {
    const printer = byteOf(await ask(PRINTER))
    if (printer === null) return undefined
    const cause = byteOf(await ask(CAUSE))
    const fault = cause !== null && cause & ERROR ? byteOf(await ask(FAULT)) : null
    const paper = byteOf(await ask(PAPER))
    return { condition: readCondition({ printer, cause, fault, paper }), whole: cause !== null && paper !== null }
  },
  createSorter: createEpsonSorter,
  createProof({ confirm }, interrupted) {
    if (confirm === 'process_id') return createIdProof()
    return confirm === 'status' ? counting(createStatusProof(), interrupted) : undefined
  },
}

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
