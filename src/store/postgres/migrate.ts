import { sql } from 'kysely'
import { NewerDatabase } from '../shared/damage.ts'
import { PROGRAM } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'
import { sync } from './migrations/005-sync.ts'
import { office } from './migrations/006-office.ts'
import { numbersAhead } from './migrations/007-numbers-ahead.ts'
import { companiesOfTenants } from './migrations/008-companies-of-tenants.ts'
import { processes } from './migrations/009-processes.ts'
import { messagesByMonth } from './migrations/010-messages-by-month.ts'
import { withoutOlderProcesses } from './migrations/011-without-older-processes.ts'
import { turnover } from './migrations/012-turnover.ts'
import { branding } from './migrations/013-branding.ts'
import { jobs } from './migrations/015-jobs.ts'
import { closings } from './migrations/016-closings.ts'
import { people } from './migrations/017-people.ts'
import { invoiceLists } from './migrations/018-invoice-lists.ts'
import { officeMails } from './migrations/019-office-mails.ts'
import { accountRecovery } from './migrations/020-account-recovery.ts'
import { closingSchedules } from './migrations/021-closing-schedules.ts'
import { tagsAndViews } from './migrations/022-tags-and-views.ts'
import { receiptsGivenOut } from './migrations/023-receipts-given-out.ts'
import { printerReports } from './migrations/024-printer-reports.ts'
import { logos } from './migrations/025-logos.ts'
import { outboxGap } from './migrations/026-outbox-gap.ts'
import { appliedChanges, applyChanges, buildAtOnce, type SchemaChange, stepsOf } from './schema-change.ts'

/** All schema changes, in order; up to 008 each has the name of the SQLite migration after which the two are equal. */
export const migrations: Readonly<Record<string, SchemaChange>> = {
  '005-sync': sync,
  '006-office': office,
  '007-numbers-ahead': numbersAhead,
  '008-companies-of-tenants': companiesOfTenants,
  '009-processes': processes,
  '010-messages-by-month': messagesByMonth,
  '011-without-older-processes': withoutOlderProcesses,
  '012-turnover': turnover,
  '013-branding': branding,
  '015-jobs': jobs,
  '016-closings': closings,
  '017-people': people,
  '018-invoice-lists': invoiceLists,
  '019-office-mails': officeMails,
  '020-account-recovery': accountRecovery,
  '021-closing-schedules': closingSchedules,
  '022-tags-and-views': tagsAndViews,
  '023-receipts-given-out': receiptsGivenOut,
  '024-printer-reports': printerReports,
  '025-logos': logos,
  '026-outbox-gap': outboxGap,
}

const NEWEST = String(Object.keys(migrations).at(-1))

/**
 * Brings the database to this program's schema, while processes of the release before and others of this one use it.
 * Call it again once this process has its row in `processes`: a newer one may have changed the schema just before.
 * @param program this program's version
 * @returns the changes that are put off because processes of another version use the database
 * @throws NewerDatabase when a newer fiskd made the database; Error when a change failed
 */
export async function migrateToLatest(db: Db, program?: string): Promise<string[]> {
  await refuseNewer(db)
  try {
    return await applyChanges(db, migrations, { program })
  } catch (error) {
    throw new Error('the database schema could not be brought up to date', { cause: error })
  }
}

/**
 * Makes a schema from nothing, in the first schema of the search path.
 * @param names the changes; others were put off
 */
export async function makeSchema(trx: Db, names: readonly string[]): Promise<void> {
  for (const [name, change] of Object.entries(migrations)) {
    if (!names.includes(name)) continue
    for (const step of stepsOf(change)) {
      if (typeof step !== 'function') await buildAtOnce(trx, step)
      else while ((await step(trx)) === false);
    }
  }
}

/** @returns the names of the schema changes applied to the database, in order; none when fiskd did not make it */
export async function changesOf(db: Db): Promise<string[]> {
  return (await isThere(db, 'kysely_migration')) ? appliedChanges(db) : []
}

async function refuseNewer(db: Db): Promise<void> {
  const unknown = (await changesOf(db)).filter((name) => !Object.hasOwn(migrations, name)).at(-1)
  if (unknown === undefined) return
  const meta = (await isThere(db, 'meta'))
    ? await db.selectFrom('meta').select('value').where('key', '=', PROGRAM).executeTakeFirst()
    : undefined
  throw new NewerDatabase({ program: meta?.value.toString('utf8') ?? null, schema: unknown, known: NEWEST })
}

async function isThere(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`.execute(db)
  return rows[0]?.found === true
}
