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

const ZKI = /\bZKI: ([0-9a-f]{32})\b/g

export function openPaper(dir: string): Paper {
  mkdirSync(dir)
  return {
    lineOf: (machine) => `file:${join(dir, `${machine}.bin`)}`,
    zkis() {
      const files = existsSync(dir) ? readdirSync(dir).sort() : []
      const texts = files.map((file) => readFileSync(join(dir, file), 'latin1'))
      return texts.flatMap((text) => [...text.matchAll(ZKI)].map(([, zki]) => String(zki)))
    },
  }
}
