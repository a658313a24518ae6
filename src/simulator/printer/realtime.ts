/** Commands that a printer runs immediately, even during another command. */
export type RealtimeCommand =
  | { kind: 'status'; n: number }
  | { kind: 'recover'; clear: boolean }
  | { kind: 'clear' }
  | { kind: 'power_off' }
  | { kind: 'pulse' }

const DLE = 0x10

// Complete sequences; null matches any byte (Epson, ESC/POS reference, DLE EOT, DLE ENQ, DLE DC4).
const SEQUENCES: { bytes: (number | null)[]; command: (n: number) => RealtimeCommand | undefined }[] = [
  { bytes: [DLE, 0x04, null], command: (n) => (n >= 1 && n <= 4 ? { kind: 'status', n } : undefined) },
  { bytes: [DLE, 0x05, 1], command: () => ({ kind: 'recover', clear: false }) },
  { bytes: [DLE, 0x05, 2], command: () => ({ kind: 'recover', clear: true }) },
  { bytes: [DLE, 0x14, 1, null, null], command: (t) => (t >= 1 && t <= 8 ? { kind: 'pulse' } : undefined) },
  { bytes: [DLE, 0x14, 2, 1, 8], command: () => ({ kind: 'power_off' }) },
  { bytes: [DLE, 0x14, 8, 1, 3, 20, 1, 6, 2, 8], command: () => ({ kind: 'clear' }) },
]

/**
 * Finds real-time commands in received bytes, also inside the data of other commands. The bytes stay in the buffer, and
 * the printer processes them again in order.
 * @returns a function that takes one byte and returns the command that it completes
 */
export function realtimeFinder(): (byte: number) => RealtimeCommand | undefined {
  let seen: number[] = []
  return (byte) => {
    if (seen.length === 0 && byte !== DLE) return undefined
    seen.push(byte)
    const begun = SEQUENCES.filter(({ bytes }) =>
      seen.every((value, index) => bytes[index] === null || bytes[index] === value),
    )
    const complete = begun.find(({ bytes }) => bytes.length === seen.length)
    const command = complete?.command(byte)
    if (complete || begun.length === 0) seen = !command && byte === DLE ? [DLE] : []
    return command
  }
}
