import type { PrinterCondition } from '../../domain/printer.ts'
import { LineError } from '../lines/line.ts'
import { type BegunJob, type Ended, failed, unconfirmed } from './begun-job.ts'
import { OFFLINE, reasonOf, sayAll } from './printer-condition.ts'

const WENT_SILENT =
  'All of the receipt was sent, then the printer went silent: look whether it came out, and check its power and cable.'

const PRINTED: Ended = { status: 'printed', detail: null, reason: null, interrupted: false }

function unasked(detail: string): Ended {
  return { status: 'unconfirmed', detail, reason: null, interrupted: false }
}

/**
 * Finds out whether the sent receipt was printed. An unanswered question means that the printer may have lost power and
 * its buffer, so no later answer confirms this receipt.
 * @param neededMs how long the printer may need
 */
export async function confirmPrinted(job: BegunJob, neededMs: number): Promise<Ended> {
  const { settings, answers } = job
  if (!answers) return unasked('This printer cannot be asked whether it came out.')
  try {
    if (settings.confirm !== 'none') return await listenToEnd(job, neededMs)
    if ((await job.questions.ask(1)) === undefined) return unconfirmed(WENT_SILENT, 'no_answer')
    return unasked('This printer does not say whether it came out.')
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    const detail = `All of the receipt was sent, then the line was lost. ${error.message} ${error.fix}`
    return unconfirmed(detail, reasonOf(error))
  } finally {
    job.questions.listen(false)
  }
}

async function listenToEnd(job: BegunJob, neededMs: number): Promise<Ended> {
  const { questions, settings, timeLeft, timing, elapsed, look } = job
  const standsUntil = Math.max(job.giveUpAt, elapsed() + settings.confirmTimeoutMs)
  let goesSince = elapsed()
  if ((await questions.ask(1)) === undefined) return unconfirmed(WENT_SILENT, 'no_answer')
  questions.listen(true)
  const isOut = await askForTheEnd(job)

  for (let reason: PrinterCondition | undefined; ; ) {
    const out = isOut ? isOut() : elapsed() - goesSince >= neededMs
    const answer = await questions.ask(1)
    if (answer === undefined) return unconfirmed(WENT_SILENT, 'no_answer')
    if (isOut && out) return PRINTED
    const mayStand = (answer & OFFLINE) !== 0
    const isOver = timeLeft.isOverAt(standsUntil)
    // Asks for the reason only first and last, because questions fill the buffer of a stopped printer.
    if ((mayStand && (!reason || isOver)) || !isOut) {
      reason = await look()
      if (!reason) return unconfirmed(WENT_SILENT, 'no_answer')
    }
    if (mayStand || reason?.state === 'offline') {
      goesSince = elapsed()
      if (isOver && reason) return giveUp(reason, isOut !== undefined)
      await timeLeft.sleep(timing.standMs)
      continue
    }
    reason = undefined
    if (out) return PRINTED
    if (timeLeft.isOverAt(goesSince + Math.max(neededMs, settings.confirmTimeoutMs))) {
      // Answers that have not come by now will not come.
      job.statuses.due = job.statuses.seen
      return unconfirmed('All of the receipt was sent, and the printer has not said that it came out.', null)
    }
    await timeLeft.sleep(timing.pollMs)
  }
}

/** A stopped printer that would have answered at the end has not reached the end. */
function giveUp(stands: PrinterCondition, wouldHaveSaid: boolean): Ended {
  const { reason } = stands
  const after = `${sayAll(stands)} The rest comes out after that.`
  if (wouldHaveSaid) return failed(`The printer stopped before the end of the receipt. ${after}`, reason)
  return unconfirmed(`The printer stopped, perhaps before the end of the receipt. ${after}`, reason)
}

/**
 * Asks a question that the printer answers at the end of the job (Epson, ESC/POS reference: function 48 of `GS ( H`,
 * `GS r`).
 * @returns a function that says whether the answer came; undefined when only time can tell
 */
async function askForTheEnd(job: BegunJob): Promise<(() => boolean) | undefined> {
  const { questions, settings, statuses, timeLeft, elapsed } = job
  const until = elapsed() + settings.confirmTimeoutMs
  const send = (command: string) =>
    timeLeft.until(until, (signal) => questions.send(Buffer.from(command, 'latin1'), signal))
  if (settings.confirm === 'process_id') {
    // Answers that came before belong to another receipt.
    const isAnswered = questions.awaitProcess(job.processId)
    await send(`\x1d(H\x06\x0000${job.processId}`)
    return isAnswered
  }
  if (settings.confirm !== 'status') return undefined
  statuses.due = Math.max(statuses.due, statuses.seen) + 1
  const { due } = statuses
  await send('\x1dr\x01')
  return () => statuses.seen >= due
}
