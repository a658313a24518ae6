export interface Speed {
  /** The speed of taking bytes from the buffer; unlimited by default. */
  bytesPerMs?: number
  /** The speed of the paper; 1.6 is 200 mm/s; unlimited by default. */
  rowsPerMs?: number
}

export class Pace {
  readonly #speed: Speed
  readonly #onReady: () => void
  /** When everything printed so far is out. */
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

  /** Adds the time for one byte and this many rows of dots. */
  spend(rows: number): void {
    const { bytesPerMs = Number.POSITIVE_INFINITY, rowsPerMs = Number.POSITIVE_INFINITY } = this.#speed
    const now = performance.now()
    const since = this.#goesOn ? this.#readyAt : Math.max(this.#readyAt, now)
    this.#readyAt = since + 1 / bytesPerMs + rows / rowsPerMs
    // Timers have a resolution of a millisecond: shorter times add up.
    if (this.#readyAt - now < 1) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // Keep the printer's speed even when the timer fires late.
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
