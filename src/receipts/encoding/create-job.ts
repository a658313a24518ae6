import type { PrinterSettings } from '../../domain/printer.ts'
import { EscposJob } from '../escpos/escpos-job.ts'
import type { Job } from './job.ts'

/** A job in the command set of a printer. */
export function createJob(settings: PrinterSettings): Job {
  return new EscposJob(settings)
}
