import { setTimeout as sleep } from 'node:timers/promises'
import type { PrinterCondition } from '../../domain/printer.ts'
import { createConnection } from '../lines/reconnecting-line.ts'
import {
  CANNOT_BE_ASKED,
  GARBLED,
  lost,
  NEVER_ANSWERED,
  NOT_LOOKED,
  readCondition,
  silentAfter,
} from './printer-condition.ts'
import type { Timing } from './printer-timing.ts'
import type { Questions } from './questions.ts'

/** Whether a printer can print, found out by asking it again and again over a line that is opened again when it is lost. */
export interface Readiness {
  start(): void
  /** Ends the questions that are asked again and again. */
  stopAsking(): void
  /** @param deliverMs what is on its way gets so long to leave the line */
  close(deliverMs: number): Promise<void>
  /** What is known of it, without asking. */
  condition(): PrinterCondition
  /** Whether it answers questions, as far as is known. */
  answers(): boolean
  /** Whether it has been ready for so long, and nothing was printed meanwhile. */
  isReadyFor(ms: number): boolean
  /** Waits some time for a line that is lost. */
  awaitLine(): Promise<void>
  /** Asks it, when it can be asked. Never throws. */
  look(): Promise<void>
  /** Asks it everything. @returns undefined when it did not answer everything. @throws LineError */
  ask(questions: Questions): Promise<PrinterCondition | undefined>
  /** @returns the line, when a job may go to it now */
  ready(): Promise<Questions | undefined>
  /** A job was printed: what is known is of the time before it. */
  lookAgain(): void
}

export interface ReadinessDeps {
  /** @throws LineError */
  open: () => Promise<Questions>
  canBeAsked: boolean
  /** Whether it is known to answer before it was ever asked. */
  hasAnswered: boolean
  elapsed: () => number
  timing: Timing
  /** Does something with the printer unless it is in use. */
  whenIdle: (work: () => Promise<void>) => Promise<void>
  /** The line was lost, or could not be opened. */
  lineLost: () => void
  /** The condition is another one than before. */
  changed: (condition: PrinterCondition) => void
}

/** A printer that never answers is asked less often: where flow control holds, questions pile up. */
const MUTE_LOOK_EVERY_MS = 30_000
const MUTE_AFTER = 3
/** What a printer that stands is sent fills its buffer. */
const STANDING_IS_SLOWER = 3
/** So long a line that is lost is waited for when somebody wants to know. */
const LOOK_POLLS = 10

export function createReadiness(deps: ReadinessDeps): Readiness {
  const { open, canBeAsked, elapsed, timing, whenIdle, lineLost, changed } = deps
  let condition = NOT_LOOKED
  let hasAnswered = deps.hasAnswered
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
    else if (!canBeAsked) note(CANNOT_BE_ASKED)
    else lookIn(0)
  }

  function note(now: PrinterCondition): void {
    readySince = now.state === 'ready' ? (readySince ?? elapsed()) : undefined
    const isNews = JSON.stringify(now) !== JSON.stringify(condition)
    condition = now
    if (isNews) changed(now)
  }

  async function ask(questions: Questions): Promise<PrinterCondition | undefined> {
    const { garbage } = questions
    const printer = await questions.ask(1)
    if (printer === undefined) {
      unanswered += 1
      note(questions.garbage > garbage ? GARBLED : hasAnswered ? silentAfter(condition) : NEVER_ANSWERED)
      return undefined
    }
    const cause = (await questions.ask(2)) ?? null
    const paper = (await questions.ask(4)) ?? null
    hasAnswered = true
    unanswered = 0
    lookedAt = elapsed()
    note(readCondition({ printer, cause, paper }))
    return cause === null || paper === null ? undefined : condition
  }

  async function look(): Promise<void> {
    const questions = connection.current()
    if (!questions || !canBeAsked) return
    // A line that breaks tells so itself.
    await ask(questions).catch(() => {})
    // What was asked must not reach the printer when it comes back, long after.
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
    start: () => connection.start(),
    stopAsking() {
      stopped = true
      clearTimeout(timer)
    },
    close: (deliverMs) => connection.close(deliverMs),
    condition: () => condition,
    answers: () => canBeAsked && hasAnswered,
    isReadyFor: (ms) => readySince !== undefined && elapsed() - readySince >= ms,
    async awaitLine() {
      connection.hurry()
      for (let polls = 0; polls < LOOK_POLLS && !connection.current(); polls++) await sleep(timing.pollMs)
    },
    look,
    ask,
    async ready() {
      const questions = connection.current()
      if (!questions) connection.hurry()
      if (!questions || !canBeAsked) return questions
      if (condition.state === 'ready' && elapsed() - lookedAt <= timing.freshMs) return questions
      if (hasAnswered || unanswered < MUTE_AFTER) await ask(questions).catch(() => {})
      const mayPrint = condition.state === 'ready' || !hasAnswered
      return mayPrint && questions.isOpen ? questions : undefined
    },
    lookAgain() {
      readySince = undefined
      lookedAt = Number.NEGATIVE_INFINITY
      lookIn(0)
    },
  }
}
