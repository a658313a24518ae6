/** What a printer may send, sorted (Epson, ESC/POS reference: `DLE EOT`, `GS r`, `GS ( H`, `GS a`). */
export interface Sorted {
  /** An answer to `DLE EOT n`; nothing in the byte tells to which n. */
  realtime(byte: number): void
  /** An answer to `GS r 1`. */
  status(byte: number): void
  /** An answer to function 48 of `GS ( H`: the id that it was given. */
  processId(id: string): void
}

export interface Sorter {
  push(bytes: Uint8Array): void
  /** Bytes that make no sense: noise, a wrong baud rate, or no printer at all. */
  readonly garbage: number
}

const XON = 0x11
const XOFF = 0x13
const PROCESS_ID = [0x37, 0x22]

const isRealtime = (byte: number) => (byte & 0x93) === 0x12
const isStatus = (byte: number) => (byte & 0x90) === 0
const opensAutomaticStatus = (byte: number) => (byte & 0x93) === 0x10
const isIdLetter = (byte: number) => byte >= 0x20 && byte <= 0x7e

/** A block is 4 bytes of automatic status or 7 with a process id; a block that goes wrong is read again as single bytes. */
export function createSorter(to: Sorted): Sorter {
  let waiting: number[] = []
  let garbage = 0

  /** @returns how many bytes the block at the front has; 0 when it is none; `undefined` when it may become one */
  function block(test: (byte: number, index: number) => boolean, length: number): number | undefined {
    const wrong = waiting.slice(0, length).findIndex((byte, index) => !test(byte, index))
    if (wrong !== -1) return 0
    return waiting.length < length ? undefined : length
  }

  /** @returns how many bytes were understood or dropped; `undefined` when more are needed */
  function take(): number | undefined {
    const first = waiting[0] ?? 0
    if (first === XON || first === XOFF) return 1
    if (isRealtime(first)) {
      to.realtime(first)
      return 1
    }
    if (first === PROCESS_ID[0]) {
      const length = block((byte, index) => PROCESS_ID[index] === byte || isBodyOfId(byte, index), 7)
      if (length === 7) to.processId(String.fromCharCode(...waiting.slice(2, 6)))
      if (length !== 0) return length
    }
    if (opensAutomaticStatus(first)) {
      const length = block((byte, index) => index === 0 || isStatus(byte), 4)
      if (length !== 0) return length
    }
    if (isStatus(first)) to.status(first)
    else garbage += 1
    return 1
  }

  return {
    push(bytes) {
      waiting.push(...bytes)
      while (waiting.length > 0) {
        const taken = take()
        if (taken === undefined) return
        waiting = waiting.slice(taken)
      }
    },
    get garbage() {
      return garbage
    },
  }
}

function isBodyOfId(byte: number, index: number): boolean {
  return index === 6 ? byte === 0 : index >= 2 && isIdLetter(byte)
}
