import { type Check, fine, warning } from '../../domain/check.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Context } from '../context.ts'
import type { DatabaseCare } from '../ports/database-maintenance.ts'
import { elsewhere, type HealthCheck } from './doctor.ts'

const DAY_MS = 24 * 3_600_000
export const WARN_AFTER_DAYS = 8
const NAME = { en: 'backup', hr: 'sigurnosna kopija' }
const FIX = {
  en: 'make one now, on another disk: sudo fisk backup FILE',
  hr: 'izradite je odmah, na drugom disku: sudo fisk backup FILE',
}

export function backupChecks({ store, care, clock }: Context & { care: Pick<DatabaseCare, 'server'> }): HealthCheck[] {
  if (care.server !== null) {
    return [
      elsewhere(NAME, {
        en: 'the database is PostgreSQL: fiskd does not see whether pg_dump or WAL archiving saves it',
        hr: 'baza podataka je PostgreSQL: fiskd ne vidi spremaju li je pg_dump ili arhiviranje WAL-a',
      }),
    ]
  }
  return [{ name: NAME, run: async () => [await examine()] }]

  async function examine(): Promise<Check> {
    const sales = await store.invoices.journals()
    if (sales.length === 0) return fine(NAME, { en: 'there are no sales yet', hr: 'još nema prodaje' })
    return check(await store.audit.latest('database.backed_up'))
  }

  function check(at: EpochMs | null): Check {
    if (at === null) return warning(NAME, { en: 'none was ever made', hr: 'nikad nije izrađena' }, FIX)
    const days = Math.floor((clock.now() - at) / DAY_MS)
    const ago =
      days < 1
        ? {
            en: 'the last one was made less than a day ago',
            hr: 'posljednja je izrađena prije manje od jednog dana',
          }
        : { en: `the last one was made ${days} days ago`, hr: `posljednja je izrađena prije ${days} dana` }
    return days >= WARN_AFTER_DAYS ? warning(NAME, ago, FIX) : fine(NAME, ago)
  }
}
