import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import type { Clock, Probe, TaxAuthority } from './ports.ts'

export interface FiscalHealth extends Probe {
  mode: Mode
  checkedAt: EpochMs
}

const CACHE_MS = 15_000

/** Whether the tax authority answers; known for 15 seconds, and asked once however many want to know. */
export function createFiscalProbe(authority: TaxAuthority, mode: Mode, clock: Clock): () => Promise<FiscalHealth> {
  let last: FiscalHealth | undefined
  let running: Promise<FiscalHealth> | undefined

  async function probe(): Promise<FiscalHealth> {
    last = { ...(await authority.echo(mode)), mode, checkedAt: clock.now() }
    return last
  }

  return async () => {
    const age = last ? clock.now() - last.checkedAt : Number.POSITIVE_INFINITY
    if (last && age >= 0 && age < CACHE_MS) return last
    running ??= probe().finally(() => {
      running = undefined
    })
    return running
  }
}
