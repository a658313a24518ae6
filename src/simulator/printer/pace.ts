export interface Speed {
  /** How fast bytes are taken out of the buffer; at once when it is not said. */
  bytesPerMs?: number
  /** How fast the paper moves; 1.6 is 200 mm/s, at once when it is not said. */
  rowsPerMs?: number
}

/** The time that printing takes. */
export class Pace {
  readonly #speed: Speed
  readonly #onReady: () => void
  /** When everything that was printed is out. */
  #readyAt = 0
  #timer: NodeJS.Timeout | undefined
  #goesOn = false

  constructor(speed: Speed, onReady: () => void) {
    this.#speed = speed
    this.#onReady = onReady
  }

  get moving(): boolean {
    return this.#timer !== undefined
  }

  /** One byte was taken, and the paper moved so many rows of dots. */
  spend(rows: number): void {
    const { bytesPerMs = Number.POSITIVE_INFINITY, rowsPerMs = Number.POSITIVE_INFINITY } = this.#speed
    const now = performance.now()
    const since = this.#goesOn ? this.#readyAt : Math.max(this.#readyAt, now)
    this.#readyAt = since + 1 / bytesPerMs + rows / rowsPerMs
    // A timer is no finer than a millisecond: what is less adds up.
    if (this.#readyAt - now < 1) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // A printer keeps its speed, however late a busy computer comes to simulate it.
      this.#goesOn = true
      try {
        this.#onReady()
      } finally {
        this.#goesOn = false
      }
    }, this.#readyAt - now)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#readyAt = 0
  }
}
