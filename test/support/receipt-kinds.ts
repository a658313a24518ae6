import type { PrinterProfile, PrinterSettings } from '../../src/domain/printer.ts'
import { Machine, type MachineOptions, type Paper } from '../../src/simulator/index.ts'

/** A printer that can prove a receipt: what it is, how it is set up, and made-up receipts in its language. */
export interface ReceiptKind {
  name: string
  machine: MachineOptions
  profile: PrinterProfile
  settings: Partial<PrinterSettings>
  /** Every line is another one, and the last one tells that all is there. */
  receipt(title?: string, lines?: number, bands?: number): Uint8Array[]
}

const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))))
const lineOf = (title: string, n: number) => `${title} line ${String(n).padStart(3, '0')} of goods 1,00`
const repeat = (count: number, make: (n: number) => Uint8Array) => Array.from({ length: count }, (_, n) => make(n))

/** Start, text, a picture in bands, feed and cut. */
function textReceipt({ start, band, end }: Record<'start' | 'band' | 'end', Uint8Array>): ReceiptKind['receipt'] {
  return (title = 'ONE', lines = 30, bands = 4) => [
    start,
    ...repeat(lines, (n) => bytes(`${lineOf(title, n)}\n`)),
    ...repeat(bands, () => band),
    Buffer.concat([bytes(`${title} end\n`), end]),
  ]
}

const ESCPOS = {
  start: bytes('\x1b@\x1c.\x1bt\x12'),
  band: Buffer.concat([bytes('\x1dv0', 0, 36, 0, 14, 0), Buffer.alloc(36 * 14, 0xaa)]),
}
const escpos = textReceipt({ ...ESCPOS, end: bytes('\x1dVB', 0) })
const presented = textReceipt({ ...ESCPOS, start: bytes('\x1b@\x1bt\x12'), end: bytes('\x1cP', 16, 1, 'E', 0) })
const starLine = textReceipt({
  start: bytes('\x1b@\x1b0\x1b\x1dt', 1),
  band: Buffer.concat([bytes('\x1bk', 20, 0), Buffer.alloc(20 * 24, 0xaa), bytes('\n')]),
  end: bytes('\x1bd', 3),
})

/** The letters of a line are the dots of a row. */
function starRaster(title = 'ONE', lines = 30, bands = 4): Uint8Array[] {
  const row = (data: Uint8Array) => Buffer.concat([bytes('b', data.length, 0), data])
  return [
    bytes('\x1b*rA\x1b*rP0', 0, '\x1b*rE13', 0),
    ...repeat(lines, (n) => row(bytes(lineOf(title, n)))),
    ...repeat(bands, () => Buffer.concat(repeat(14, () => row(Buffer.alloc(36, 0xaa))))),
    Buffer.concat([row(bytes(`${title} end`)), bytes('\x1b*rB')]),
  ]
}

export const RECEIPT_KINDS: readonly [ReceiptKind, ReceiptKind, ...ReceiptKind[]] = [
  {
    name: 'Epson, which returns a process id',
    machine: {},
    profile: 'epson-tm-t20',
    settings: { confirm: 'process_id' },
    receipt: escpos,
  },
  {
    name: 'Epson, which answers GS r',
    machine: {},
    profile: 'epson-tm-t20',
    settings: { confirm: 'status' },
    receipt: escpos,
  },
  {
    name: 'Custom, which counts cuts',
    machine: { maker: 'custom' },
    profile: 'custom-vkp80iii',
    settings: {},
    receipt: presented,
  },
  {
    name: 'Star in line mode, which counts ETB',
    machine: { commands: 'star_line' },
    profile: 'star-line',
    settings: {},
    receipt: starLine,
  },
  {
    name: 'Star in raster mode, which counts ETB',
    machine: { commands: 'star_raster' },
    profile: 'star-tsp100',
    settings: {},
    receipt: starRaster,
  },
]

export function bytesIn(segments: readonly Uint8Array[]): number {
  return segments.reduce((sum, { length }) => sum + length, 0)
}

/** How often a receipt lies there whole and cut, as its dots show. The measure is what a printer without faults makes of it. */
export function timesOnPaper({ machine }: ReceiptKind, papers: Paper[], segments: readonly Uint8Array[]): number {
  const ideal = new Machine({ ...machine, bufferBytes: 1 << 20 })
  for (const segment of segments) ideal.receive(segment)
  const [whole] = ideal.papers
  void ideal.close()
  if (!whole?.cut) throw new Error('This is no receipt that ends with a cut')
  const dotsOf = (paper: Paper) => `\n${rowsOf(paper).join('\n')}\n`
  const wanted = dotsOf(whole)
  return papers.filter((paper) => paper.cut && dotsOf(paper).includes(wanted)).length
}

const read = new WeakMap<Paper, string[]>()

/** The rows of dots without blank ones around them. */
function rowsOf(paper: Paper): string[] {
  const known = read.get(paper)
  if (known) return known
  const rows = paper.rows()
  const isPrinted = (row: string) => /[^0]/.test(row)
  const printed = rows.slice(rows.findIndex(isPrinted), rows.findLastIndex(isPrinted) + 1)
  read.set(paper, printed)
  return printed
}
