import { Migrator, sql } from 'kysely'
import type { Db } from './connection.ts'
import { initial } from './migrations/001-initial.ts'
import { wholeV1 } from './migrations/002-whole-v1.ts'
import { trust } from './migrations/003-trust.ts'
import { receipts } from './migrations/004-receipts.ts'
import { sync } from './migrations/005-sync.ts'
import { office } from './migrations/006-office.ts'
import { numbersAhead } from './migrations/007-numbers-ahead.ts'
import { companiesOfTenants } from './migrations/008-companies-of-tenants.ts'
import { turnover } from './migrations/009-turnover.ts'
import { branding } from './migrations/010-branding.ts'
import { jobs } from './migrations/012-jobs.ts'
import { closings } from './migrations/013-closings.ts'
import { people } from './migrations/014-people.ts'
import { invoiceLists } from './migrations/015-invoice-lists.ts'
import { officeMails } from './migrations/016-office-mails.ts'
import { accountRecovery } from './migrations/017-account-recovery.ts'
import { closingSchedules } from './migrations/018-closing-schedules.ts'
import { tagsAndViews } from './migrations/019-tags-and-views.ts'
import { receiptsGivenOut } from './migrations/020-receipts-given-out.ts'
import { printerReports } from './migrations/021-printer-reports.ts'
import { logos } from './migrations/022-logos.ts'
import { lessWritten } from './migrations/023-less-written.ts'
import { plainSales } from './migrations/024-plain-sales.ts'
import { fewerEntries } from './migrations/025-fewer-entries.ts'

/** All schema changes, in order; their names never change. */
const migrations = {
  '001-initial': initial,
  '002-whole-v1': wholeV1,
  '003-trust': trust,
  '004-receipts': receipts,
  '005-sync': sync,
  '006-office': office,
  '007-numbers-ahead': numbersAhead,
  '008-companies-of-tenants': companiesOfTenants,
  '009-turnover': turnover,
  '010-branding': branding,
  '012-jobs': jobs,
  '013-closings': closings,
  '014-people': people,
  '015-invoice-lists': invoiceLists,
  '016-office-mails': officeMails,
  '017-account-recovery': accountRecovery,
  '018-closing-schedules': closingSchedules,
  '019-tags-and-views': tagsAndViews,
  '020-receipts-given-out': receiptsGivenOut,
  '021-printer-reports': printerReports,
  '022-logos': logos,
  '023-less-written': lessWritten,
  '024-plain-sales': plainSales,
  '025-fewer-entries': fewerEntries,
}

/**
 * Brings the database to this program's schema, all in one transaction.
 * @throws Error when a migration failed, or when the database was made by a newer fiskd.
 */
export async function migrateToLatest(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  // A migration rebuilds a table by replacing it, which must not fail because of foreign keys that point to it.
  await sql`PRAGMA foreign_keys = OFF`.execute(db)
  const { error } = await migrator.migrateToLatest()
  await sql`PRAGMA foreign_keys = ON`.execute(db)
  if (error) throw new Error('the database schema could not be brought up to date', { cause: error })
}

/** Names are in order. */
export const NEWEST_SCHEMA = String(Object.keys(migrations).at(-1))

/** Whether this program knows the schema change; false for a change of a newer version. */
export function isKnownMigration(name: string): boolean {
  return Object.hasOwn(migrations, name)
}
