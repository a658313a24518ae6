import { setTimeout as sleep } from 'node:timers/promises'
import type { LineAddress, PrinterCondition, PrinterSettings } from '../../domain/printer.ts'
import type { Encoded } from '../escpos/encoded-job.ts'
import { type OpenLine, serialMsPerByte } from '../lines/line.ts'
import { createConnection } from '../lines/reconnecting-line.ts'
import { confirm } from './confirm-printed.ts'
import { createPrinterBuffer } from './printer-buffer.ts'
import {
  CANNOT_BE_ASKED,
  GARBLED,
  lost,
  NEVER_ANSWERED,
  NOT_LOOKED,
  readCondition,
  sayAll,
  silentAfter,
} from './printer-condition.ts'
import { createPrinterQueue } from './printer-queue.ts'
import {
  type Ended,
  failed,
  OFFLINE,
  printingMs,
  type Run,
  type StatusTally,
  TIMING,
  type Timing,
} from './printer-timing.ts'
import { createProcessIds } from './process-ids.ts'
import { createQuestions, type Questions } from './questions.ts'
import { sendContent } from './send-job.ts'
import { createTimeLeft } from './time-left.ts'

export interface PrintRequest {
  /** Called when the printer is ready, at most once; the printer is initialised meanwhile. */
  encode: () => Encoded | Promise<Encoded>
  /**
   * Called at most once, right before the first byte of content goes to the line: stores durably that it goes now.
   * @returns false when it must not be printed
   */
  begin: () => Promise<boolean>
  /** By `elapsed`: what has not begun then does not begin, and is told at once. */
  giveUpAt: number
  /** The daemon stops: what has not begun does not begin, what has begun has a few seconds left. */
  signal?: AbortSignal
}

export type PrintResult =
  /** Nothing of it was sent, ever: it may be tried again. `detail` says what kept it. */
  | { begun: false; detail: string }
  /** Some of it may be on paper. `printed` only when the printer has said so; `failed` when it is not complete. */
  | { begun: true; status: Ended['status']; detail: string | null }

/** One printer, on a line that is opened again whenever it is lost. */
export interface Printer {
  start(): void
  /** Gives what was printed last a few seconds to leave the line. Abort the `signal` of jobs before. */
  close(): Promise<void>
  /** What is known of it, without asking. */
  condition(): PrinterCondition
  /** Asks it now, or says what is known while it prints. Never throws. */
  look(): Promise<PrinterCondition>
  /**
   * Prints one job, after those that were given before.
   * @throws what `encode` and `begin` throw; nothing was sent then
   */
  print(job: PrintRequest): Promise<PrintResult>
}

export interface PrinterDeps {
  address: LineAddress
  settings: PrinterSettings
  openLine: OpenLine
  /** Milliseconds that have passed since some moment. */
  clock: { elapsed(): number }
  /** Whether an earlier process may have been cut off in the middle of a job. */
  interrupted?: boolean
  /** The condition is another one than before. Must not throw. */
  changed?: (condition: PrinterCondition) => void
  timing?: Partial<Timing>
}

/** Enough to end whatever command a printer still waits for the rest of; each is ignored else. */
const NULS = new Uint8Array(1100)
const ESC_AT = Uint8Array.of(0x1b, 0x40)
/** A printer that never answers is asked less often: where flow control holds, questions pile up. */
const MUTE_LOOK_EVERY_MS = 30_000
const MUTE_AFTER = 3
/** What a printer that stands is sent fills its buffer. */
const STANDING_IS_SLOWER = 3
const DELIVER_MS = 3000
/** So long a line that is lost is waited for when somebody wants to know. */
const LOOK_POLLS = 10
/** Bytes. A buffer of 4 KB does not fill up, and most receipts without a picture are shorter. */
const MOST_UNPRINTED = 3000
const TOO_LATE = 'Its time was over before its turn.'

export function createPrinter(deps: PrinterDeps): Printer {
  const { address, settings, openLine, clock, changed } = deps
  const timing = { ...TIMING, ...deps.timing }
  const { elapsed } = clock
  const canBeAsked = settings.answers !== 'never' && address.kind !== 'file'
  // A serial line does not break when a printer loses power: only a question that is answered in time tells that it has not.
  const isSerial = address.kind === 'serial'
  const msPerByte = isSerial ? serialMsPerByte(settings.baudRate) : 0

  let condition = NOT_LOOKED
  let hasAnswered = settings.answers === 'yes'
  let lookedAt = Number.NEGATIVE_INFINITY
  let readySince: number | undefined
  let unanswered = 0
  /** Whether it may still wait for the rest of a command. */
  let interrupted = deps.interrupted ?? false
  /** Whether the last job went to a printer that could not be asked for its end. */
  let leftUnasked = false
  /** How long it may take for what an earlier job has left in its buffer. */
  let behindMs = 0
  const statuses: StatusTally = { seen: 0, due: 0 }
  const nextProcessId = createProcessIds()
  const backlog = createPrinterBuffer({
    ...{ elapsed, dpi: settings.dpi, mmPerS: timing.mmPerS, msPerByte },
    mostBytes: isSerial ? MOST_UNPRINTED : Number.POSITIVE_INFINITY,
  })

  const queue = createPrinterQueue()
  let printing = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const connection = createConnection({
    async open() {
      const line = await openLine(address, settings)
      const onStatus = () => {
        statuses.seen += 1
      }
      return createQuestions(line, {
        answerTimeoutMs: settings.answerTimeoutMs,
        msPerByte,
        behindMs: isSerial ? () => 0 : backlog.leftMs,
        onPrinter: (byte) => backlog.heard(!(byte & OFFLINE)),
        onStatus,
      })
    },
    reopenMs: timing.reopenMs,
    changed() {
      const why = connection.why()
      unanswered = 0
      lookedAt = Number.NEGATIVE_INFINITY
      // What the operating system had taken from us may not have reached the printer.
      if (why && leftUnasked) interrupted = true
      if (why) note(lost(why))
      else if (!connection.current()) return
      else if (!canBeAsked) note(CANNOT_BE_ASKED)
      else lookSoon(0)
    },
  })

  function note(now: PrinterCondition): void {
    readySince = now.state === 'ready' ? (readySince ?? elapsed()) : undefined
    const isNews = JSON.stringify(now) !== JSON.stringify(condition)
    condition = now
    if (isNews) changed?.(now)
  }

  /** @returns undefined when it did not answer everything. @throws LineError */
  async function ask(conversation: Questions): Promise<PrinterCondition | undefined> {
    const { garbage } = conversation
    const printer = await conversation.ask(1)
    if (printer === undefined) {
      unanswered += 1
      note(conversation.garbage > garbage ? GARBLED : hasAnswered ? silentAfter(condition) : NEVER_ANSWERED)
      return undefined
    }
    const cause = (await conversation.ask(2)) ?? null
    const paper = (await conversation.ask(4)) ?? null
    hasAnswered = true
    unanswered = 0
    lookedAt = elapsed()
    note(readCondition({ printer, cause, paper }))
    return cause === null || paper === null ? undefined : condition
  }

  async function lookNow(): Promise<void> {
    const conversation = connection.current()
    if (!conversation || !canBeAsked) return
    // A line that breaks tells so itself.
    await ask(conversation).catch(() => {})
    // What was asked must not reach the printer when it comes back, long after.
    if (hasAnswered && unanswered >= MUTE_AFTER) await conversation.close()
  }

  function lookSoon(inMs: number): void {
    clearTimeout(timer)
    if (closed || !canBeAsked) return
    timer = setTimeout(async () => {
      if (!queue.isBusy) await queue.take(lookNow)
      const isMute = !hasAnswered && unanswered >= MUTE_AFTER
      const stands = condition.state === 'offline'
      lookSoon(isMute ? MUTE_LOOK_EVERY_MS : timing.lookEveryMs * (stands ? STANDING_IS_SLOWER : 1))
    }, inMs).unref()
  }

  /** @returns the line, when a job may go to it now */
  async function ready(): Promise<Questions | undefined> {
    const conversation = connection.current()
    if (!conversation) connection.hurry()
    if (!conversation || !canBeAsked) return conversation
    if (condition.state === 'ready' && elapsed() - lookedAt <= timing.freshMs) return conversation
    if (hasAnswered || unanswered < MUTE_AFTER) await ask(conversation).catch(() => {})
    const mayPrint = condition.state === 'ready' || !hasAnswered
    return mayPrint && conversation.isOpen ? conversation : undefined
  }

  /** Wakes a printer that is ready while its job is made: the initialisation prints nothing, and every job has its own. */
  async function greet(conversation: Questions): Promise<void> {
    if (condition.state !== 'ready' || interrupted) return
    // A line that takes nothing is closed then, and the job waits for the next one.
    await conversation.send(ESC_AT, AbortSignal.timeout(settings.answerTimeoutMs)).catch(() => {})
  }

  function tooLate(): PrintResult {
    return { begun: false, detail: sayAll(condition) ?? TOO_LATE }
  }

  async function print(job: PrintRequest): Promise<PrintResult> {
    const isOver = () => job.signal?.aborted || elapsed() >= job.giveUpAt
    for (;;) {
      if (isOver()) return tooLate()
      const conversation = await ready()
      if (isOver()) return tooLate()
      if (!conversation) {
        const stands = condition.state === 'offline'
        await sleep(stands ? timing.standMs : timing.pollMs, undefined, { signal: job.signal }).catch(() => {})
        continue
      }
      const greeted = greet(conversation)
      const encoded = await job.encode()
      await greeted
      if (!conversation.isOpen) return await print({ ...job, encode: () => encoded })
      if (!(await job.begin())) return { begun: false, detail: 'It is not wanted any more.' }
      const { status, detail } = await run(job, encoded, conversation)
      return { begun: true, status, detail }
    }
  }

  async function run(job: PrintRequest, encoded: Encoded, conversation: Questions): Promise<Ended> {
    const patience = createTimeLeft(elapsed, job.signal, timing.stopMs)
    // Whatever an earlier job has left with the printer has come out, or is gone, when it was ready all that time since.
    if (readySince !== undefined && elapsed() - readySince >= settings.confirmTimeoutMs) {
      behindMs = 0
      backlog.clear()
      statuses.due = statuses.seen
    }
    const content = interrupted ? { segments: [NULS, ...encoded.segments] } : encoded
    const neededMs = printingMs(content, settings.dpi, timing, msPerByte) + behindMs
    const context: Run = {
      ...{ conversation, settings, timing, patience, elapsed, statuses, backlog, processId: nextProcessId() },
      ...{ answers: canBeAsked && hasAnswered, giveUpAt: job.giveUpAt, look: () => ask(conversation) },
    }
    if (!context.answers) backlog.heard(true)
    if (isSerial) conversation.mostSilence(settings.answerTimeoutMs + timing.standMs)
    const until = Math.max(job.giveUpAt, elapsed() + timing.leastMs + neededMs)
    try {
      const ended =
        (await sendContent(content, context, until)) ??
        (await confirm(context, backlog.leftMs() + timing.cutMs + behindMs))
      interrupted = ended.interrupted
      leftUnasked = !context.answers
      behindMs = interrupted ? neededMs : 0
      if (ended.status === 'printed') backlog.clear()
      // What the printer has not got must not reach it later.
      if (ended.status === 'failed') await conversation.close()
      return ended
    } catch (error) {
      // A fault of ours: what has begun has an end all the same.
      interrupted = true
      await conversation.close()
      return failed(`The receipt was cut off by a fault of fiskd: ${String(error)}`)
    } finally {
      patience.end()
      conversation.mostSilence(undefined)
      readySince = undefined
      lookedAt = Number.NEGATIVE_INFINITY
      lookSoon(0)
    }
  }

  return {
    start: () => connection.start(),
    async close() {
      closed = true
      clearTimeout(timer)
      await queue.done
      await connection.close(DELIVER_MS)
    },
    condition: () => condition,
    async look() {
      connection.hurry()
      for (let polls = 0; polls < LOOK_POLLS && !connection.current(); polls++) await sleep(timing.pollMs)
      if (printing === 0) await queue.take(lookNow)
      return condition
    },
    print(job) {
      printing += 1
      const waitMs = job.giveUpAt - elapsed()
      return queue
        .takeOrLeave(() => print(job), tooLate, waitMs, job.signal)
        .finally(() => {
          printing -= 1
        })
    },
  }
}
