import type { PrinterFault, Reported } from '../printer-condition.ts'
import { createCutProof } from './cut-proof.ts'
import { type Answer, askedAtOnce, counting, type Dialect, type Heard, NULS, type Sorter } from './dialect.ts'
import { block, createSorter, isFlowControl } from './sorter.ts'

/**
 * Custom: `DLE EOT 20`, the full status (Custom KPM150, KPM216H and KPM300 command manuals) [V]; the VKP80III has the
 * same bytes [S]. `DLE EOT` 1 to 4 exist as well, but do not name the faults of the presenter.
 */
export const CUSTOM: Dialect = {
  wake: Uint8Array.of(0x1b, 0x40), // ESC @
  recover: NULS,
  ...askedAtOnce(Uint8Array.of(0x10, 0x04, 20), reportOf),
  createSorter: createCustomSorter,
  createProof: ({ confirm }, interrupted) =>
    confirm === 'custom' ? counting(createCutProof(), interrupted) : undefined,
}

const HEAD = [0x10, 0x0f]
const STATUS_BYTES = 6
/** Counters come as text, such as `2376 cuts` and `512on`. */
const COUNTERS = { cuts: 'cuts', on: 'power_ups' } as const
const MOST_DIGITS = 10
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

function createCustomSorter(heard: Heard): Sorter {
  return createSorter((bytes, at) => {
    const first = bytes[at]
    // Some firmware ends its text with blanks, a line end or a zero byte.
    if (isFlowControl(first) || first === 0x00 || first === 0x0a || first === 0x0d || first === 0x20) return 1
    if (isDigit(first)) return readCounter(heard, bytes, at)
    const length = block(bytes, at, STATUS_BYTES, (byte, index) => index > 1 || byte === HEAD[index])
    if (length) heard.state(Uint8Array.from(bytes.subarray(at, at + length)))
    return length
  })
}

function readCounter(heard: Heard, bytes: Uint8Array, at: number): number | undefined {
  let end = at
  while (isDigit(bytes[end]) && end - at <= MOST_DIGITS) end += 1
  const count = Number(Buffer.from(bytes.subarray(at, end)).toString())
  if (bytes[end] === 0x20) end += 1
  for (const [unit, kind] of Object.entries(COUNTERS)) {
    const said = Buffer.from(bytes.subarray(end, end + unit.length)).toString('latin1')
    if (said === unit) {
      heard.mark({ kind, count })
      return end + unit.length - at
    }
    if (end + said.length === bytes.length && unit.startsWith(said) && end - at <= MOST_DIGITS) return undefined
  }
  return 0
}

const FAULT_BITS: readonly (readonly [byte: number, bit: number, PrinterFault])[] = [
  [5, 0x01, 'cutter'],
  [5, 0x02, 'cutter'], // its cover is open
  [4, 0x01, 'overheated'],
  [4, 0x40, 'mechanical'], // paper jam
  [4, 0x08, 'unrecoverable'], // voltage of the power supply
  [5, 0x8c, 'unrecoverable'], // memory, presenter
]

/** The head is up, the cover is open: opening the cover lifts the head, so each of them is an open cover. */
const COVER_OPEN = 0x03

/** Bytes 2 to 5: paper, user, recoverable errors, unrecoverable errors. */
function reportOf(answer: Answer): Reported {
  const [, , paper = 0, user = 0] = answer
  const faults = FAULT_BITS.filter(([at, bit]) => (answer[at] ?? 0) & bit).map(([, , fault]) => fault)
  return {
    offline: false,
    cover: user & COVER_OPEN ? 'open' : 'closed',
    paper: paper & 0x01 ? 'out' : paper & 0x04 ? 'near_end' : 'ok',
    faults: [...new Set(faults)],
  }
}
