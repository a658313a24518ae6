import { type Check, fine, warning } from '../../domain/check.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { DatabaseCare } from '../ports/database-maintenance.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { elsewhere, type HealthCheck } from './doctor.ts'

const DAY_MS = 24 * 3_600_000
export const WARN_AFTER_DAYS = 8
const FIX = 'make one now, on another disk: sudo fisk backup FILE'

/** Whether there is a recent copy of the sales elsewhere. */
export function backupChecks({
  store,
  care,
  clock,
}: {
  store: Pick<StoreTransaction, 'audit' | 'invoices'>
  care: Pick<DatabaseCare, 'server'>
  clock: Clock
}): HealthCheck[] {
  if (care.server !== null) {
    return [
      elsewhere('backup', 'the database is PostgreSQL: fiskd does not see whether pg_dump or WAL archiving saves it'),
    ]
  }
  return [{ name: 'backup', run: async () => [await examine()] }]

  async function examine(): Promise<Check> {
    const sales = await store.invoices.journals()
    if (sales.length === 0) return fine('backup', 'there are no sales yet')
    return check(await store.audit.latest('database.backed_up'))
  }

  function check(at: EpochMs | null): Check {
    if (at === null) return warning('backup', 'none was ever made', FIX)
    const days = Math.floor((clock.now() - at) / DAY_MS)
    const ago = days < 1 ? 'the last one was made less than a day ago' : `the last one was made ${days} days ago`
    return days >= WARN_AFTER_DAYS ? warning('backup', ago, FIX) : fine('backup', ago)
  }
}
