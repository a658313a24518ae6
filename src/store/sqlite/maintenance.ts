import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import type { DatabaseCare, DatabaseCopy } from '../../fiscal/ports/database-maintenance.ts'
import { isDamage, UnusableDatabase } from '../shared/damage.ts'
import { type Child, startChild } from './child-processes/start-child.ts'
import { type Db, DURABLE } from './connection.ts'
import { quickCheck } from './quick-check.ts'
import { schemaProblems } from './schema-check.ts'

/** @param path of the database behind `db` */
export function databaseMaintenance(db: Db, path: string): DatabaseCare & { close(): Promise<void> } {
  const underWay = new Set<Child<unknown>>()

  async function whole<T>(aside: Child<T>): Promise<T> {
    underWay.add(aside)
    try {
      const result = await aside.result
      if (result === undefined) throw new Error('the database was closed meanwhile')
      return result
    } finally {
      underWay.delete(aside)
    }
  }

  return {
    server: null,
    fileProblems() {
      const { problems, stop } = quickCheck(path)
      return whole({ result: problems, stop })
    },
    async checkpoint() {
      await sql`PRAGMA wal_checkpoint(FULL)`.execute(db)
    },
    schemaProblems: () => schemaProblems(db),
    durabilityDefaults: async () => [],
    standby: async () => 'none',
    hasPatroni: async () => false,
    async durabilityProblems() {
      const problems: string[] = []
      for (const [name, wanted] of Object.entries(DURABLE)) {
        const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db)
        const actual = Object.values(rows[0] ?? {})[0]
        if (actual !== wanted) problems.push(`${name} is ${String(actual)} instead of ${wanted}`)
      }
      return problems
    },
    contradictions: () => whole(startChild('find-contradictions', { path })),
    backUp: (target) => whole<DatabaseCopy>(copyDatabase(path, target)),
    async close() {
      await Promise.all([...underWay].map((aside) => aside.stop()))
    },
  }
}

/**
 * Copies a database that is in use into one file and checks the copy by opening it.
 * @throws UnusableDatabase when the copy is damaged; Error when it could not be made. A partial copy is not removed
 */
function copyDatabase(source: string, target: string): Child<DatabaseCopy> {
  const { result, stop } = startChild('copy-database', { source, target })
  return { result: result.then((copied) => copied && checked(copied, target), asUnusableCopy), stop }
}

async function checked(copied: { problems: string[]; facts: DatabaseCopy }, target: string): Promise<DatabaseCopy> {
  if (copied.problems.length > 0) throw new UnusableDatabase(copied.problems, { damaged: true })
  const database = new Database(target, { readonly: true, fileMustExist: true })
  await using db: Db = new Kysely({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })
  const problems = await schemaProblems(db)
  if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: false })
  return copied.facts
}

function asUnusableCopy(error: unknown): never {
  if (isDamage(error)) throw new UnusableDatabase([(error as Error).message], { damaged: true, cause: error })
  throw error
}
