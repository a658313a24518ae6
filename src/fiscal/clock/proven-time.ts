import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ClockMarks } from '../ports/rows/processes.ts'
import type { Store } from '../ports/store.ts'

/**
 * A time that is never ahead of the true one: it goes on by what has elapsed, and further only when somebody proves
 * it. What cannot be undone goes by it: an invoice expires, an idempotency key is forgotten.
 */
export interface ProvenTime {
  now(): EpochMs
  /**
   * Takes a moment for past; an earlier one than the time that was believed takes that back.
   * @param exact it is the true time, not only past
   * @throws whatever the store throws; nothing has changed then
   */
  learn(at: EpochMs, exact: boolean): Promise<void>
  /** What the next start has to know. */
  moments(): Pick<ClockMarks, 'provenAt' | 'exactAt'>
}

/** Two clocks differ by less without either of them having been moved. */
const LEAP_MS = 60_000

export function createProvenTime(
  { store, mode }: { store: Pick<Store, 'transaction'>; mode: Mode },
  elapsed: () => number,
  start: Pick<ClockMarks, 'provenAt' | 'exactAt'>,
): ProvenTime {
  let { exactAt } = start
  /** What the time was when `elapsed` was zero. */
  let origin = start.provenAt - elapsed()
  let leaping: Promise<void> | undefined
  const now = () => Math.floor(origin + elapsed())

  function set(to: { origin: number; exactAt: EpochMs }): void {
    origin = to.origin
    exactAt = to.exactAt
  }

  /**
   * How long ago something was stored after the time was last known exactly, nobody knows: the idempotency keys among
   * it begin their hours anew, for one that is remembered too long does no harm.
   */
  async function leap(to: number, exact: boolean): Promise<void> {
    const before = { origin, exactAt }
    try {
      await store.transaction(async (tx) => {
        const at = Math.floor(to + elapsed())
        const after = { origin: to, exactAt: exact ? at : Math.min(exactAt, at) }
        await tx.idempotency.restart(Math.min(exactAt, at), at, mode)
        await tx.moments.save(mode, { provenAt: at, exactAt: after.exactAt })
        // Still inside: no transaction after this one may store a key by the time of before.
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
      // What is learnt meanwhile is learnt again with the next proof.
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
