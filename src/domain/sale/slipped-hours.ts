import { type EpochMs, HOUR_MS } from '../instant.ts'
import type { Both } from '../texts/both.ts'

/** So far a clock may be off, or a request be under way. */
const NEAR_MS = 300_000
/** No offset differs by more from that of Zagreb. */
const MOST_HOURS = 14
/** One sale may have waited for an hour, and so may two. */
const TOLD_FROM = 3

/** By how many whole hours a moment is off, as where its digits and its offset are of two time zones; else 0. */
export function slippedHours(byMs: number): number {
  const hours = Math.round(byMs / HOUR_MS)
  return Math.abs(hours) <= MOST_HOURS && Math.abs(byMs - hours * HOUR_MS) <= NEAR_MS ? hours : 0
}

/** By how many whole hours all of the latest sales of a machine came too late; 0 where they did not. */
export function hoursLate(sales: readonly { createdAt: EpochMs; occurredAt: EpochMs }[]): number {
  const hours = sales.map(({ createdAt, occurredAt }) => slippedHours(createdAt - occurredAt))
  return sales.length < TOLD_FROM ? 0 : Math.max(0, Math.min(...hours))
}

export const hoursLateText = (hours: number): Both => ({
  en: `every one of its latest sales came ${hours} h after its time of sale: digits and offset of occurred_at are of two time zones`,
  hr: `svaka je od posljednjih prodaja stigla ${hours} h nakon svojeg vremena: znamenke i pomak u occurred_at nisu iz iste vremenske zone`,
})

export const HOURS_LATE_FIX: Both = {
  en: 'have the firmware send the local time with the offset of that zone, or UTC with Z (docs/firmware.md)',
  hr: 'firmware treba slati lokalno vrijeme s pomakom iste zone ili UTC sa Z (docs/firmware.md)',
}
