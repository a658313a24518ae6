import { setTimeout as sleep } from 'node:timers/promises'
import { PRINTER_BYTES_WITHIN_MS, RECEIPT_BOUNDS } from '../bounds.ts'
import { type Line, LineError } from '../lines/line.ts'
import type { LineSession } from '../lines/reconnecting-line.ts'
import { createSorter } from './printer-answers.ts'

/** What a printer is asked, and what it sends, on a line that is open. One question at a time. */
export interface Questions extends LineSession {
  /** @throws LineError; `stalled` when `signal` aborts first. The line is closed then */
  send(bytes: Uint8Array, signal: AbortSignal): Promise<void>
  /**
   * Asks `DLE EOT n`.
   * @returns undefined when no answer came in time
   * @throws LineError
   */
  ask(n: 1 | 2 | 4): Promise<number | undefined>
  /**
   * Awaits the answer to function 48 of `GS ( H` with this id, and no other one any more.
   * @returns whether it has come
   */
  awaitProcess(id: string): () => boolean
  /** Bytes that made no sense. */
  readonly garbage: number
  /** Whether answers are awaited beside those of `ask`. */
  listen(awaited: boolean): void
  /**
   * From now on until it is ended with undefined, an answer that comes so long after the one before counts as none: the
   * printer may have been off meanwhile, whoever did not look in time. What is on the wire is allowed for.
   */
  mostSilence(ms: number | undefined): void
}

/**
 * Where this process is held up for longer, by a slow disk or a busy machine, an answer may lie there that it has not read:
 * it gets as long again.
 */
const HELD_UP_MS = 100

export interface QuestionsOptions {
  /** How long an answer may take. */
  answerTimeoutMs: number
  /** How long a byte is on the wire; 0 where nobody can tell. */
  msPerByte: number
  /** How long a question may have to wait behind what must be printed first. */
  behindMs: () => number
  /** An answer to `DLE EOT 1` has come in time. */
  onPrinter: (byte: number) => void
  /** An answer to `GS r 1` has come. */
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
      // One that nobody waits for belongs to an earlier question.
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

  /** Lets the answer to a question that nobody waits for any more come and go, or it would be taken for the next one's. */
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
      // Whoever is told by `send` does not wait for it.
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
