import type { PrinterCondition } from '../../domain/printer.ts'
import type { Encoded } from '../escpos/encoded-job.ts'
import { LineError } from '../lines/line.ts'
import { sayAll } from './printer-condition.ts'
import { type Ended, failed, OFFLINE, type Run } from './printer-timing.ts'

/**
 * So many bytes go out between two questions. A printer that loses power in the middle is back after a second or two,
 * would take the rest of the receipt, and then truthfully confirm the end of half a receipt; but it cannot answer while it
 * is off.
 */
const BYTES_BETWEEN_QUESTIONS = 256

const WENT_SILENT = 'The printer went silent in the middle of the receipt: check its power and its cable.'

/**
 * Sends a receipt, as far as the printer takes it.
 * @param until by `elapsed`: what is not sent then is given up
 * @returns undefined when all of it was taken
 */
export async function sendContent({ segments }: Encoded, run: Run, until: number): Promise<Ended | undefined> {
  let unasked = 0
  let left = segments.length
  try {
    for (const segment of segments) {
      const stood = await untilThereIsRoom(segment.length, run, until)
      if (stood) return stood
      run.backlog.add(segment)
      await run.patience.until(until, (signal) => run.conversation.send(segment, signal))
      unasked += segment.length
      left -= 1
      if (!run.answers || left === 0 || unasked < BYTES_BETWEEN_QUESTIONS) continue
      unasked = 0
      const stopped = await untilItGoesOn(run, until)
      if (stopped) return stopped
    }
    return undefined
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    return failed(`The receipt was cut off: ${error.message} ${error.fix}`)
  }
}

/** A printer is not outrun where a question would wait behind what must be printed first, or bytes would be lost. */
async function untilThereIsRoom(bytes: number, run: Run, until: number): Promise<Ended | undefined> {
  const { backlog, patience, timing, answers } = run
  for (;;) {
    const waitMs = backlog.roomInMs(bytes)
    if (waitMs <= 0 || patience.isOverAt(until)) return undefined
    await patience.sleep(Math.min(waitMs, timing.pollMs))
    const stopped = answers ? await untilItGoesOn(run, until) : undefined
    if (stopped) return stopped
  }
}

/** Asks for the reason only first and last: whatever is sent to a printer that stands fills its buffer. */
async function untilItGoesOn({ conversation, patience, timing, look }: Run, until: number): Promise<Ended | undefined> {
  for (let reason: PrinterCondition | undefined; ; ) {
    const answer = await conversation.ask(1)
    if (answer === undefined) return failed(WENT_SILENT)
    if (!(answer & OFFLINE)) return undefined
    const isOver = patience.isOverAt(until)
    if (!reason || isOver) reason = await look()
    if (!reason) return failed(WENT_SILENT)
    if (reason.state === 'ready') return undefined
    if (isOver) {
      const said = sayAll(reason)
      return failed(`The printer stopped in the middle of the receipt. ${said} What it has taken comes out after that.`)
    }
    await patience.sleep(timing.standMs)
  }
}
