import { sql } from 'kysely'
import type { Store, StoreTransaction } from '../fiscal/store-port.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { certificates } from './certificates.ts'
import { companies } from './companies.ts'
import { type Db, openDatabase } from './connection.ts'
import { devices } from './devices.ts'
import { idempotency } from './idempotency.ts'
import { invoices } from './invoices.ts'
import { messages } from './messages.ts'
import { migrateToLatest } from './migrate.ts'
import { numbering } from './numbering.ts'
import { tenants } from './tenants.ts'
import { sessions, users } from './users.ts'

/** The tenant that the first start makes and that the local operator works for. */
export const DEFAULT_TENANT = 'default'

export interface OpenStore extends Store {
  /** A small secret-free fact about this database, such as the seal that proves the vault key. */
  meta: { get(key: string): Promise<Buffer | undefined>; set(key: string, value: Buffer): Promise<void> }
  close(): Promise<void>
}

/**
 * Opens the database at a path, brings its schema up to date and makes the default tenant.
 * @throws Error when the file cannot be opened or keep sales safely.
 */
export async function openStore(path: string, now: number): Promise<OpenStore> {
  const trouble = { suspected: false }
  const db = openDatabase(path, () => {
    trouble.suspected = true
  })
  try {
    await migrateToLatest(db)
    await db
      .insertInto('tenants')
      .values({ id: DEFAULT_TENANT, name: DEFAULT_TENANT, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    ...aggregates(db),
    transaction: (work) => db.transaction().execute((trx) => work(aggregates(trx))),
    async ping() {
      const started = performance.now()
      await sql`SELECT 1`.execute(db)
      if (trouble.suspected) {
        await tryToWrite(db)
        trouble.suspected = false
      }
      return performance.now() - started
    },
    meta: {
      async get(key) {
        const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
        return row?.value
      },
      async set(key, value) {
        await db.insertInto('meta').values({ key, value }).execute()
      },
    },
    close: () => db.destroy(),
  }
}

/** After a write has failed, only another one tells whether the disk still takes any. */
async function tryToWrite(db: Db): Promise<void> {
  const value = Buffer.from('written')
  await db
    .insertInto('meta')
    .values({ key: 'trial_write', value })
    .onConflict((conflict) => conflict.doUpdateSet({ value }))
    .execute()
}

function aggregates(db: Db): StoreTransaction {
  return {
    companies: companies(db),
    devices: devices(db),
    certificates: certificates(db),
    numbering: numbering(db),
    invoices: invoices(db),
    messages: messages(db),
    idempotency: idempotency(db),
    apiKeys: apiKeys(db),
    tenants: tenants(db),
    users: users(db),
    sessions: sessions(db),
    audit: audit(db),
  }
}
