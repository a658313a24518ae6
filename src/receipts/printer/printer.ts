import { setTimeout as sleep } from 'node:timers/promises'
import type { LineAddress, PrinterCondition, PrinterReason, PrinterSettings } from '../../domain/printer.ts'
import type { Encoded } from '../encoding/encoded-job.ts'
import { meterOf } from '../encoding/paper-meter.ts'
import { type OpenLine, serialMsPerByte } from '../lines/line.ts'
import { confirmPrinted } from './confirm-printed.ts'
import { CUSTOM } from './dialects/custom.ts'
import { type Dialect, NOTHING } from './dialects/dialect.ts'
import { EPSON } from './dialects/epson.ts'
import { STAR, STAR_RASTER } from './dialects/star.ts'
import { type BegunJob, type Ended, failed } from './ended-job.ts'
import { createPrinterBuffer } from './printer-buffer.ts'
import { sayAll } from './printer-condition.ts'
import { createPrinterQueue } from './printer-queue.ts'
import { createTimeLeft, paperMm, printingMs, TIMING, type Timing } from './printer-timing.ts'
import { createQuestions, type Questions } from './questions.ts'
import { createReadiness } from './readiness.ts'
import { sendContent } from './send-job.ts'
import { createStoredLogos } from './stored-logos.ts'

export interface PrintRequest {
  /** Called when the printer is ready, at most once; the printer is initialised meanwhile. */
  encode: () => Encoded | Promise<Encoded>
  /** Stores durably that printing begins; called at most once, before the first byte. @returns whether it may */
  begin: () => Promise<boolean>
  /** Time by `elapsed` after which a job that has not begun does not begin; the result comes at once. */
  giveUpAt: number
  /** The daemon stops: a waiting job does not begin, and a job that has begun has a few seconds left. */
  signal?: AbortSignal
}

export type PrintResult =
  /** Nothing was ever sent, so a retry is possible. `detail` says why. */
  | { begun: false; detail: string; reason: PrinterReason | null }
  /** Part of the job may be on paper. `printed` only when the printer confirmed it; `failed` when it is incomplete. `mm`: the paper for the whole job. */
  | { begun: true; status: Ended['status']; detail: string | null; reason: PrinterReason | null; mm: number }

export interface PrinterDeps {
  address: LineAddress
  settings: PrinterSettings
  openLine: OpenLine
  /** A monotonic clock in milliseconds. */
  clock: { elapsed(): number }
  /** Whether the printer may still have something of a job that was sent before, and owe an answer to it. */
  interrupted?: boolean
  /** Called when the condition has changed. Must not throw. */
  changed?: (condition: PrinterCondition) => void
  timing?: Partial<Timing>
}

const DELIVER_MS = 3000
/** Bytes. A buffer of 4 KB does not fill up, and most receipts without a picture are shorter. */
const MOST_UNPRINTED = 3000
const TOO_LATE = 'Its time was over before its turn.'

export type Printer = ReturnType<typeof createPrinter>

/** One printer, on a line that is opened again whenever it is lost. */
export function createPrinter(deps: PrinterDeps) {
  const { address, settings, openLine, clock } = deps
  const timing = { ...TIMING, ...deps.timing }
  const { elapsed } = clock
  // A serial line does not break when a printer loses power: only a timely answer proves that the power was on.
  const isSerial = address.kind === 'serial'
  const msPerByte = isSerial ? serialMsPerByte(settings) : 0

  /** Whether the printer may still wait for the rest of a command. */
  let interrupted = deps.interrupted ?? false
  /** Whether the last job went to a printer that could not be asked for its end. */
  let leftUnasked = false
  /** How long the printer may need for the rest of an earlier job in its buffer. */
  let behindMs = 0
  let printing = 0
  const canBeAsked = settings.answers !== 'never' && address.kind !== 'file'
  const dialect = dialectOf(settings)
  const proof = dialect.createProof(settings, interrupted)
  const canStore = settings.logo === 'stored' && dialect.storesLogos && canBeAsked
  const logos = canStore ? createStoredLogos(settings.answerTimeoutMs) : undefined
  const buffer = createPrinterBuffer({
    elapsed,
    measure: meterOf(settings),
    mmPerS: timing.mmPerS,
    msPerByte,
    mostBytes: isSerial ? MOST_UNPRINTED : Number.POSITIVE_INFINITY,
  })
  const queue = createPrinterQueue()

  const readiness = createReadiness({
    dialect,
    async open() {
      const line = await openLine(address, settings)
      const questions = createQuestions(line, {
        dialect,
        answerTimeoutMs: settings.answerTimeoutMs,
        msPerByte,
        behindMs: isSerial ? () => 0 : buffer.leftMs,
        onStands: (stands) => buffer.heard(!stands),
        onMark(mark) {
          proof?.hear(mark)
          logos?.hear(mark)
        },
      })
      logos?.opened()
      const { atOpen } = dialect
      if (atOpen && canBeAsked) await questions.send(atOpen, AbortSignal.timeout(settings.answerTimeoutMs))
      return questions
    },
    canBeAsked,
    hasAnswered: settings.answers === 'yes',
    elapsed,
    timing,
    async whenIdle(work) {
      if (!queue.isBusy) await queue.take(work)
    },
    // Bytes that the operating system accepted may not have reached the printer.
    lineLost() {
      if (leftUnasked) interrupted = true
    },
    changed(condition) {
      deps.changed?.(condition)
      if (condition.state === 'ready') careForLogos()
    },
  })

  /** While nobody waits for a receipt. */
  function careForLogos(): void {
    if (!logos?.hasWork || printing > 0) return
    const work = async () => {
      const isFree = () => printing === 0 && logos.hasWork && readiness.condition().state === 'ready'
      const questions = isFree() ? await readiness.ready() : undefined
      if (!questions || !isFree()) return
      await logos.work(questions).catch(() => {
        interrupted = true
      })
    }
    void queue.take(work)
  }

  /** Wakes a ready printer while its job is encoded: the command prints nothing, and every job repeats it. */
  async function initialise(questions: Questions): Promise<void> {
    if (readiness.condition().state !== 'ready' || interrupted) return
    // When the line accepts nothing, it is closed, and the job waits for the next line.
    await questions.send(dialect.wake, AbortSignal.timeout(settings.answerTimeoutMs)).catch(() => {})
  }

  function tooLate(): PrintResult {
    const condition = readiness.condition()
    return { begun: false, detail: sayAll(condition) ?? TOO_LATE, reason: condition.reason }
  }

  async function print(job: PrintRequest): Promise<PrintResult> {
    const isOver = () => job.signal?.aborted || elapsed() >= job.giveUpAt
    for (;;) {
      if (isOver()) return tooLate()
      const questions = await readiness.ready()
      if (isOver()) return tooLate()
      if (!questions) {
        const stands = readiness.condition().state === 'offline'
        await sleep(stands ? timing.standMs : timing.pollMs, undefined, { signal: job.signal }).catch(() => {})
        continue
      }
      const initialised = initialise(questions)
      const encoded = await job.encode()
      await initialised
      if (!questions.isOpen) return await print({ ...job, encode: () => encoded })
      if (!(await job.begin())) return { begun: false, detail: 'It is not wanted any more.', reason: null }
      const { status, detail, reason } = await run(job, encoded, questions)
      return { begun: true, status, detail, reason, mm: Math.round(paperMm(encoded, meterOf(settings))) }
    }
  }

  async function run(job: PrintRequest, encoded: Encoded, questions: Questions): Promise<Ended> {
    const timeLeft = createTimeLeft(elapsed, job.signal, timing.stopMs)
    // When the printer was ready for all that time, the rest of an earlier job was printed or is lost.
    if (readiness.isReadyFor(settings.confirmTimeoutMs)) {
      behindMs = 0
      buffer.clear()
      proof?.forget()
    }
    const receiptProof = readiness.answers() ? proof?.begin() : undefined
    const ahead = [interrupted ? dialect.recover : NOTHING, receiptProof?.before ?? NOTHING].filter(
      ({ length }) => length > 0,
    )
    const content = { segments: [...ahead, ...(logos?.shortened(encoded) ?? encoded).segments] }
    const neededMs = printingMs(content, meterOf(settings), timing, msPerByte) + behindMs
    const begun: BegunJob = {
      questions,
      settings,
      timing,
      timeLeft,
      elapsed,
      buffer,
      proof: receiptProof,
      forget: () => proof?.forget(),
      answers: readiness.answers(),
      giveUpAt: job.giveUpAt,
      look: () => readiness.ask(questions),
    }
    if (!begun.answers) buffer.heard(true)
    if (isSerial) questions.mostSilence(settings.answerTimeoutMs + timing.standMs)
    const until = Math.max(job.giveUpAt, elapsed() + timing.leastMs + neededMs)
    try {
      const ended =
        (await sendContent(content, begun, until)) ??
        (await confirmPrinted(begun, buffer.leftMs() + timing.cutMs + behindMs))
      interrupted = ended.interrupted
      leftUnasked = !begun.answers
      behindMs = interrupted ? neededMs : 0
      if (ended.status === 'printed') buffer.clear()
      // Bytes that the printer has not received must not reach it later.
      if (ended.status === 'failed') await questions.close()
      return ended
    } catch (error) {
      // A fault of fiskd: a job that has begun still gets a result.
      interrupted = true
      await questions.close()
      return failed(`The receipt was cut off by a fault of fiskd: ${String(error)}`, null)
    } finally {
      timeLeft.end()
      questions.mostSilence(undefined)
      readiness.lookAgain()
    }
  }

  return {
    start: (): void => readiness.start(),
    /** Gives the last job a few seconds to leave the line. Abort the `signal` of jobs first. */
    async close(): Promise<void> {
      readiness.stopAsking()
      await queue.done
      await readiness.close(DELIVER_MS)
    },
    condition: (): PrinterCondition => readiness.condition(),
    /** Asks the printer now, or returns the last known condition while it prints. Never throws. */
    async look(): Promise<PrinterCondition> {
      await readiness.awaitLine()
      if (printing === 0) await queue.take(readiness.look)
      return readiness.condition()
    },
    /** Prints one job, after those given before. @throws errors of `encode` and `begin`; nothing was sent then */
    print(job: PrintRequest): Promise<PrintResult> {
      printing += 1
      const waitMs = job.giveUpAt - elapsed()
      return queue
        .takeOrLeave(() => print(job), tooLate, waitMs, job.signal)
        .finally(() => {
          printing -= 1
          careForLogos()
        })
    },
  }
}

/** The language in which a printer with these settings answers. */
function dialectOf({ commands, confirm }: Pick<PrinterSettings, 'commands' | 'confirm'>): Dialect {
  if (commands === 'star_raster') return STAR_RASTER
  if (commands === 'star_line') return STAR
  return confirm === 'custom' ? CUSTOM : EPSON
}
