import { ERROR, OFFLINE, readCondition } from '../printer-condition.ts'
import type { Answer, Ask, Dialect } from './dialect.ts'
import { createEpsonSorter } from './epson-answers.ts'
import { createIdProof } from './id-proof.ts'
import { counting } from './proof.ts'
import { NULS } from './recover.ts'
import { createStatusProof } from './status-proof.ts'

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
