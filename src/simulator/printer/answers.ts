/** `when_idle`: real-time questions are answered only while nothing is printed. */
export type AnswerMode = 'always' | 'when_idle' | 'never' | 'garbage'

/** What a line at the wrong speed makes of any answer: no valid status among it. */
const GARBAGE = [0xff, 0x80, 0xfe, 0xf0, 0x9c]

/** The way back to the host. */
export class Answers {
  mode: AnswerMode = 'always'
  delayMs = 0
  #port: { write(bytes: Uint8Array): void } | undefined
  #timers = new Set<NodeJS.Timeout>()
  #sent = 0

  connect(port: { write(bytes: Uint8Array): void } | undefined): void {
    this.cancel()
    this.#port = port
  }

  send(bytes: Uint8Array): void {
    if (this.mode === 'never') return
    const said = this.mode === 'garbage' ? bytes.map(() => GARBAGE[this.#sent++ % GARBAGE.length] ?? 0xff) : bytes
    if (this.delayMs === 0) {
      this.#port?.write(said)
      return
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#port?.write(said)
    }, this.delayMs)
    this.#timers.add(timer)
  }

  /** What is on its way is not sent any more. */
  cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
