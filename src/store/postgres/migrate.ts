import { NewerDatabase } from '../shared/damage.ts'
import { metaFacts } from '../shared/meta.ts'
import { PROGRAM } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'
import { requirePrivileges } from './privileges.ts'
import { initial } from './schema.ts'
import { appliedChanges, applyChanges, buildAtOnce, isThere, type SchemaChange, stepsOf } from './schema-change.ts'

/** All schema changes, in order; their names never change. */
const schemaChanges: Readonly<Record<string, SchemaChange>> = {
  '001-initial': initial,
}

const NEWEST = String(Object.keys(schemaChanges).at(-1))

/**
 * Brings the database to this program's schema, while processes of the release before and others of this one use it.
 * Call it again once this process has its row in `processes`: a newer one may have changed the schema just before.
 * @param program this program's version
 * @returns the changes that are put off because processes of another version use the database
 * @throws NewerDatabase when a newer fiskd made the database; Error when a change failed, or the role lacks a privilege
 */
export async function migrateToLatest(db: Db, program?: string): Promise<string[]> {
  await requirePrivileges(db)
  const applied = await refuseNewer(db)
  const all = Object.entries(schemaChanges)
  const [missing] = all.find(([name, change]) => !applied.includes(name) && !('contracts' in change)) ?? []
  if (missing !== undefined) await requirePrivileges(db, missing)
  try {
    return await applyChanges(db, schemaChanges, { program })
  } catch (error) {
    throw new Error('the database schema could not be brought up to date', { cause: error })
  }
}

/** Makes a schema from nothing, in the first one of the search path. @param names the changes; others were put off */
export async function makeSchema(trx: Db, names: readonly string[]): Promise<void> {
  for (const [name, change] of Object.entries(schemaChanges)) {
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

async function refuseNewer(db: Db): Promise<string[]> {
  const applied = await changesOf(db)
  const unknown = applied.filter((name) => !Object.hasOwn(schemaChanges, name)).at(-1)
  if (unknown === undefined) return applied
  const program = (await isThere(db, 'meta')) ? await metaFacts(db).get(PROGRAM) : undefined
  throw new NewerDatabase({ program: program?.toString('utf8') ?? null, schema: unknown, known: NEWEST })
}
