import { sql } from 'kysely'
import type { EpochMs } from '../../../domain/instant.ts'

/** Written out, not bound: the partial index is used only where this very term is seen. */
export const ON_THEIR_WAY = sql<boolean>`status IN ('waiting', 'sending')`

/** A later try than `soonest` was set by a wrong clock. */
export const isDue = (now: EpochMs, soonest: EpochMs) =>
  sql<boolean>`${ON_THEIR_WAY} AND (next_try_at <= ${now} OR next_try_at > ${soonest})`

/** Mails that are removed at a time. */
export const FORGOTTEN_AT_ONCE = 100
