import type { LineAddress, PrinterSettings } from '../../domain/printer.ts'
import type { Both } from '../../domain/texts/both.ts'

/** Bytes to and from one printer, over whatever cable. */
export interface Line {
  /**
   * Resolves when the operating system or the other end has taken all bytes, whatever the paper does. One at a time.
   * @throws LineError `broken`; `stalled` when `signal` aborts first. After either the line can only be closed
   */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Sets the one listener for the printer's bytes; bytes that come before are lost. */
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** Says whether an answer is awaited now, because some devices must be polled for their bytes. */
  listen(awaited: boolean): void
  /** Resolves with the reason when the line breaks: unplugged, no power, closed by the other end. */
  readonly broken: Promise<LineError>
  /** Unsent bytes get `deliverMs` (default 0) to arrive. Never throws, never takes much longer, may be called again. */
  close(deliverMs?: number): Promise<void>
}

export type SerialSettings = Pick<PrinterSettings, 'baudRate' | 'parity' | 'stopBits' | 'flowControl'>

/** How long a byte of 8 bits takes on a serial line, with its start, parity and stop bits. */
export function serialMsPerByte({ baudRate, parity, stopBits }: Omit<SerialSettings, 'flowControl'>): number {
  return ((9 + (parity === 'none' ? 0 : 1) + stopBits) * 1000) / baudRate
}

/**
 * `missing`: the path has no device. `forbidden`: fiskd may not open it. `busy`: another program has it open.
 * `unreachable`: the host does not answer or refuses. `broken`: lost while it was open. `stalled`: given up because the
 * other end accepted nothing for too long. `flooded`: closed because the other end sent far more than it was asked for.
 */
const LINE_ERRORS = ['missing', 'forbidden', 'busy', 'unreachable', 'broken', 'stalled', 'flooded'] as const
export type LineErrorCode = (typeof LINE_ERRORS)[number]

/** Why a line cannot be used: `said` is what is wrong, `fix` what a technician can do. */
export class LineError extends Error {
  readonly code: LineErrorCode
  readonly said: Both
  readonly fix: Both

  constructor(code: LineErrorCode, said: Both, fix: Both, cause?: unknown) {
    super(said.en, { cause })
    this.said = said
    this.name = 'LineError'
    this.code = code
    this.fix = fix
  }
}

/** Each device is open only once in this process, whatever its name is. @throws LineError */
export type OpenLine = (address: LineAddress, settings: PrinterSettings) => Promise<Line>
