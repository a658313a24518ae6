import type { PrinterCondition } from '../../domain/printer.ts'
import type { Encoded } from '../encoding/encoded-job.ts'
import { LineError } from '../lines/line.ts'
import { type BegunJob, type Ended, failed } from './ended-job.ts'
import { reasonOf, sayAll } from './printer-condition.ts'

/**
 * Bytes between two questions. A printer that loses power is back after a second or two, would accept the rest of the
 * receipt, and then confirm the end of half a receipt. While it is off, it cannot answer.
 */
const BYTES_BETWEEN_QUESTIONS = 256

const WENT_SILENT = 'The printer went silent in the middle of the receipt: check its power and its cable.'

/** @param until time by `elapsed` after which the rest is given up. @returns undefined when everything was accepted */
export async function sendContent({ segments }: Encoded, job: BegunJob, until: number): Promise<Ended | undefined> {
  let unasked = 0
  let left = segments.length
  try {
    for (const segment of segments) {
      const stood = await untilThereIsRoom(segment.length, job, until)
      if (stood) return stood
      job.buffer.add(segment)
      await job.timeLeft.until(until, (signal) => job.questions.send(segment, signal))
      unasked += segment.length
      left -= 1
      if (!job.answers || left === 0 || unasked < BYTES_BETWEEN_QUESTIONS) continue
      unasked = 0
      const stopped = await untilItGoesOn(job, until)
      if (stopped) return stopped
    }
    return undefined
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    return failed(`The receipt was cut off: ${error.message} ${error.fix.en}`, reasonOf(error))
  }
}

/** Waits for room in the printer's buffer, or questions would wait behind content and bytes could be lost. */
async function untilThereIsRoom(bytes: number, job: BegunJob, until: number): Promise<Ended | undefined> {
  const { buffer, timeLeft, timing, answers } = job
  for (;;) {
    const waitMs = buffer.roomInMs(bytes)
    if (waitMs <= 0 || timeLeft.isOverAt(until)) return undefined
    await timeLeft.sleep(Math.min(waitMs, timing.pollMs))
    const stopped = answers ? await untilItGoesOn(job, until) : undefined
    if (stopped) return stopped
  }
}

/** Asks for the reason only first and last, because questions fill the buffer of a stopped printer. */
async function untilItGoesOn(
  { questions, timeLeft, timing, look }: BegunJob,
  until: number,
): Promise<Ended | undefined> {
  for (let reason: PrinterCondition | undefined; ; ) {
    const stands = await questions.stands()
    if (stands === undefined) return failed(WENT_SILENT, 'no_answer')
    if (!stands) return undefined
    const isOver = timeLeft.isOverAt(until)
    if (!reason || isOver) reason = await look()
    if (!reason) return failed(WENT_SILENT, 'no_answer')
    if (reason.state === 'ready') return undefined
    if (isOver) {
      const said = `The printer stopped in the middle of the receipt. ${sayAll(reason)} What it has taken comes out after that.`
      return failed(said, reason.reason)
    }
    await timeLeft.sleep(timing.standMs)
  }
}
