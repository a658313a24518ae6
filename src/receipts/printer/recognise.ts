import type { Dialect } from './dialects/dialect.ts'
import { EPSON } from './dialects/epson.ts'
import { STAR } from './dialects/star.ts'
import type { Peer } from './printer-condition.ts'

/** Recognises what else is at the other end. @param answers whether what was received may be answers */
export function recognise(
  received: Uint8Array,
  dialect: Pick<Dialect, 'stands' | 'createSorter'>,
  answers: boolean,
): Peer | undefined {
  // Letters of an answer such as ERROR are valid status bytes.
  if (/\r\n[A-Z ]{2,}\r\n/.test(Buffer.from(received).toString('latin1'))) return 'text'
  if (answers) return undefined
  if (Buffer.from(received).includes(Buffer.from(dialect.stands.question))) return 'echo'
  if (dialect.createSorter !== STAR.createSorter && isStar(received)) return 'star'
  if (dialect.createSorter !== EPSON.createSorter && isEscPos(received)) return 'escpos'
  return undefined
}

/** Bits 0, 1, 5, 6 and 7 of the answer to `EOT`, the state of the paper, are never set, and bit 4 always is. */
const isPaperOfStar = (byte: number) => (byte & 0xf3) === 0x10
const ENOUGH_ANSWERS = 3

/**
 * It answers the `EOT` in each `DLE EOT` with one byte, or with its status of at least seven bytes, which may also come
 * by itself (STAR Line Mode Command Specifications, 3-53 and appendix 2) [V].
 */
function isStar(received: Uint8Array): boolean {
  if (received.length >= ENOUGH_ANSWERS && received.every(isPaperOfStar)) return true
  let isHeard = false
  const hear = () => {
    isHeard = true
  }
  STAR.createSorter({ state: hear, mark: hear }).push(received)
  return isHeard
}

/** Automatic status (`GS a`), four bytes; single bytes would be found in noise, too. */
function isEscPos(received: Uint8Array): boolean {
  return received.some((byte, at) => {
    const rest = received.subarray(at + 1, at + 4)
    return (byte & 0x93) === 0x10 && rest.length === 3 && rest.every((next) => (next & 0x90) === 0)
  })
}
