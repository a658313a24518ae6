import type { PrinterSettings } from '../../domain/printer.ts'
import type { Bitmap } from '../drawing/bitmap.ts'
import type { Block } from '../layout/blocks.ts'

/** Segments of whole commands, of 512 bytes unless one command is longer: real-time questions fit between them. */
export interface Encoded {
  segments: readonly Uint8Array[]
  /** The segments that send a logo as dots; a printer may have it in its memory. */
  logo?: { bitmap: Bitmap; from: number; to: number }
}

const SEGMENT_BYTES = 512

export function inSegments(commands: readonly Uint8Array[]): Uint8Array[] {
  const segments: Uint8Array[] = []
  let waiting: Uint8Array[] = []
  let size = 0
  const close = () => {
    if (waiting.length > 0) segments.push(Uint8Array.from(Buffer.concat(waiting)))
    waiting = []
    size = 0
  }
  for (const command of commands) {
    if (size + command.length > SEGMENT_BYTES) close()
    waiting.push(command)
    size += command.length
  }
  close()
  return segments
}

const LEAST = 200
const MOST = 1024
const BITS_PER_BYTE = 10
const PIECE_S = 0.25

/** The most bytes of a picture's command. No question is possible inside it, so it must be shorter than a restart. */
export function pieceBytes({ baudRate }: Pick<PrinterSettings, 'baudRate'>): number {
  return Math.max(LEAST, Math.min(MOST, (baudRate / BITS_PER_BYTE) * PIECE_S))
}

/** How a single block is sent in another way than the printer is set, on a test page. */
export type Otherwise = Partial<Pick<PrinterSettings, 'encoding' | 'codePage' | 'qr' | 'pictures'>>

/** One job for a printer in the making: blocks in order, from the initialisation to the cut. */
export interface Job {
  add(block: Block, otherwise?: Otherwise): void
  /** Feeds and cuts as configured for the printer. The last call. @returns the whole job */
  end(): Encoded
}
