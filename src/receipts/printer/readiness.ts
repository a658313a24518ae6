import { setTimeout as sleep } from 'node:timers/promises'
import { type PrinterCondition, UNKNOWN_CONDITION } from '../../domain/printer.ts'
import { createConnection } from '../lines/reconnecting-line.ts'
import type { Dialect } from './dialects/dialect.ts'
import { EPSON } from './dialects/epson.ts'
import { STAR } from './dialects/star.ts'
import { GARBLED, lost, MISTAKEN, NEVER_ANSWERED, type Peer, SILENT_SO_FAR, silentAfter } from './printer-condition.ts'
import type { Timing } from './printer-timing.ts'
import type { Questions } from './questions.ts'

export interface ReadinessDeps {
  dialect: Pick<Dialect, 'look' | 'stands' | 'createSorter'>
  /** @throws LineError */
  open: () => Promise<Questions>
  canBeAsked: boolean
  /** Whether the printer is known to answer, before the first question. */
  hasAnswered: boolean
  elapsed: () => number
  timing: Timing
  /** Runs work with the printer unless it is in use. */
  whenIdle: (work: () => Promise<void>) => Promise<void>
  /** Called when the line was lost, or could not be opened. */
  lineLost: () => void
  changed: (condition: PrinterCondition) => void
}

/** A printer that never answers is asked less often, because questions pile up behind flow control. */
const MUTE_LOOK_EVERY_MS = 30_000
const MUTE_AFTER = 3
/** A stopped printer is asked less often, because questions fill its buffer. */
const STANDING_IS_SLOWER = 3
/** How many polls `awaitLine` waits for a lost line. */
const LOOK_POLLS = 10
/** A plug that is pulled makes a few meaningless bytes, too. */
const MUCH_NOISE = 8

/** Polls whether a printer can print, over a line that is opened again when it is lost. */
export function createReadiness(deps: ReadinessDeps) {
  const { dialect, open, canBeAsked, elapsed, timing, whenIdle, lineLost, changed } = deps
  let condition = UNKNOWN_CONDITION
  let hasAnswered = deps.hasAnswered
  let isHeard = false
  let noted: { questions: Questions; garbage: number } | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let readySince: number | undefined
  let unanswered = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const connection = createConnection({ open, reopenMs: timing.reopenMs, changed: lineChanged })

  function lineChanged(): void {
    const why = connection.why()
    unanswered = 0
    lookedAt = Number.NEGATIVE_INFINITY
    if (why) {
      lineLost()
      note(lost(why))
    } else if (!connection.current()) return
    else if (!canBeAsked) note(UNKNOWN_CONDITION)
    else lookIn(0)
  }

  function note(now: PrinterCondition): void {
    readySince = now.state === 'ready' ? (readySince ?? elapsed()) : undefined
    const isNews = JSON.stringify(now) !== JSON.stringify(condition)
    condition = now
    if (isNews) changed(now)
  }

  /** @returns how many bytes without a meaning came since the last look, also while nothing was asked */
  function noiseOf(questions: Questions): number {
    const before = noted?.questions === questions ? noted.garbage : 0
    noted = { questions, garbage: questions.garbage }
    return questions.garbage - before
  }

  function silence(): PrinterCondition {
    if (isHeard) return silentAfter(condition)
    return hasAnswered ? SILENT_SO_FAR : NEVER_ANSWERED
  }

  async function ask(questions: Questions): Promise<PrinterCondition | undefined> {
    const seen = await dialect.look(questions.ask)
    const noise = noiseOf(questions)
    const peer = recognise(questions.latest, dialect, seen !== undefined && noise === 0)
    if (!seen || peer) {
      unanswered += 1
      note(peer ? MISTAKEN[peer] : noise > 0 ? GARBLED : silence())
      return undefined
    }
    hasAnswered = true
    isHeard = true
    unanswered = 0
    lookedAt = elapsed()
    // Among so many bytes that mean nothing, an answer is one by chance.
    note(noise >= MUCH_NOISE ? GARBLED : seen.condition)
    return seen.whole ? seen.condition : undefined
  }

  async function look(): Promise<void> {
    const questions = connection.current()
    if (!questions || !canBeAsked) return
    // A broken line is reported separately.
    await ask(questions).catch(() => {})
    // Old questions must not reach the printer when it comes back much later.
    if (hasAnswered && unanswered >= MUTE_AFTER) await questions.close()
  }

  function lookIn(ms: number): void {
    clearTimeout(timer)
    if (stopped || !canBeAsked) return
    timer = setTimeout(async () => {
      await whenIdle(look)
      const isMute = !hasAnswered && unanswered >= MUTE_AFTER
      const stands = condition.state === 'offline'
      lookIn(isMute ? MUTE_LOOK_EVERY_MS : timing.lookEveryMs * (stands ? STANDING_IS_SLOWER : 1))
    }, ms).unref()
  }

  return {
    start: (): void => connection.start(),
    stopAsking(): void {
      stopped = true
      clearTimeout(timer)
    },
    /** @param deliverMs time for unsent bytes to leave the line */
    close: (deliverMs: number): Promise<void> => connection.close(deliverMs),
    condition: (): PrinterCondition => condition,
    /** Whether the printer answers questions, as far as known. */
    answers: (): boolean => canBeAsked && hasAnswered,
    /** Whether the printer was ready for the last `ms`, and nothing was printed meanwhile. */
    isReadyFor: (ms: number): boolean => readySince !== undefined && elapsed() - readySince >= ms,
    /** Waits some time until a lost line is open again. */
    async awaitLine(): Promise<void> {
      connection.hurry()
      for (let polls = 0; polls < LOOK_POLLS && !connection.current(); polls++) await sleep(timing.pollMs)
    },
    /** Asks the printer if possible. Never throws. */
    look,
    /** Asks all status questions. @returns undefined when an answer is missing. @throws LineError */
    ask,
    /** @returns the line, when a job may go to it now */
    async ready(): Promise<Questions | undefined> {
      const questions = connection.current()
      if (!questions) connection.hurry()
      if (!questions || !canBeAsked) return questions
      if (condition.state === 'ready' && elapsed() - lookedAt <= timing.freshMs) return questions
      if (hasAnswered || unanswered < MUTE_AFTER) await ask(questions).catch(() => {})
      const mayPrint = condition.state === 'ready' || !hasAnswered
      return mayPrint && questions.isOpen ? questions : undefined
    },
    /** Call after a job: the known condition is from before the job. */
    lookAgain(): void {
      readySince = undefined
      lookedAt = Number.NEGATIVE_INFINITY
      lookIn(0)
    },
  }
}

/** Recognises what else is at the other end. @param answers whether what was received may be answers */
export function recognise(
  received: Uint8Array,
  dialect: Pick<Dialect, 'stands' | 'createSorter'>,
  answers: boolean,
): Peer | undefined {
  // Letters of an answer such as ERROR are valid status bytes.
  if (/\r\n[A-Z ]{2,}\r\n/.test(Buffer.from(received).toString('latin1'))) return 'text'
  if (answers) return undefined
  if (Buffer.from(received).includes(Buffer.from(dialect.stands.question))) return 'echo'
  if (dialect.createSorter !== STAR.createSorter && isStar(received)) return 'star'
  if (dialect.createSorter !== EPSON.createSorter && isEscPos(received)) return 'escpos'
  return undefined
}

/** Bits 0, 1, 5, 6 and 7 of the answer to `EOT`, the state of the paper, are never set, and bit 4 always is. */
const isPaperOfStar = (byte: number) => (byte & 0xf3) === 0x10
const ENOUGH_ANSWERS = 3

/**
 * It answers the `EOT` in each `DLE EOT` with one byte, or with its status of at least seven bytes, which may also come
 * by itself (STAR Line Mode Command Specifications, 3-53 and appendix 2) [V].
 */
function isStar(received: Uint8Array): boolean {
  if (received.length >= ENOUGH_ANSWERS && received.every(isPaperOfStar)) return true
  let isHeard = false
  const hear = () => {
    isHeard = true
  }
  STAR.createSorter({ state: hear, mark: hear }).push(received)
  return isHeard
}

/** Automatic status (`GS a`), four bytes; single bytes would be found in noise, too. */
function isEscPos(received: Uint8Array): boolean {
  return received.some((byte, at) => {
    const rest = received.subarray(at + 1, at + 4)
    return (byte & 0x93) === 0x10 && rest.length === 3 && rest.every((next) => (next & 0x90) === 0)
  })
}
