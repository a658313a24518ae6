import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What came out of the machines' printers, which are files. */
export interface Paper {
  /** The line to a machine's printer. */
  lineOf(machine: number): string
  /** What the technician sets beside the line: a file never answers, of another line that has to be said. */
  settings?: { answers: 'never' }
  /** The ZKI of every receipt, each as often as it stands there; one that a kill cut off before its ZKI is none. */
  zkis(): string[]
}

/** Beside the QR code of some printers there is room for half a ZKI in a line. */
const ZKI = /\bZKI: ([0-9a-f]{16})(?:\n[^0-9\n]*)?([0-9a-f]{16})\b/g

/** The ZKIs of receipts on paper; one that was cut off before its end is none. */
export const zkisOn = (paper: string): string[] =>
  [...paper.matchAll(ZKI)].map(([, begin = '', end = '']) => begin + end)

export function openPaper(dir: string): Paper {
  mkdirSync(dir)
  return {
    lineOf: (machine) => `file:${join(dir, `${machine}.bin`)}`,
    zkis() {
      const files = existsSync(dir) ? readdirSync(dir).sort() : []
      return files.flatMap((file) => zkisOn(readFileSync(join(dir, file), 'latin1')))
    },
  }
}
