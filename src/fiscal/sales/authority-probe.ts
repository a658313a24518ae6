import { setTimeout } from 'node:timers/promises'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Clock } from '../ports/clock.ts'
import type { Probe, TaxAuthority } from '../ports/tax-authority.ts'

export interface FiscalHealth extends Probe {
  mode: Mode
  checkedAt: EpochMs
}

const CACHE_MS = 15_000
const UNNOTICED_MS = 50

export type FiscalProbe = ReturnType<typeof createFiscalProbe>

export function createFiscalProbe(authority: TaxAuthority, mode: Mode, clock: Clock) {
  let last: FiscalHealth | undefined
  let running: Promise<FiscalHealth> | undefined
  let forgotten = 0

  async function probe(): Promise<FiscalHealth> {
    const asked = forgotten
    const answer = { ...(await authority.echo(mode)), mode, checkedAt: clock.now() }
    if (asked === forgotten) last = answer
    return answer
  }

  async function ask(): Promise<FiscalHealth> {
    const age = last ? clock.now() - last.checkedAt : Number.POSITIVE_INFINITY
    if (last && age >= 0 && age < CACHE_MS) return last
    if (!running) {
      const mine = probe().finally(() => {
        if (running === mine) running = undefined
      })
      running = mine
    }
    return running
  }

  return {
    /** Whether the tax authority answers; cached for 15 seconds, and callers at the same time share one request. */
    ask,
    /** The last answer, null before the first. When it is older than 15 s, a new one is waited for at most 50 ms. */
    async lastKnown(): Promise<FiscalHealth | null> {
      await Promise.race([ask(), setTimeout(UNNOTICED_MS, undefined, { ref: false })])
      return last ?? null
    },
    /** As `lastKnown`, but does not wait for the new request. */
    known(): FiscalHealth | null {
      void ask().catch(() => {})
      return last ?? null
    },
    /** Drops the cached answer, for example because the trusted certificates have changed. */
    forget(): void {
      forgotten += 1
      last = undefined
      running = undefined
    },
  }
}
