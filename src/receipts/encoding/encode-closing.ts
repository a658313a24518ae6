import type { PrinterSettings } from '../../domain/printer.ts'
import type { ClosingPaper } from '../../domain/sale/closing-paper.ts'
import { layOutClosing } from '../layout/closing-layout.ts'
import { paperOf } from '../layout/paper.ts'
import { createJob } from './create-job.ts'
import type { Encoded } from './encoded-job.ts'

/** The whole job for a closing, from the initialisation to the cut. */
export function encodeClosing(closing: ClosingPaper, settings: PrinterSettings): Encoded {
  const job = createJob(settings)
  for (const block of layOutClosing(closing, paperOf(settings))) job.add(block)
  return job.end()
}
