import type { RealtimeCommand, RealtimeFinder } from '../language.ts'
import { realtimeStatus } from './status.ts'

const DLE = 0x10

/** A complete sequence, where null matches any byte, and the command that it is. */
export interface Sequence {
  bytes: (number | null)[]
  command: (n: number) => RealtimeCommand | undefined
}

/** The sequences of Epson's ESC/POS reference (DLE EOT, DLE ENQ, DLE DC4). */
export const SEQUENCES: Sequence[] = [
  { bytes: [DLE, 0x04, null], command: askStatus },
  { bytes: [DLE, 0x05, 1], command: () => ({ kind: 'recover', clear: false }) },
  { bytes: [DLE, 0x05, 2], command: () => ({ kind: 'recover', clear: true }) },
  { bytes: [DLE, 0x14, 1, null, null], command: (t) => (t >= 1 && t <= 8 ? { kind: 'pulse' } : undefined) },
  { bytes: [DLE, 0x14, 2, 1, 8], command: () => ({ kind: 'power_off' }) },
  { bytes: [DLE, 0x14, 8, 1, 3, 20, 1, 6, 2, 8], command: () => ({ kind: 'clear' }) },
]

export function askStatus(n: number): RealtimeCommand | undefined {
  if (n < 1 || n > 4) return undefined
  return { kind: 'status', length: 3, answer: ({ condition }) => Uint8Array.of(realtimeStatus(n, condition)) }
}

/** Finds sequences that begin with the same byte, also inside other commands; their bytes stay in the buffer. */
export function realtimeFinder(sequences: Sequence[]): RealtimeFinder {
  let seen: number[] = []
  const first = sequences[0]?.bytes[0]
  return (byte) => {
    if (seen.length === 0 && byte !== first) return undefined
    seen.push(byte)
    const begun = sequences.filter(({ bytes }) =>
      seen.every((value, index) => bytes[index] === null || bytes[index] === value),
    )
    const complete = begun.find(({ bytes }) => bytes.length === seen.length)
    const command = complete?.command(byte)
    if (complete || begun.length === 0) seen = !command && byte === first ? [byte] : []
    return command
  }
}
