import { setTimeout as sleep } from 'node:timers/promises'
import { PRINTER_BYTES_WITHIN_MS, RECEIPT_BOUNDS } from '../bounds.ts'
import { type Line, LineError } from '../lines/line.ts'
import type { Answer, Dialect, Mark } from './dialects/dialect.ts'
import { CHECK_LINE } from './printer-condition.ts'

export type Questions = ReturnType<typeof createQuestions>

export interface QuestionsOptions {
  dialect: Pick<Dialect, 'stands' | 'createSorter' | 'reportsByItself'>
  answerTimeoutMs: number
  /** Transmission time of a byte, in milliseconds; 0 when it is unknown. */
  msPerByte: number
  /** How long a question may wait behind content that must be printed first. */
  behindMs: () => number
  /** Called when the printer said in time whether it stands. */
  onStands: (stands: boolean) => void
  onMark: (mark: Mark) => void
}

/** Questions to a printer and its answers on an open line. One question at a time. */
export function createQuestions(line: Line, options: QuestionsOptions) {
  const { dialect, answerTimeoutMs, msPerByte, behindMs, onStands, onMark } = options
  const ended = Promise.withResolvers<LineError | undefined>()
  let question: { answer(answer: Answer | undefined): void; fail(error: LineError): void } | undefined
  let arrived = 0
  let countedSince = performance.now()
  let isOpen = true
  /** Bytes that are ahead of the next question on the wire. */
  let ahead = 0
  let answersMayBeLate = false
  let latest = new Uint8Array(0)
  let listening = false
  let mostSilence = Number.POSITIVE_INFINITY
  let answeredAt = performance.now()

  const sorter = dialect.createSorter({
    state: (answer) => {
      // An unexpected answer belongs to an earlier question, unless the printer also reports by itself.
      if (question) question.answer(answer)
      else if (!dialect.reportsByItself) answersMayBeLate = true
      question = undefined
    },
    mark: onMark,
  })
  line.onBytes((bytes) => {
    if (!isOpen) return
    latest = latestOf(latest, bytes)
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
    question?.fail(
      reason ??
        new LineError(
          'broken',
          { en: 'The line was closed meanwhile.', hr: 'Priključak je u međuvremenu zatvoren.' },
          { en: 'Try again.', hr: 'Pokušajte ponovno.' },
        ),
    )
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
  async function awaitLateAnswers(): Promise<void> {
    if (!answersMayBeLate) return
    line.listen(true)
    await sleep(answerTimeoutMs)
    answersMayBeLate = false
  }

  async function ask(bytes: Uint8Array): Promise<Answer | undefined> {
    await awaitLateAnswers()
    line.listen(true)
    const timeoutMs = answerTimeoutMs + Math.ceil(behindMs())
    const unsent = new AbortController()
    let cancel = actUnlessHeldUp(timeoutMs, () => unsent.abort())
    const answered = new Promise<Answer | undefined>((resolve, reject) => {
      question = { answer: resolve, fail: reject }
    })
    // When `send` throws, the caller does not wait for the answer.
    answered.catch(() => {})
    try {
      await send(bytes, unsent.signal)
      cancel()
      const waitMs = ahead * msPerByte
      cancel = actUnlessHeldUp(timeoutMs + waitMs, () => question?.answer(undefined))
      const answer = await answered
      const silence = performance.now() - answeredAt
      answersMayBeLate ||= answer === undefined
      ahead = 0
      answeredAt = performance.now()
      if (answer === undefined || silence > mostSilence + waitMs) return undefined
      if (bytes === dialect.stands.question) onStands(dialect.stands.read(answer))
      return answer
    } finally {
      cancel()
      question = undefined
      line.listen(listening)
    }
  }

  return {
    /** @throws LineError; `stalled` when `signal` aborts first, and the line is then closed */
    send,
    ask,
    /** Asks whether the printer stands: offline, without paper, with an error. Otherwise as `ask`. */
    async stands(): Promise<boolean | undefined> {
      const answer = await ask(dialect.stands.question)
      return answer && dialect.stands.read(answer)
    },
    get garbage(): number {
      return sorter.garbage
    },
    /** The bytes that arrived last, 64 at most. */
    get latest(): Uint8Array {
      return latest
    },
    get isOpen(): boolean {
      return isOpen
    },
    ended: ended.promise,
    /** Says whether answers other than those of `ask` are awaited. */
    listen(awaited: boolean): void {
      listening = awaited
      line.listen(awaited)
    },
    /** An answer later than this after the one before does not count: the printer may have been off meanwhile. */
    mostSilence(ms: number | undefined): void {
      mostSilence = ms ?? Number.POSITIVE_INFINITY
      answeredAt = performance.now()
    },
    close(deliverMs?: number): Promise<void> {
      end()
      return line.close(deliverMs)
    },
  }
}

const MOST_KEPT = 64

function latestOf(before: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...before, ...bytes.subarray(-MOST_KEPT)].slice(-MOST_KEPT))
}

function flooded(): LineError {
  const [kb, seconds] = [RECEIPT_BOUNDS.printerBytes.most / 1024, PRINTER_BYTES_WITHIN_MS / 1000]
  return new LineError(
    'flooded',
    {
      en: `The printer sent more than ${kb} KB within ${seconds} seconds, which no printer does.`,
      hr: `Pisač je u ${seconds} s poslao više od ${kb} KB, što nijedan pisač ne čini.`,
    },
    {
      en: `Check that a printer is at this address. ${CHECK_LINE.en}`,
      hr: `Provjerite je li na toj adresi pisač. ${CHECK_LINE.hr}`,
    },
  )
}

/** When this process is blocked for longer, what it waits for may have come unnoticed: it waits for so long again. */
const HELD_UP_MS = 100

/** Where it is blocked all the time, an end has to come. */
const MOST_TIMES = 20

/** Acts after so long, in which this process was able to notice what came. @returns a function that prevents it */
function actUnlessHeldUp(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout
  let times = 0
  function wait(forMs: number): void {
    const due = performance.now() + forMs
    timer = setTimeout(() => {
      times += 1
      if (performance.now() - due > HELD_UP_MS && times <= MOST_TIMES) wait(HELD_UP_MS)
      else act()
    }, forMs)
  }
  wait(ms)
  return () => clearTimeout(timer)
}
