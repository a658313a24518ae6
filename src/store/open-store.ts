import { sql } from 'kysely'
import type { DatabaseCare } from '../fiscal/ports/database-maintenance.ts'
import type { RehearsalStore } from '../fiscal/ports/rehearsal.ts'
import { DEFAULT_TENANT } from '../fiscal/ports/rows/access.ts'
import type { Store, StoreTransaction } from '../fiscal/ports/store.ts'
import { aggregates } from './shared/aggregates.ts'
import { PROGRAM } from './shared/tables.ts'
import type { Db } from './sqlite/connection.ts'

export interface OpenStore extends Store {
  care: DatabaseCare
  /** Null where other processes use the database, too: they would wait for it. */
  rehearsal: RehearsalStore | null
  /** A small secret-free fact about this database, such as the seal that proves the vault key. */
  meta: {
    get(key: string): Promise<Buffer | undefined>
    /** Stores the value unless the key exists. @returns the stored value */
    keep(key: string, value: Buffer): Promise<Buffer>
    /** Stores the value in the place of another one. */
    put(key: string, value: Buffer): Promise<void>
    remove(key: string): Promise<void>
  }
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

/** Whether a query has failed in a way that says something about the database. */
export interface Trouble {
  suspected: boolean
}

/** What differs from one kind of database to the other. */
export type Kind = Pick<
  OpenStore,
  | 'sales'
  | 'transaction'
  | 'ingest'
  | 'invoiceLock'
  | 'receiptLock'
  | 'ownProcess'
  | 'isShared'
  | 'reach'
  | 'care'
  | 'rehearsal'
  | 'witness'
  | 'close'
>

/** The store on an open database whose schema is up to date. */
export function openedStore(db: Db, trouble: Trouble, kind: Kind): OpenStore {
  const factOf = async (key: string) =>
    (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  const put = async (key: string, value: Buffer) => {
    const row = db.insertInto('meta').values({ key, value })
    await row.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })).execute()
  }
  return {
    ...aggregates(db, () => kind.sales),
    ...kind,
    async ping() {
      const started = performance.now()
      await sql`SELECT 1`.execute(db)
      if (trouble.suspected) {
        // After a failed write, only another write shows whether the disk still accepts writes.
        await put('trial_write', Buffer.from('written'))
        trouble.suspected = false
      }
      return performance.now() - started
    },
    meta: {
      get: factOf,
      async keep(key, value) {
        const row = db.insertInto('meta').values({ key, value })
        await row.onConflict((conflict) => conflict.doNothing()).execute()
        return (await factOf(key)) ?? value
      },
      put,
      async remove(key) {
        await db.deleteFrom('meta').where('key', '=', key).execute()
      },
    },
    async usedBy(version) {
      const value = Buffer.from(version)
      if (!(await factOf(PROGRAM))?.equals(value)) await put(PROGRAM, value)
    },
  }
}

/** The tenant that the first start makes. */
export async function makeDefaultTenant(db: Db, now: number): Promise<void> {
  await db
    .insertInto('tenants')
    .values({ id: DEFAULT_TENANT, name: DEFAULT_TENANT, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
