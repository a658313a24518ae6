import { isDeepStrictEqual } from 'node:util'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { ClosingPaper } from '../../domain/sale/closing.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Block } from '../layout/blocks.ts'
import { layOutClosing } from '../layout/closing-layout.ts'
import { layOut } from '../layout/layout.ts'
import { paperOf } from '../layout/paper.ts'
import { createJob } from './create-job.ts'
import type { Encoded, Job } from './encoded-job.ts'

const ANY_JIR = '00000000-0000-0000-0000-000000000000'

/** The encoded beginning of a receipt: everything that is known before the tax authority answers. */
export interface Begun {
  /** Undefined once it was ended: a job takes no second end. */
  job: Job | undefined
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

/** @param begun of this same receipt, used once: if it is encoded again, as after a full disk, it is encoded whole */
export function encodeReceipt(receipt: Receipt, settings: PrinterSettings, begun?: Begun): Encoded {
  const blocks = layOut(receipt, paperOf(settings))
  const { job, done } = (begun && taken(begun, blocks, settings)) ?? { job: createJob(settings), done: 0 }
  for (const block of blocks.slice(done)) job.add(block)
  return job.end()
}

function taken(begun: Begun, blocks: readonly Block[], settings: PrinterSettings) {
  const { job } = begun
  const isBeginning = begun.blocks.every((block, index) => isSame(block, blocks[index]))
  if (!job || begun.settings !== settings || !isBeginning) return undefined
  begun.job = undefined
  return { job, done: begun.blocks.length }
}

/** A picture is drawn once, and then the same object. */
function isSame(one: Block, other: Block | undefined): boolean {
  if (one.kind === 'picture' && other?.kind === 'picture') return one.bitmap === other.bitmap
  return isDeepStrictEqual(one, other)
}

export function encodeClosing(closing: ClosingPaper, settings: PrinterSettings): Encoded {
  const job = createJob(settings)
  for (const block of layOutClosing(closing, paperOf(settings))) job.add(block)
  return job.end()
}
