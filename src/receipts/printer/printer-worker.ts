import type { QueuedReceipt } from '../../fiscal/ports/printing.ts'
import type { Press, PrintOrder } from './print-order.ts'

/** A press with somebody who takes jobs to it, one after another. */
export interface Desk {
  readonly press: Press
  /** There may be something to print. */
  call(): void
  /** The same, with what was queued just now. @returns false when others are before it */
  hurry(fresh: QueuedReceipt): boolean
  /** Takes nothing new. Resolves when what has begun has ended and the line is closed. */
  leave(): Promise<void>
}

export interface DeskDeps {
  press: Press
  leaving: AbortController
  /** What is to be printed next at this desk; undefined for nothing. */
  next: (fresh: QueuedReceipt | undefined) => Promise<PrintOrder | undefined>
  printed: (order: PrintOrder) => void
  /** The work could not go on; it goes on with the next call. */
  stuck: (error: unknown) => void
}

export function createDesk({ press, leaving, next, printed, stuck }: DeskDeps): Desk {
  const { signal } = leaving
  let wanted = false
  let first: QueuedReceipt | undefined
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    while (wanted && !signal.aborted) {
      wanted = false
      for (;;) {
        const fresh = first
        first = undefined
        const order = await next(fresh)
        if (!order || signal.aborted) break
        await press.print(order)
        if (!signal.aborted) printed(order)
      }
    }
  }

  function call(): void {
    wanted = true
    working ??= work()
      .catch(stuck)
      .finally(() => {
        working = undefined
        if (wanted && !signal.aborted) call()
      })
  }

  return {
    press,
    call,
    hurry(fresh) {
      if (working || signal.aborted) return false
      first = fresh
      call()
      return true
    },
    async leave() {
      leaving.abort()
      await working
      await press.printer.close()
    },
  }
}
