import { bit, type Condition, isOffline, type PrinterError } from '../condition.ts'

// Bits 1 and 4 are always set, 0 and 7 never: this distinguishes a status from text and XON.
const FIXED = 0x12

/** The answer to `DLE EOT` n, 1 to 4 (Epson, ESC/POS reference, DLE EOT). */
export function realtimeStatus(n: number, condition: Condition): number {
  const { paper, cover, error } = condition
  switch (n) {
    case 1:
      return FIXED | bit(3, isOffline(condition)) | bit(5, error === 'recoverable' || error === 'cutter')
    case 2:
      return FIXED | bit(2, cover === 'open') | bit(5, paper === 'out') | bit(6, error !== null)
    case 3:
      return FIXED | errorBits(error)
    default:
      return FIXED | (paper === 'ok' ? 0 : 0x0c) | (paper === 'out' ? 0x60 : 0)
  }
}

/** The answer to `GS r` 1. Without paper, the printer is offline and does not answer. */
export const paperStatus = ({ paper }: Condition): number => (paper === 'ok' ? 0 : 0x03) | (paper === 'out' ? 0x0c : 0)

/** The four bytes that are sent automatically when something changes (`GS a`). */
export function automaticStatus(condition: Condition): Uint8Array {
  const { cover, error } = condition
  const first = 0x10 | bit(3, isOffline(condition)) | bit(5, cover === 'open')
  return Uint8Array.of(first, errorBits(error), paperStatus(condition), 0x0f)
}

export function errorBits(error: PrinterError | null): number {
  return (
    bit(2, error === 'recoverable') |
    bit(3, error === 'cutter') |
    bit(5, error === 'unrecoverable') |
    bit(6, error === 'auto_recoverable')
  )
}
