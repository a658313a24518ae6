import { DAY_MS } from '../../domain/calendar-date.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { REACH } from '../../domain/sale/receipt-number.ts'

/** More than a machine sells in a day. */
const DAILY = 1000n
/** More than restores may have skipped on the old card that the server was not told: `MOST_SKIPPED_UNTOLD`. */
export const FOR_RESTORES = 10_000n
/** The rest is for sales on the old card after it was replaced, when restores have skipped all that they may. */
export const MOST_SKIPPED_UNTOLD = FOR_RESTORES - DAILY

/** How many numbers are skipped wherever none is stated. */
export interface ReplacementGap {
  count: bigint
  /** The started days that it covers; null where it was stated, or is unknown. */
  days: number | null
}

/**
 * The gap above what the server has seen: for what the old machine may have sold without telling it since `heardAt` (by
 * the server's clock, as `now`; null when unknown), and for restores. No more than the server follows.
 */
export function gapSince(heardAt: EpochMs | null, now: EpochMs): ReplacementGap {
  if (heardAt === null) return { count: REACH, days: null }
  const days = Math.max(1, Math.ceil((now - heardAt) / DAY_MS))
  const count = BigInt(days) * DAILY + FOR_RESTORES
  return { count: count < REACH ? count : REACH, days }
}
