import { sql } from 'kysely'
import type { UnconfirmedStatus } from '../../../fiscal/ports/rows/sales.ts'

/** Each status has its own query: for all statuses in one query no database uses the partial index. */
export const WITHOUT_JIR = ['pending', 'retrying', 'failed', 'expired'] as const satisfies UnconfirmedStatus[]

/** Written out, not bound: a partial index is used only where its very terms are seen. */
export const isUnconfirmed = (status: UnconfirmedStatus) => sql`status = ${sql.lit(status)} AND status <> 'confirmed'`
