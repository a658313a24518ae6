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

export const createJob = (settings: PrinterSettings): Job => new JOBS[settings.commands](settings)
