import { setTimeout as sleep } from 'node:timers/promises'
import { LineError } from './line.ts'

/** What of a serial port DTR/DSR needs. */
export interface ControlLines {
  set(lines: { dtr: boolean; rts: boolean }): Promise<void>
  get(): Promise<{ dsr: boolean }>
  write(bytes: Buffer): Promise<void>
}

/**
 * Bytes that are sent after DSR was read. A printer that asks to wait still takes some more bytes: 128 by Epson's default
 * [S], fewer by clones [U].
 */
const PIECE_BYTES = 32
/** How often DSR is read while it holds. */
const AGAIN_MS = 10

/**
 * Writes under DTR/DSR flow control, which the operating system does not know: DTR says that we are ready, and DSR is
 * read before each piece. The next piece waits until the one before has left the port, because DSR stops nothing that the
 * operating system has taken.
 */
export interface DtrDsr {
  /** Resolves when everything was given to the port, or when `isOver`. */
  write(bytes: Buffer, isOver: () => boolean): Promise<void>
}

/** @throws LineError when the port has no control lines */
export async function createDtrDsr(path: string, port: ControlLines, msPerByte: number): Promise<DtrDsr> {
  try {
    await port.set({ dtr: true, rts: true })
    await port.get()
  } catch (error) {
    throw withoutControlLines(path, error)
  }
  return {
    async write(bytes, isOver) {
      for (let at = 0; at < bytes.length && !isOver(); ) {
        const { dsr } = await port.get()
        const piece = dsr ? bytes.subarray(at, at + PIECE_BYTES) : bytes.subarray(0, 0)
        if (dsr) await port.write(piece)
        at += piece.length
        await sleep(dsr ? piece.length * msPerByte : AGAIN_MS)
      }
    },
  }
}

function withoutControlLines(path: string, cause: unknown): LineError {
  return new LineError(
    'missing',
    {
      en: `${path} has no control lines, so DTR/DSR is not possible on it.`,
      hr: `${path} nema upravljačkih vodova, pa DTR/DSR na njemu nije moguć.`,
    },
    {
      en: 'Set another flow control: fisk printer set DEVICE --flow-control none, rts_cts or xon_xoff, and the same at the printer.',
      hr: 'Postavite drugu kontrolu toka: fisk printer set DEVICE --flow-control none, rts_cts ili xon_xoff, i istu na pisaču.',
    },
    { cause },
  )
}
