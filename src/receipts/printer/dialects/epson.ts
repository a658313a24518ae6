import { randomInt } from 'node:crypto'
import { ERROR, OFFLINE, readCondition } from '../printer-condition.ts'
import {
  type Answer,
  type Ask,
  counting,
  type Dialect,
  type Heard,
  type Mark,
  NOTHING,
  NULS,
  type Proof,
  type Sorter,
} from './dialect.ts'
import { block, createSorter } from './sorter.ts'

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

const LETTERS = 4
const IDS = 36 ** LETTERS

/**
 * Function 48 of `GS ( H`: the printer sends an id back when it has printed all before it (Epson, ESC/POS reference).
 * No id repeats before all others were used, so a late answer cannot match wrongly; each start begins at another one.
 */
export function createIdProof(start = randomInt(IDS)): Proof {
  let next = start
  let awaited: { id: string; isThere: boolean } | undefined

  return {
    hear(mark) {
      if (mark.kind === 'id' && mark.id === awaited?.id) awaited.isThere = true
    },
    begin() {
      const id = next.toString(36).toUpperCase().padStart(LETTERS, '0')
      next = (next + 1) % IDS
      const own = { id, isThere: false }
      return {
        before: NOTHING,
        after() {
          // Answers that came before belong to another receipt.
          awaited = own
          return Buffer.from(`\x1d(H\x06\x0000${id}`, 'latin1')
        },
        isThere: () => own.isThere,
      }
    },
    forget() {},
  }
}

/**
 * `GS r 1`: answered in the order of the content, and not while the paper is out (Epson, ESC/POS reference). The answers
 * have no id, so they are counted: as many must come as were asked for. One that nobody asked for proves that the other
 * end sends such bytes anyway, so nothing is proved by it. It is answered when it is read, which in a printer with a line
 * buffer is before the paper is out.
 */
export function createStatusProof(): Proof {
  let seen = 0
  let due = 0
  let unasked = 0

  return {
    hear(mark) {
      if (mark.kind !== 'status') return
      if (seen >= due) unasked += 1
      seen += 1
    },
    begin() {
      let own = Number.POSITIVE_INFINITY
      const before = unasked
      return {
        before: NOTHING,
        after() {
          due = Math.max(due, seen) + 1
          own = due
          return Uint8Array.of(0x1d, 0x72, 1)
        },
        isThere: () => seen >= own && unasked === before,
        mayComeAhead: true,
      }
    },
    forget() {
      due = seen
    },
  }
}

const XON = 0x11
const XOFF = 0x13
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
