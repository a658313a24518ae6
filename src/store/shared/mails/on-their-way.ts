import { sql } from 'kysely'

/** Written out, not bound: the partial index is used only where this very term is seen. */
export const ON_THEIR_WAY = sql<boolean>`status IN ('waiting', 'sending')`

/** Mails that are removed at a time. */
export const FORGOTTEN_AT_ONCE = 100
