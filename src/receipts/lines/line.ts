import type { LineAddress, PrinterSettings } from '../../domain/printer.ts'

/** Bytes to and from one printer, over whatever cable. */
export interface Line {
  /**
   * Resolves when the operating system or the other end has taken all of it; not a word about paper. One at a time.
   * @throws LineError `broken`; `stalled` when `signal` aborts first. After either the line is only good for closing
   */
  write(bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** What the printer sends. One listener; what comes before there is one is lost. */
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** Whether an answer is awaited now. Some devices give what they have only to who asks for it again and again. */
  listen(awaited: boolean): void
  /** Resolves with the reason when the line has broken by itself: unplugged, power, closed by the other end. */
  readonly broken: Promise<LineError>
  /**
   * Gives up what is still on its way, which gets `deliverMs` before (0 if not said) to arrive. Never throws, never takes
   * much longer, may be called again.
   */
  close(deliverMs?: number): Promise<void>
}

/** How long a byte is on a serial line: ten bits, with its start and its end. */
export const serialMsPerByte = (baudRate: number) => 10_000 / baudRate

/**
 * `missing`: nothing, or something else, is at that path. `forbidden`: we may not open it. `busy`: somebody else has it.
 * `unreachable`: a host that does not answer or refuses. `broken`: lost while it was open. `stalled`: given up because
 * the other end took nothing for too long. `flooded`: closed because the other end sent far more than it was asked for.
 */
const LINE_ERRORS = ['missing', 'forbidden', 'busy', 'unreachable', 'broken', 'stalled', 'flooded'] as const
export type LineErrorCode = (typeof LINE_ERRORS)[number]

/** Why a line cannot be used: `message` says what is wrong, `fix` what a technician can do, both in plain words. */
export class LineError extends Error {
  readonly code: LineErrorCode
  readonly fix: string

  constructor(code: LineErrorCode, message: string, fix: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'LineError'
    this.code = code
    this.fix = fix
  }
}

/**
 * Each address is open once in this process, by whatever name.
 * @throws LineError
 */
export type OpenLine = (address: LineAddress, settings: PrinterSettings) => Promise<Line>
