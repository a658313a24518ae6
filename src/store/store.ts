import { sql } from 'kysely'
import type { DatabaseCare } from '../fiscal/ports.ts'
import { DEFAULT_TENANT, type Store, type StoreTransaction } from '../fiscal/store-port.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { databaseCare } from './care.ts'
import { certificates } from './certificates.ts'
import { companies } from './companies.ts'
import { type Db, openDatabase } from './connection.ts'
import { asUnusable, isDamage, UnusableDatabase } from './damage.ts'
import { devices } from './devices.ts'
import { idempotency } from './idempotency.ts'
import { invoices } from './invoices.ts'
import { leases } from './leases.ts'
import { messages } from './messages.ts'
import { migrateToLatest } from './migrate.ts'
import { moments } from './moments.ts'
import { numbering } from './numbering.ts'
import { printJobs } from './print-jobs.ts'
import { printers } from './printers.ts'
import { schemaProblems } from './schema-check.ts'
import { PROGRAM } from './tables.ts'
import { tenants } from './tenants.ts'
import { sessions, users } from './users.ts'

export { DEFAULT_TENANT }

export interface OpenStore extends Store {
  care: DatabaseCare
  /** A small secret-free fact about this database, such as the seal that proves the vault key. */
  meta: {
    get(key: string): Promise<Buffer | undefined>
    set(key: string, value: Buffer): Promise<void>
    remove(key: string): Promise<void>
  }
  /** Writes down which version of fiskd uses this database: an older one that meets it later can name it. */
  usedBy(version: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database at a path, brings its schema up to date and makes the default tenant.
 * @param onDamage told when SQLite finds the file broken while it is used
 * @throws UnusableDatabase when the file is broken or its schema is not ours; Error when it cannot keep sales safely
 */
export async function openStore(
  path: string,
  now: number,
  onDamage: (problem: string) => void = () => {},
): Promise<OpenStore> {
  const trouble = { suspected: false }
  const db = openDatabase(path, (error) => {
    trouble.suspected = true
    if (isDamage(error)) onDamage(String(error))
  })
  try {
    await migrateToLatest(db)
    const problems = await schemaProblems(db)
    if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
    await db
      .insertInto('tenants')
      .values({ id: DEFAULT_TENANT, name: DEFAULT_TENANT, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } catch (error) {
    await db.destroy()
    throw asUnusable(error)
  }
  const care = databaseCare(db, path)
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
      async remove(key) {
        await db.deleteFrom('meta').where('key', '=', key).execute()
      },
    },
    async usedBy(version) {
      const value = Buffer.from(version)
      const before = await db.selectFrom('meta').select('value').where('key', '=', PROGRAM).executeTakeFirst()
      if (before?.value.equals(value)) return
      const row = db.insertInto('meta').values({ key: PROGRAM, value })
      await row.onConflict((conflict) => conflict.doUpdateSet({ value })).execute()
    },
    care,
    async close() {
      await care.close()
      await db.destroy()
    },
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
    printers: printers(db),
    printJobs: printJobs(db),
    idempotency: idempotency(db),
    moments: moments(db),
    apiKeys: apiKeys(db),
    tenants: tenants(db),
    users: users(db),
    sessions: sessions(db),
    audit: audit(db),
    leases: leases(db),
  }
}
