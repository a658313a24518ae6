import { sql } from 'kysely'
import type { DatabaseCare } from '../fiscal/ports/database-maintenance.ts'
import type { KeptFacts } from '../fiscal/ports/kept-facts.ts'
import type { RehearsalStore } from '../fiscal/ports/rehearsal.ts'
import { DEFAULT_TENANT } from '../fiscal/ports/rows/access.ts'
import type { Store, StoreTransaction } from '../fiscal/ports/store.ts'
import { aggregates } from './shared/aggregates.ts'
import { metaFacts } from './shared/meta.ts'
import { PROGRAM } from './shared/tables.ts'
import { type Db, unlessThere } from './sqlite/connection.ts'

export interface OpenStore extends Store, AsyncDisposable {
  care: DatabaseCare
  /** Null where other processes use the database, too: they would wait for it. */
  rehearsal: RehearsalStore | null
  /** A small secret-free fact about this database, such as the seal that proves the vault key. */
  meta: KeptFacts
  /**
   * Compares what this process knows with the database, before the first sale and again whenever the database may be
   * another one, or as it was before. No sale is stored in between.
   * @param compare may run several times, and ends before `witness` resolves
   */
  witness(compare: (tx: StoreTransaction) => Promise<void>): Promise<void>
  /** Stores which version of fiskd uses this database, so that an older version can name it later. */
  usedBy(version: string): Promise<void>
  close(): Promise<void>
}

/** Whether a query on SQLite has failed in a way that says something about the database. */
export interface Trouble {
  suspected: boolean
}

/** What differs from one kind of database to the other. */
export type Kind = Omit<
  OpenStore,
  Exclude<keyof StoreTransaction, 'sales'> | 'ping' | 'meta' | 'usedBy' | typeof Symbol.asyncDispose
>

export function openedStore(db: Db, kind: Kind, trouble?: Trouble): OpenStore {
  const meta = metaFacts(db)
  return {
    ...aggregates(db, () => kind.sales),
    ...kind,
    [Symbol.asyncDispose]: kind.close,
    async ping() {
      const started = performance.now()
      await sql`SELECT 1`.execute(db)
      if (trouble?.suspected) {
        // After a failed write, only another write shows whether the disk still accepts writes.
        await meta.put('trial_write', Buffer.from('written'))
        trouble.suspected = false
      }
      return performance.now() - started
    },
    meta,
    async usedBy(version) {
      const value = Buffer.from(version)
      if (!(await meta.get(PROGRAM))?.equals(value)) await meta.put(PROGRAM, value)
    },
  }
}

export async function makeDefaultTenant(db: Db, now: number): Promise<void> {
  const tenant = { id: DEFAULT_TENANT, name: DEFAULT_TENANT, createdAt: now }
  await db.insertInto('tenants').values(tenant).onConflict(unlessThere).execute()
}
