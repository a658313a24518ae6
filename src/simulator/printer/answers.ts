/** `when_idle`: real-time requests are answered only while the printer does not print. */
export type AnswerMode = 'always' | 'when_idle' | 'never' | 'garbage'

/** The bytes of any answer on a line with the wrong speed; none of them is a valid status. */
const GARBAGE = [0xff, 0x80, 0xfe, 0xf0, 0x9c]

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

  /** Drops answers that are not sent yet. */
  cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
