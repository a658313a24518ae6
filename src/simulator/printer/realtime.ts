/** What a printer does at once, whatever it is in the middle of. */
export type RealtimeCommand =
  | { kind: 'status'; n: number }
  | { kind: 'recover'; clear: boolean }
  | { kind: 'clear' }
  | { kind: 'power_off' }
  | { kind: 'pulse' }

const DLE = 0x10

// Complete sequences; a null stands for any byte (Epson, ESC/POS reference, DLE EOT, DLE ENQ, DLE DC4).
const SEQUENCES: { bytes: (number | null)[]; command: (n: number) => RealtimeCommand | undefined }[] = [
  { bytes: [DLE, 0x04, null], command: (n) => (n >= 1 && n <= 4 ? { kind: 'status', n } : undefined) },
  { bytes: [DLE, 0x05, 1], command: () => ({ kind: 'recover', clear: false }) },
  { bytes: [DLE, 0x05, 2], command: () => ({ kind: 'recover', clear: true }) },
  { bytes: [DLE, 0x14, 1, null, null], command: (t) => (t >= 1 && t <= 8 ? { kind: 'pulse' } : undefined) },
  { bytes: [DLE, 0x14, 2, 1, 8], command: () => ({ kind: 'power_off' }) },
  { bytes: [DLE, 0x14, 8, 1, 3, 20, 1, 6, 2, 8], command: () => ({ kind: 'clear' }) },
]

/**
 * Finds real-time commands in what arrives, inside of other commands' data too. The bytes are data all the same: the
 * printer takes them a second time in their turn.
 *
 * @returns a function that takes one byte and says which command it completed
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
