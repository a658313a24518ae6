import type { Counters } from './condition.ts'
import type { Roll } from './paper/roll.ts'

/** What happens to a receipt that nobody takes: it stays, or goes out or in after some time. */
export interface NotTaken {
  how: 'keep' | 'eject' | 'retract'
  /** 0: only when the next receipt comes. */
  afterMs: number
}

export interface PresenterDeps {
  roll: Roll
  counters: Counters
  /** Changes what the status tells. */
  change: (act: () => void) => void
  note: (what: string) => void
}

/** Holds a receipt that is cut at the output until the customer takes it. */
export class Presenter {
  readonly #deps: PresenterDeps
  #held: NotTaken | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(deps: PresenterDeps) {
    this.#deps = deps
  }

  get holds(): boolean {
    return this.#held !== undefined
  }

  /** Shows the receipt that was cut last; the one before it goes out, or in. */
  show(notTaken: NotTaken): void {
    this.clear()
    this.#deps.change(() => {
      this.#held = notTaken
      this.#deps.roll.handle({ presented: true })
    })
    if (notTaken.how === 'keep' || notTaken.afterMs === 0) return
    this.#timer = setTimeout(() => this.clear(), notTaken.afterMs)
  }

  take(): void {
    this.#end('receipt taken')
  }

  eject(): void {
    this.#end('receipt ejected')
  }

  retract(): void {
    if (!this.#held) return
    this.#deps.roll.handle({ retracted: true })
    this.#deps.counters.retracted++
    this.#end('receipt retracted')
  }

  /** Clears the output as the receipt's policy says. */
  clear(): void {
    if (this.#held?.how === 'retract') this.retract()
    else this.eject()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #end(what: string): void {
    this.stop()
    if (!this.#held) return
    this.#deps.note(what)
    this.#deps.change(() => {
      this.#held = undefined
    })
  }
}
