import type { Encoded } from '../escpos/encoded-job.ts'
import { createPaperMeter } from '../escpos/paper-length.ts'

/** How long things take, in milliseconds; tests make them short. */
export interface Timing {
  /** An idle printer is asked so often. */
  lookEveryMs: number
  /** What it has said counts for so long when a receipt comes. */
  freshMs: number
  /** A printer that is waited for is asked so often. */
  pollMs: number
  /** One that stands is asked so often: what it is sent fills its buffer. */
  standMs: number
  /** A receipt that has begun has at least so long, whoever has left meanwhile. */
  leastMs: number
  /** What a receipt that has begun has left when the daemon stops. */
  stopMs: number
  /** How fast a slow printer is, in millimetres a second, and how long it may take for the cut. */
  mmPerS: number
  cutMs: number
  reopenMs: { first: number; last: number }
}

export const TIMING: Timing = {
  lookEveryMs: 2000,
  freshMs: 3000,
  pollMs: 200,
  standMs: 500,
  leastMs: 10_000,
  stopMs: 6000,
  mmPerS: 50,
  cutMs: 2500,
  reopenMs: { first: 500, last: 5000 },
}

/** How long a slow printer may need for all of it. */
export function printingMs({ segments }: Encoded, dpi: number, { mmPerS, cutMs }: Timing, msPerByte: number): number {
  const measure = createPaperMeter(dpi)
  const bytes = segments.reduce((sum, { length }) => sum + length, 0)
  const mm = segments.reduce((sum, segment) => sum + measure(segment), 0)
  return bytes * msPerByte + (mm * 1000) / mmPerS + cutMs
}
