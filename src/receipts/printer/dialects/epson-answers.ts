import type { Heard, Sorter } from './dialect.ts'
import { block, createSorter } from './sorter.ts'

const XON = 0x11
const XOFF = 0x13
const PROCESS_ID = [0x37, 0x22]

const isRealtime = (byte: number) => (byte & 0x93) === 0x12
const isStatus = (byte: number) => (byte & 0x90) === 0
const opensAutomaticStatus = (byte: number) => (byte & 0x93) === 0x10
const isIdLetter = (byte: number) => byte >= 0x20 && byte <= 0x7e

/**
 * Tells the answers to `DLE EOT`, `GS r` and `GS ( H` apart (Epson, ESC/POS reference). A block is 4 bytes of automatic
 * status (`GS a`) or 7 with a process id; an invalid block is read again as single bytes.
 */
export function createEpsonSorter(heard: Heard): Sorter {
  return createSorter((bytes, at) => {
    const first = bytes[at] ?? 0
    if (first === XON || first === XOFF) return 1
    if (isRealtime(first)) {
      heard.state(Uint8Array.of(first))
      return 1
    }
    if (first === PROCESS_ID[0]) {
      const length = block(bytes, at, 7, (byte, index) => PROCESS_ID[index] === byte || isBodyOfId(byte, index))
      if (length === 7) heard.mark({ kind: 'id', id: String.fromCharCode(...bytes.subarray(at + 2, at + 6)) })
      if (length !== 0) return length
    }
    if (opensAutomaticStatus(first)) {
      const length = block(bytes, at, 4, (byte, index) => index === 0 || isStatus(byte))
      if (length !== 0) return length
    }
    if (!isStatus(first)) return 0
    heard.mark({ kind: 'status' })
    return 1
  })
}

function isBodyOfId(byte: number, index: number): boolean {
  return index === 6 ? byte === 0 : index >= 2 && isIdLetter(byte)
}
