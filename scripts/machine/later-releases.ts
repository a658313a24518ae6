import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Change, MIGRATIONS } from '../chaos/change-build.ts'

/** Lets `laterReleases` reach the schema changes of a build. */
export const REACH_MIGRATIONS: Change = [MIGRATIONS, '$&;globalThis.migrationsOfFiskd=migrations']

/**
 * Source of a function that makes a program the release of that many upgrades: each has a change of the schema that writes a
 * table of all invoices and removes it, so that the schema itself stays the one that the doctor knows.
 */
export const LATER_RELEASES = `
function laterReleases(upgrades) {
  for (let n = 1; n <= upgrades; n++) globalThis.migrationsOfFiskd['9' + String(n).padStart(3, '0') + '-later'] = {
    async up(db) {
      await db.schema.createTable('later').addColumn('id', 'text', (column) => column.primaryKey()).addColumn('document', 'text').execute()
      await db.insertInto('later').columns(['id', 'document'])
        .expression(db.selectFrom('invoices').select(['id', 'document'])).execute()
      await db.schema.dropTable('later').execute()
    },
  }
}
`

/**
 * Makes a database of a later release one of this release again.
 * @throws Error when not each upgrade's change of the schema is there once
 */
export function undoLaterReleases(dataDir: string, upgrades: number): void {
  const database = new Database(join(dataDir, 'fiskd.db'))
  try {
    const { changes } = database.prepare("DELETE FROM kysely_migration WHERE name LIKE '9%-later'").run()
    if (changes !== upgrades) throw new Error(`${changes} of ${upgrades} changes of the schema are there`)
  } finally {
    database.close()
  }
}
