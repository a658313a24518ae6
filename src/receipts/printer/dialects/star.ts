import type { PrinterFault, Reported } from '../printer-condition.ts'
import { type Answer, askedAtOnce, counting, type Dialect, type Heard, NULS, type Sorter } from './dialect.ts'
import { createEtbProof } from './etb-proof.ts'
import { createSorter, isFlowControl } from './sorter.ts'

const SILENCE = Uint8Array.of(0x1b, 0x1e, 0x61, 0) // ESC RS a 0

/**
 * Star in its own command sets (STAR Line Mode Command Specifications Rev. 0.09, 3-53 and appendix 2; STAR Graphic Mode
 * Specifications Rev. 2.32, 3-1-3, for models that take raster mode only) [V]. The printer must not send its state by
 * itself while it is asked for it (appendix 2), so that is switched off on each line.
 */
export const STAR: Dialect = {
  atOpen: SILENCE,
  // A printer that stands executes that only when it goes on.
  reportsByItself: true,
  wake: SILENCE,
  recover: NULS,
  ...askedAtOnce(Uint8Array.of(0x1b, 0x06, 0x01), reportOf), // ESC ACK SOH, answered at once
  createSorter: createStarSorter,
  createProof: ({ confirm }, interrupted) => (confirm === 'star' ? counting(createEtbProof(), interrupted) : undefined),
}

/** Raster mode: a receipt that was cut off leaves the printer in it (3-92); then it is ended and cut. */
export const STAR_RASTER: Dialect = { ...STAR, recover: Uint8Array.from([...NULS, 0x1b, 0x2a, 0x72, 0x42]) }

/** Both headers and the first printer status. */
const LEAST_BYTES = 3
const MOST_BYTES = 15
/** Bit of the second header: two bytes follow the status, which are the length of further data. */
const EXTENDED = 0x80
const MOST_DATA = 0x200

/** Bits 1 to 3 and 5 of the first header are the number of bytes, headers included. */
const lengthOf = (header: number) => ((header >> 1) & 0x07) | ((header & 0x20) >> 2)

/** The one byte that a Star in line mode answers to an `ENQ` or `EOT`, also to one in the dots of a logo (3-53) [V]. */
const isAnswerByChance = (byte: number) => (byte & 0xd3) === 0 || (byte & 0xf3) === 0x10

function createStarSorter(heard: Heard): Sorter {
  return createSorter((bytes, at) => {
    const first = bytes[at] ?? 0
    if (isFlowControl(first) || isAnswerByChance(first)) return 1
    const length = lengthOf(first)
    if ((first & 0xd1) !== 0x01 || length < LEAST_BYTES || length > MOST_BYTES) return 0
    const version = bytes[at + 1]
    if (version === undefined) return undefined
    if ((version & 0x11) !== 0) return 0
    const answer = Uint8Array.from(bytes.subarray(at, at + length))
    if (answer.some((byte, index) => index > 1 && (byte & 0x91) !== 0)) return 0
    const whole = length + (version & EXTENDED ? 2 : 0)
    if (bytes.length - at < whole) return undefined
    // Printers with a network interface append data of that length, none after a question of ours.
    const data = version & EXTENDED ? ((bytes[at + length] ?? 0) << 8) | (bytes[at + length + 1] ?? 0) : 0
    if (data > MOST_DATA) return 0
    if (bytes.length - at < whole + data) return undefined
    const counter = answer[7]
    if (counter !== undefined) heard.mark({ kind: 'etb', count: ((counter & 0x0e) >> 1) | ((counter & 0x60) >> 2) })
    // What has data after it answers another question, which bytes of a picture may have asked by chance.
    if (data === 0) heard.state(answer)
    return whole + data
  })
}

const FAULT_BITS: readonly (readonly [byte: number, bit: number, PrinterFault])[] = [
  [3, 0x08, 'cutter'],
  [3, 0x40, 'overheated'],
  [3, 0x20, 'unrecoverable'],
  [3, 0x04, 'mechanical'],
  [4, 0x04, 'mechanical'], // paper jam in the presenter
  [4, 0x02, 'mechanical'], // head up
]

function reportOf(answer: Answer): Reported {
  const [, , status = 0] = answer
  const paper = answer[5]
  return {
    offline: (status & 0x08) !== 0,
    cover: status & 0x20 ? 'open' : 'closed',
    paper: paper === undefined ? null : paper & 0x08 ? 'out' : paper & 0x06 ? 'near_end' : 'ok',
    faults: FAULT_BITS.filter(([at, bit]) => (answer[at] ?? 0) & bit).map(([, , fault]) => fault),
  }
}
