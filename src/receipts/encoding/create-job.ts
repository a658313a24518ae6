import type { PrinterSettings } from '../../domain/printer.ts'
import { EscposJob } from '../escpos/escpos-job.ts'
import { StarLineJob } from '../star/line-job.ts'
import { StarRasterJob } from '../star/raster-job.ts'
import type { Job } from './encoded-job.ts'

const JOBS: Record<PrinterSettings['commands'], new (settings: PrinterSettings) => Job> = {
  escpos: EscposJob,
  star_line: StarLineJob,
  star_raster: StarRasterJob,
}

export function createJob(settings: PrinterSettings): Job {
  return new JOBS[settings.commands](settings)
}
