import type { RealtimeCommand, RealtimeFinder } from '../language.ts'
import { automaticStatus, enqStatus, eotStatus } from './status.ts'

const ESC = 0x1b
const ACK = 0x06
const SOH = 0x01

const ASB: RealtimeCommand = { kind: 'status', length: 3, answer: automaticStatus }

/** `ESC ACK SOH`, also inside of other data, as it runs when it is received [V]. */
export function askedByThreeBytes(): RealtimeFinder {
  let seen = 0
  return (byte) => {
    seen = byte === ESC ? 1 : seen === 1 && byte === ACK ? 2 : seen === 2 && byte === SOH ? 3 : 0
    if (seen !== 3) return undefined
    seen = 0
    return ASB
  }
}

const SINGLE: Record<number, RealtimeCommand> = {
  5: { kind: 'status', length: 1, answer: enqStatus },
  4: { kind: 'status', length: 1, answer: eotStatus },
}

/**
 * The same, and ENQ and EOT. The manual says that they run when they are received, and excepts nothing: neither
 * parameters of other commands nor pictures [U].
 */
export function askedByOneByteToo(): RealtimeFinder {
  const find = askedByThreeBytes()
  return (byte) => find(byte) ?? SINGLE[byte]
}
