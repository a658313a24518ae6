import type { PrinterSettings } from '../../domain/printer.ts'
import type { Block } from '../layout/blocks.ts'
import type { Encoded } from './encoded-job.ts'

/** How a single block is sent in another way than the printer is set, on a test page. */
export type Otherwise = Partial<Pick<PrinterSettings, 'encoding' | 'codePage' | 'qr' | 'pictures'>>

/** One job for a printer in the making: blocks in order, from the initialisation to the cut. */
export interface Job {
  add(block: Block, otherwise?: Otherwise): void
  /** Feeds and cuts as configured for the printer. The last call. @returns the whole job */
  end(): Encoded
}
