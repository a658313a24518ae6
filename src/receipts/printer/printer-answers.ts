/** Receives a printer's answers by kind (Epson, ESC/POS reference: `DLE EOT`, `GS r`, `GS ( H`, `GS a`). */
export interface Sorted {
  /** An answer to `DLE EOT n`; the byte does not say to which n. */
  realtime(byte: number): void
  /** An answer to `GS r 1`. */
  status(byte: number): void
  /** An answer to function 48 of `GS ( H`: the id that it was given. */
  processId(id: string): void
}

export interface Sorter {
  push(bytes: Uint8Array): void
  /** Number of invalid bytes: noise, a wrong baud rate, or no printer at all. */
  readonly garbage: number
}

const XON = 0x11
const XOFF = 0x13
const PROCESS_ID = [0x37, 0x22]

const isRealtime = (byte: number) => (byte & 0x93) === 0x12
const isStatus = (byte: number) => (byte & 0x90) === 0
const opensAutomaticStatus = (byte: number) => (byte & 0x93) === 0x10
const isIdLetter = (byte: number) => byte >= 0x20 && byte <= 0x7e

/**
 * A block is 4 bytes of automatic status or 7 with a process id; an invalid block is read again as single bytes.
 * The cost of a call is linear in its bytes, because the device on the line may be anything and send any amount.
 */
export function createSorter(to: Sorted): Sorter {
  /** A block whose end has not come yet: at most 6 bytes. */
  let unfinished = new Uint8Array(0)
  let garbage = 0

  /** @returns how many bytes the block at a place has; 0 when it is none; `undefined` when it may become one */
  function block(bytes: Uint8Array, at: number, length: number, test: (byte: number, index: number) => boolean) {
    const end = Math.min(at + length, bytes.length)
    for (let next = at; next < end; next++) if (!test(bytes[next] ?? 0, next - at)) return 0
    return end - at < length ? undefined : length
  }

  /** @returns how many bytes at a place were understood or dropped; `undefined` when more are needed */
  function take(bytes: Uint8Array, at: number): number | undefined {
    const first = bytes[at] ?? 0
    if (first === XON || first === XOFF) return 1
    if (isRealtime(first)) {
      to.realtime(first)
      return 1
    }
    if (first === PROCESS_ID[0]) {
      const length = block(bytes, at, 7, (byte, index) => PROCESS_ID[index] === byte || isBodyOfId(byte, index))
      if (length === 7) to.processId(String.fromCharCode(...bytes.subarray(at + 2, at + 6)))
      if (length !== 0) return length
    }
    if (opensAutomaticStatus(first)) {
      const length = block(bytes, at, 4, (byte, index) => index === 0 || isStatus(byte))
      if (length !== 0) return length
    }
    if (isStatus(first)) to.status(first)
    else garbage += 1
    return 1
  }

  return {
    push(arrived) {
      const bytes = unfinished.length === 0 ? arrived : joined(unfinished, arrived)
      let at = 0
      while (at < bytes.length) {
        const taken = take(bytes, at)
        if (taken === undefined) break
        at += taken
      }
      // A copy, because a view would keep the whole input in memory.
      unfinished = Uint8Array.from(bytes.subarray(at))
    },
    get garbage() {
      return garbage
    },
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

function isBodyOfId(byte: number, index: number): boolean {
  return index === 6 ? byte === 0 : index >= 2 && isIdLetter(byte)
}
