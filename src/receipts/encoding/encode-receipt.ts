import { isDeepStrictEqual } from 'node:util'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Block } from '../layout/blocks.ts'
import { layOut } from '../layout/layout.ts'
import { paperOf } from '../layout/paper.ts'
import { createJob } from './create-job.ts'
import type { Encoded } from './encoded-job.ts'
import type { Job } from './job.ts'

const ANY_JIR = '00000000-0000-0000-0000-000000000000'

/** The encoded beginning of a receipt: everything that is known before the tax authority answers. */
export interface Begun {
  readonly job: Job
  readonly blocks: readonly Block[]
  readonly settings: PrinterSettings
}

/** Does most of the encoding while the sale waits for the tax authority. */
export function beginReceipt(receipt: Receipt, settings: PrinterSettings): Begun {
  const paper = paperOf(settings)
  const [without, withJir] = [null, ANY_JIR].map((jir) => layOut({ ...receipt, jir }, paper))
  const blocks = sameAtFirst(without ?? [], withJir ?? [])
  const job = createJob(settings)
  for (const block of blocks) job.add(block)
  return { job, blocks, settings }
}

/** The blocks before the first one that a JIR changes, or that contains the QR code, for it contains the JIR too. */
function sameAtFirst(one: readonly Block[], other: readonly Block[]): Block[] {
  const end = one.findIndex((block, index) => block.kind === 'qr' || !isDeepStrictEqual(block, other[index]))
  return one.slice(0, end)
}

/**
 * The whole job for a receipt, from the initialisation to the cut.
 * @param begun the beginning of this same receipt; it can be used only once
 */
export function encodeReceipt(receipt: Receipt, settings: PrinterSettings, begun?: Begun): Encoded {
  const blocks = layOut(receipt, paperOf(settings))
  const { job, blocks: done } =
    begun && begun.settings === settings && startsWith(blocks, begun.blocks)
      ? begun
      : { job: createJob(settings), blocks: [] }
  for (const block of blocks.slice(done.length)) job.add(block)
  return job.end()
}

function startsWith(blocks: readonly Block[], begun: readonly Block[]): boolean {
  return begun.every((block, index) => isSame(block, blocks[index]))
}

/** A picture is drawn once, and then the same object. */
function isSame(one: Block, other: Block | undefined): boolean {
  if (one.kind === 'picture' && other?.kind === 'picture') return one.bitmap === other.bitmap
  return isDeepStrictEqual(one, other)
}
