import { setTimeout as sleep } from 'node:timers/promises'
import { PRINTER_BYTES_WITHIN_MS, RECEIPT_BOUNDS } from '../bounds.ts'
import { type Line, LineError } from '../lines/line.ts'
import type { LineSession } from '../lines/reconnecting-line.ts'
import { createSorter } from './printer-answers.ts'

/** Questions to a printer and its answers on an open line. One question at a time. */
export interface Questions extends LineSession {
  /** @throws LineError; `stalled` when `signal` aborts first, and the line is then closed */
  send(bytes: Uint8Array, signal: AbortSignal): Promise<void>
  /**
   * Asks `DLE EOT n`.
   * @returns undefined when no answer came in time
   * @throws LineError
   */
  ask(n: 1 | 2 | 3 | 4): Promise<number | undefined>
  /**
   * Awaits the answer to function 48 of `GS ( H` with this id, instead of any earlier id.
   * @returns a function that says whether the answer came
   */
  awaitProcess(id: string): () => boolean
  /** Number of invalid bytes. */
  readonly garbage: number
  /** Says whether answers other than those of `ask` are awaited. */
  listen(awaited: boolean): void
  /**
   * Until a call with undefined, an answer that comes this long after the one before does not count, because the
   * printer may have been off meanwhile. Transmission time is added.
   */
  mostSilence(ms: number | undefined): void
}

/**
 * When this process is blocked for longer than this, by a slow disk or a busy machine, an answer may wait unread: the
 * question gets the same time again.
 */
const HELD_UP_MS = 100

export interface QuestionsOptions {
  /** How long an answer may take. */
  answerTimeoutMs: number
  /** Transmission time of a byte, in milliseconds; 0 when it is unknown. */
  msPerByte: number
  /** How long a question may wait behind content that must be printed first. */
  behindMs: () => number
  /** Called when an answer to `DLE EOT 1` came in time. */
  onPrinter: (byte: number) => void
  /** Called when an answer to `GS r 1` came. */
  onStatus: () => void
}

export function createQuestions(line: Line, options: QuestionsOptions): Questions {
  const { answerTimeoutMs, msPerByte, behindMs, onPrinter, onStatus } = options
  const ended = Promise.withResolvers<LineError | undefined>()
  let question: { answer(byte: number | undefined): void; fail(error: LineError): void } | undefined
  let expected: { id: string; isAnswered: boolean } | undefined
  let arrived = 0
  let countedSince = performance.now()
  let isOpen = true
  /** Bytes that are ahead of the next question on the wire. */
  let ahead = 0
  let answersMayBeLate = false
  let listening = false
  let mostSilence = Number.POSITIVE_INFINITY
  let answeredAt = performance.now()

  const sorter = createSorter({
    realtime: (byte) => {
      // An unexpected answer belongs to an earlier question.
      if (question) question.answer(byte)
      else answersMayBeLate = true
      question = undefined
    },
    status: onStatus,
    processId: (id) => {
      if (expected?.id === id) expected.isAnswered = true
    },
  })
  line.onBytes((bytes) => {
    if (!isOpen) return
    if (!isTooMuch(bytes.length)) return sorter.push(bytes)
    end(flooded())
    void line.close()
  })
  void line.broken.then(end)

  function isTooMuch(bytes: number): boolean {
    const now = performance.now()
    if (now - countedSince >= PRINTER_BYTES_WITHIN_MS) [arrived, countedSince] = [0, now]
    arrived += bytes
    return arrived > RECEIPT_BOUNDS.printerBytes.most
  }

  function end(reason?: LineError): void {
    isOpen = false
    ended.resolve(reason)
    question?.fail(reason ?? new LineError('broken', 'The line was closed meanwhile.', 'Try again.'))
  }

  async function send(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    try {
      await line.write(bytes, signal)
      ahead += bytes.length
    } catch (error) {
      end(error as LineError)
      await line.close()
      throw error
    }
  }

  /** Waits for late answers to abandoned questions, which would otherwise count for the next question. */
  async function settle(): Promise<void> {
    if (!answersMayBeLate) return
    line.listen(true)
    await sleep(answerTimeoutMs)
    answersMayBeLate = false
  }

  return {
    send,
    async ask(n) {
      await settle()
      line.listen(true)
      let timer: NodeJS.Timeout | undefined
      function giveUpIn(ms: number): void {
        const due = performance.now() + ms
        timer = setTimeout(() => {
          if (performance.now() - due > HELD_UP_MS) giveUpIn(HELD_UP_MS)
          else question?.answer(undefined)
        }, ms)
      }
      const answer = new Promise<number | undefined>((resolve, reject) => {
        question = { answer: resolve, fail: reject }
      })
      // When `send` throws, the caller does not wait for the answer.
      answer.catch(() => {})
      try {
        const timeoutMs = answerTimeoutMs + Math.ceil(behindMs())
        await send(Uint8Array.of(0x10, 0x04, n), AbortSignal.timeout(timeoutMs))
        const waitMs = ahead * msPerByte
        giveUpIn(timeoutMs + waitMs)
        const byte = await answer
        const silence = performance.now() - answeredAt
        answersMayBeLate ||= byte === undefined
        ahead = 0
        answeredAt = performance.now()
        if (byte === undefined || silence > mostSilence + waitMs) return undefined
        if (n === 1) onPrinter(byte)
        return byte
      } finally {
        clearTimeout(timer)
        question = undefined
        line.listen(listening)
      }
    },
    awaitProcess(id) {
      const waiting = { id, isAnswered: false }
      expected = waiting
      return () => waiting.isAnswered
    },
    get garbage() {
      return sorter.garbage
    },
    get isOpen() {
      return isOpen
    },
    ended: ended.promise,
    listen(awaited) {
      listening = awaited
      line.listen(awaited)
    },
    mostSilence(ms) {
      mostSilence = ms ?? Number.POSITIVE_INFINITY
      answeredAt = performance.now()
    },
    close(deliverMs) {
      end()
      return line.close(deliverMs)
    },
  }
}

function flooded(): LineError {
  return new LineError(
    'flooded',
    `The printer sent more than ${RECEIPT_BOUNDS.printerBytes.most / 1024} KB within ${PRINTER_BYTES_WITHIN_MS / 1000} seconds, which no printer does.`,
    'Check that a printer is at this address, and that the baud rate that is set is its own.',
  )
}
