import type { Heard, Mark, Sorter } from './dialect.ts'
import { block, createSorter, isFlowControl } from './sorter.ts'

const PROCESS_ID = [0x37, 0x22]
/** The list of pictures in the memory of the printer (`GS ( L`, function 64). */
const KEYS = [0x37, 0x72]
const MOST_KEY_BYTES = KEYS.length + 1 + 80 + 1

const isRealtime = (byte: number) => (byte & 0x93) === 0x12
const isStatus = (byte: number) => (byte & 0x90) === 0
const opensAutomaticStatus = (byte: number) => (byte & 0x93) === 0x10
const isIdLetter = (byte: number) => byte >= 0x20 && byte <= 0x7e

/**
 * Tells the answers to `DLE EOT`, `GS r`, `GS ( H` and `GS ( L` apart (Epson, ESC/POS reference). A block is 4 bytes of automatic
 * status (`GS a`) or 7 with a process id; an invalid block is read again as single bytes.
 */
export function createEpsonSorter(heard: Heard): Sorter {
  return createSorter((bytes, at) => {
    const first = bytes[at] ?? 0
    if (isFlowControl(first)) return 1
    if (isRealtime(first)) {
      heard.state(Uint8Array.of(first))
      return 1
    }
    if (first === PROCESS_ID[0]) {
      const length = block(bytes, at, 7, (byte, index) => PROCESS_ID[index] === byte || isBodyOfId(byte, index))
      if (length === 7) heard.mark({ kind: 'id', id: String.fromCharCode(...bytes.subarray(at + 2, at + 6)) })
      if (length !== 0) return length
    }
    if (first === KEYS[0]) {
      const length = keysAt(bytes, at)
      if (length === undefined || length > 0) {
        if (length) heard.mark(keysIn(bytes.subarray(at, at + length)))
        return length
      }
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

/** Head, whether more follows, at most 40 keys of two characters, NUL. @returns as `block` */
function keysAt(bytes: Uint8Array, at: number): number | undefined {
  for (let index = 0; index < MOST_KEY_BYTES; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return undefined
    if (index < KEYS.length ? byte !== KEYS[index] : index === KEYS.length && (byte & 0xfe) !== 0x40) return 0
    if (index <= KEYS.length) continue
    if (byte === 0) return index % 2 === 1 ? index + 1 : 0
    if (!isIdLetter(byte)) return 0
  }
  return 0
}

function keysIn(bytes: Uint8Array): Mark {
  const keys = Buffer.from(bytes.subarray(3, -1)).toString('latin1').match(/../g) ?? []
  return { kind: 'keys', keys, isMore: bytes[2] === 0x41 }
}

const isBodyOfId = (byte: number, index: number): boolean => (index === 6 ? byte === 0 : index >= 2 && isIdLetter(byte))
