import { type EpochMs, formatInstant } from '../../domain/instant.ts'

/** A moment that may not have come: as responses write it, or null. */
export function moment(at: EpochMs | null): string | null {
  return at === null ? null : formatInstant(at)
}
