import type { PrinterSettings } from '../../domain/printer.ts'

const LEAST = 200
const MOST = 1024
const BITS_PER_BYTE = 10
const PIECE_S = 0.25

/**
 * The most bytes of a command with a picture. No question is possible inside a command, so on a slow line a command must
 * be shorter than a printer restart.
 */
export function pieceBytes({ baudRate }: Pick<PrinterSettings, 'baudRate'>): number {
  return Math.max(LEAST, Math.min(MOST, (baudRate / BITS_PER_BYTE) * PIECE_S))
}
