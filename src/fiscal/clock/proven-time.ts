import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ClockMarks } from '../ports/rows/processes.ts'
import type { Store } from '../ports/store.ts'

/**
 * A time that is never ahead of the true one: it advances with the elapsed time, and only a proof moves it further.
 * Decisions that cannot be undone use it: to expire an invoice, to forget an idempotency key.
 */
export interface ProvenTime {
  now(): EpochMs
  /**
   * Takes a moment as past. A moment earlier than the current proven time corrects it.
   * @param exact it is the true time, not only a lower bound
   * @throws any error of the store; then nothing has changed
   */
  learn(at: EpochMs, exact: boolean): Promise<void>
  /** The state to store for the next start. */
  moments(): Pick<ClockMarks, 'provenAt' | 'exactAt'>
}

/** Two correct clocks differ by less than this. */
const LEAP_MS = 60_000

export function createProvenTime(
  { store, mode }: { store: Pick<Store, 'transaction'>; mode: Mode },
  elapsed: () => number,
  start: Pick<ClockMarks, 'provenAt' | 'exactAt'>,
): ProvenTime {
  let { exactAt } = start
  /** The proven time when `elapsed` was zero. */
  let origin = start.provenAt - elapsed()
  let leaping: Promise<void> | undefined
  const now = () => Math.floor(origin + elapsed())

  function set(to: { origin: number; exactAt: EpochMs }): void {
    origin = to.origin
    exactAt = to.exactAt
  }

  /**
   * It is unknown how long ago rows were stored after the time was last exact. Idempotency keys among them start their
   * lifetime again, because keeping a key too long does no harm.
   */
  async function leap(to: number, exact: boolean): Promise<void> {
    const before = { origin, exactAt }
    try {
      await store.transaction(async (tx) => {
        const at = Math.floor(to + elapsed())
        const after = { origin: to, exactAt: exact ? at : Math.min(exactAt, at) }
        await tx.idempotency.restart(Math.min(exactAt, at), at, mode)
        await tx.moments.save(mode, { provenAt: at, exactAt: after.exactAt })
        // Still inside the transaction: no later transaction may store a key with the old time.
        set(after)
      })
    } catch (error) {
      set(before)
      throw error
    }
  }

  return {
    now,
    async learn(at, exact) {
      // A proof that arrives during a leap is dropped; the next proof brings the same information.
      if (leaping) return leaping
      if (Math.abs(at - now()) > LEAP_MS) {
        leaping = leap(at - elapsed(), exact).finally(() => {
          leaping = undefined
        })
        return leaping
      }
      set({ origin: at - elapsed(), exactAt: exact ? Math.floor(at) : exactAt })
    },
    moments: () => ({ provenAt: now(), exactAt }),
  }
}
