import { createHash } from 'node:crypto'
import type { Bitmap } from '../drawing/bitmap.ts'
import type { Encoded } from '../encoding/encoded-job.ts'
import type { Mark } from './dialects/dialect.ts'
import type { Questions } from './questions.ts'

const GS_L = [0x1d, 0x28, 0x4c]
const LIST = Uint8Array.from([...GS_L, 4, 0, 0x30, 0x40, 0x4b, 0x43])
const ACK = Uint8Array.of(0x06)
/** A customer may wait behind a printer that knows no such list. */
const LISTING_MS = 1000
/** How long a printer may write a logo, and how long it may take to receive it. */
const WRITING_MS = 10_000
const SENDING_MS = 30_000

/**
 * Logos in the permanent memory of a printer (`GS ( L`, Epson ESC/POS reference [V]). After the first receipt with a logo
 * on a line the printer is asked which ones it has, and a logo is written only when it is missing: the memory bears about
 * ten writes a day. A logo that the printer does not have is sent as dots. A printer that prints no logo is never asked.
 * @param answerMs how long the printer may take for an answer
 */
export function createStoredLogos(answerMs: number) {
  /** The keys in the printer; undefined when they are not known. */
  let keys: ReadonlySet<string> | undefined
  let isAsked = false
  let wanted: { key: string; bitmap: Bitmap } | undefined
  /** Written once without success: not again before the next start. */
  const refused = new Set<string>()
  let awaited: { keys: Set<string>; isWhole(): void } | undefined
  let line: Pick<Questions, 'send'> | undefined

  async function list(questions: Pick<Questions, 'send' | 'listen'>, waitMs: number) {
    const whole = Promise.withResolvers<boolean>()
    const heard = new Set<string>()
    awaited = { keys: heard, isWhole: () => whole.resolve(true) }
    const timer = setTimeout(() => whole.resolve(false), waitMs)
    questions.listen(true)
    try {
      await questions.send(LIST, AbortSignal.timeout(waitMs))
      return (await whole.promise) ? heard : undefined
    } finally {
      clearTimeout(timer)
      questions.listen(false)
      awaited = undefined
    }
  }

  return {
    /** Call when a line was opened: there may be another printer on it. */
    opened(): void {
      keys = undefined
      isAsked = false
      wanted = undefined
    },
    hear(mark: Mark): void {
      if (mark.kind !== 'keys') return
      // After each part the printer waits for this one byte, also when it answers late.
      line?.send(ACK, AbortSignal.timeout(answerMs)).catch(() => {})
      for (const key of mark.keys) awaited?.keys.add(key)
      if (!mark.isMore) awaited?.isWhole()
    },
    /** The job with the printer's own logo in place of its dots, if it has it. */
    shortened(encoded: Encoded): Encoded {
      const { logo, segments } = encoded
      if (!logo) return encoded
      const key = keyOf(logo.bitmap)
      if (keys?.has(key)) return { segments: [...segments.slice(0, logo.from), print(key), ...segments.slice(logo.to)] }
      const isPossible = keys !== undefined || !isAsked
      if (isPossible && !refused.has(key)) wanted = { key, bitmap: logo.bitmap }
      return encoded
    },
    /** Whether a logo was sent as dots that the printer may keep. */
    get hasWork() {
      return wanted !== undefined
    },
    /** Asks which logos are there, and writes the one that is missing. Call while nothing is printed. @throws LineError */
    async work(questions: Pick<Questions, 'send' | 'listen'>): Promise<void> {
      line = questions
      const logo = wanted
      wanted = undefined
      if (!logo) return
      if (!isAsked) {
        isAsked = true
        keys = await list(questions, Math.min(answerMs, LISTING_MS))
      }
      if (!keys || keys.has(logo.key)) return
      refused.add(logo.key)
      await questions.send(definition(logo.key, logo.bitmap), AbortSignal.timeout(SENDING_MS))
      keys = await list(questions, WRITING_MS)
      if (keys?.has(logo.key)) refused.delete(logo.key)
    },
  }
}

/** Two printable characters [V: 32 to 126]. */
function keyOf({ width, rows, bits }: Bitmap): string {
  const digest = createHash('sha256').update(`${width} ${rows} `).update(bits).digest()
  return String.fromCharCode(...[0, 1].map((at) => 33 + ((digest[at] ?? 0) % 94)))
}

/** Function 69: as it is, in the middle like other pictures. */
const print = (key: string): Uint8Array => Uint8Array.from([...GS_L, 6, 0, 0x30, 0x45, ...Buffer.from(key), 1, 1])

/** Function 67: one tone, one colour. */
function definition(key: string, { width, rows, bits }: Bitmap): Uint8Array {
  const word = (number: number) => [number & 0xff, number >> 8]
  const head = [0x30, 0x43, 0x30, ...Buffer.from(key), 1, ...word(width), ...word(rows), 0x31]
  return Uint8Array.from([...GS_L, ...word(head.length + bits.length), ...head, ...bits])
}
