import type { PrinterCondition } from '../../domain/printer.ts'
import { LineError } from '../lines/line.ts'
import type { ReceiptProof } from './dialects/dialect.ts'
import { type BegunJob, type Ended, failed, unconfirmed } from './ended-job.ts'
import { reasonOf, sayAll } from './printer-condition.ts'

const WENT_SILENT =
  'All of the receipt was sent, then the printer went silent: look whether it came out, and check its power and cable.'

const STOOD = 'The rest comes out after that.'

const PRINTED: Ended = { status: 'printed', detail: null, reason: null, interrupted: false }

const unasked = (detail: string): Ended => ({ status: 'unconfirmed', detail, reason: null, interrupted: false })

/**
 * Finds out whether the sent receipt was printed: `printed` only with a proof. An unanswered question means that the
 * printer may have lost power and its buffer, so no later answer confirms this receipt.
 * @param neededMs how long the printer may need
 */
export async function confirmPrinted(job: BegunJob, neededMs: number): Promise<Ended> {
  const { settings, answers, questions } = job
  if (!answers) return unasked('This printer cannot be asked whether it came out.')
  try {
    if (job.proof) return await awaitProof(job, job.proof, neededMs)
    if (settings.confirm === 'realtime') return await watchUntilItCouldBeOut(job, neededMs)
    if ((await questions.stands()) === undefined) return unconfirmed(WENT_SILENT, 'no_answer')
    return unasked('This printer does not say whether it came out.')
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    const detail = `All of the receipt was sent, then the line was lost. ${error.message} ${error.fix.en}`
    return unconfirmed(detail, reasonOf(error))
  } finally {
    questions.listen(false)
  }
}

async function awaitProof(job: BegunJob, proof: ReceiptProof, neededMs: number): Promise<Ended> {
  const { questions, settings, timeLeft, timing, elapsed, look } = job
  const standsUntil = Math.max(job.giveUpAt, elapsed() + settings.confirmTimeoutMs)
  let goesSince = elapsed()
  if ((await questions.stands()) === undefined) return unconfirmed(WENT_SILENT, 'no_answer')
  questions.listen(true)
  await timeLeft.until(elapsed() + settings.confirmTimeoutMs, (signal) => questions.send(proof.after(), signal))

  for (let reason: PrinterCondition | undefined; ; ) {
    const wasThere = proof.isThere()
    const stands = await questions.stands()
    if (stands === undefined) return unconfirmed(WENT_SILENT, 'no_answer')
    const canBeOut = !proof.mayComeAhead || elapsed() - goesSince >= neededMs
    if (wasThere && canBeOut) return PRINTED
    if (!stands) {
      reason = undefined
      if (timeLeft.isOverAt(goesSince + Math.max(neededMs, settings.confirmTimeoutMs))) {
        // Answers that have not come by now will not come.
        job.forget()
        return unconfirmed('All of the receipt was sent, and the printer has not said that it came out.', null)
      }
      await timeLeft.sleep(timing.pollMs)
      continue
    }
    const isOver = timeLeft.isOverAt(standsUntil)
    // Asks for the reason only first and last, because questions fill the buffer of a stopped printer.
    if (!reason || isOver) reason = await look()
    if (!reason) return unconfirmed(WENT_SILENT, 'no_answer')
    goesSince = elapsed()
    // A printer that would have proved the end has not reached it; it may have stopped right after the cut.
    const detail = `The printer stopped before it confirmed the end of the receipt. ${sayAll(reason)} ${STOOD}`
    if (isOver) return failed(detail, reason.reason)
    await timeLeft.sleep(timing.standMs)
  }
}

/**
 * Watches a printer that reports its state and proves nothing, for as long as it may print. Whatever answers questions
 * in its place would do as well (a print server, an adapter), so its receipt is never `printed`.
 */
async function watchUntilItCouldBeOut(job: BegunJob, neededMs: number): Promise<Ended> {
  const { settings, timeLeft, timing, elapsed, look } = job
  const standsUntil = Math.max(job.giveUpAt, elapsed() + settings.confirmTimeoutMs)
  for (let goesSince = elapsed(); ; ) {
    const condition = await look()
    if (!condition) return unconfirmed(WENT_SILENT, 'no_answer')
    if (condition.state === 'offline') {
      goesSince = elapsed()
      const detail = `The printer stopped, perhaps before the end of the receipt. ${sayAll(condition)} ${STOOD}`
      if (timeLeft.isOverAt(standsUntil)) return unconfirmed(detail, condition.reason)
      await timeLeft.sleep(timing.standMs)
      continue
    }
    if (elapsed() - goesSince >= neededMs) {
      return unasked('The printer was ready before and after the receipt. It cannot prove that it came out.')
    }
    await timeLeft.sleep(timing.pollMs)
  }
}
