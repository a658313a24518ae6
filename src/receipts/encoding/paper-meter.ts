import type { PrinterSettings } from '../../domain/printer.ts'
import { createPaperMeter } from '../escpos/paper-length.ts'
import { createStarMeter } from '../star/paper-length.ts'

/** Returns the millimetres that the paper moves at most for the next segment of a job. */
export type PaperMeter = (segment: Uint8Array) => number

/** A meter for one job, or for all jobs of a printer one after another, in its command set. */
export function meterOf({ commands, dpi }: Pick<PrinterSettings, 'commands' | 'dpi'>): PaperMeter {
  return commands === 'escpos' ? createPaperMeter(dpi) : createStarMeter()
}
