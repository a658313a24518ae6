/** The state of sensors and mechanics; a power cycle only resets an error that recovers by itself. */
export interface Condition {
  paper: 'ok' | 'near_end' | 'out'
  cover: 'closed' | 'open'
  error: PrinterError | null
}

/** How errors end: by a command, with a jammed cutter cleared, never, or by themselves, as a head that is too hot. */
const PRINTER_ERRORS = ['recoverable', 'cutter', 'unrecoverable', 'auto_recoverable'] as const
export type PrinterError = (typeof PRINTER_ERRORS)[number]

export function isOffline({ paper, cover, error }: Condition): boolean {
  return paper === 'out' || cover === 'open' || error !== null
}

/** For a byte of a status. */
export const bit = (place: number, set: boolean): number => (set ? 1 << place : 0)

/** What a printer knows of itself when it answers. */
export interface State {
  condition: Condition
  counters: Counters
  /** Whether nothing waits in the buffer, apart from the question itself. */
  bufferEmpty: boolean
  moving: boolean
  ticketHeld: boolean
}

export type Counters = ReturnType<typeof newCounters>

export const newCounters = () => ({
  /** For the life of the printer, in its permanent memory. */
  cuts: 0,
  retracted: 0,
  powerUps: 1,
  /** Rows of dots. */
  rows: 0,
  /** Star: ends of data that were reached (ETB), modulo 32; lost at power off. */
  ends: 0,
  /** Star: whether such an end was reached since the counter was cleared. */
  endReached: false,
  /** Star: print ends (`ESC GS ETX`), modulo 256; lost at power off. */
  printEnds: 0,
})
