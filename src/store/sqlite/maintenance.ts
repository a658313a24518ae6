import { sql } from 'kysely'
import type { DatabaseCare, DatabaseCopy } from '../../fiscal/ports/database-maintenance.ts'
import { type ChildScript, runChildScript } from './child-script.ts'
import { type Db, DURABLE } from './connection.ts'
import { copyDatabase } from './copy-database.ts'
import { quickCheck } from './quick-check.ts'
import { schemaProblems } from './schema-check.ts'

/** The columns that are searched by say what the sealed document says, and no JIR was given twice. */
const CONTRADICTIONS = `
  const database = new Database(data.path, { readonly: true, fileMustExist: true })
  const strays = database.prepare(\`
    SELECT id FROM invoices
    WHERE zki IS NOT document ->> '$.zki'
      OR number IS NOT document ->> '$.number'
      OR premises_code IS NOT document ->> '$.premisesCode'
      OR sequence_register IS NOT CASE document ->> '$.sequenceMark'
        WHEN 'N' THEN document ->> '$.registerMark' ELSE '' END
    ORDER BY id LIMIT 10\`).pluck().all()
  const repeated = database.prepare(\`
    SELECT jir FROM invoices WHERE jir IS NOT NULL GROUP BY jir HAVING count(*) > 1 LIMIT 10\`).pluck().all()
  database.close()
  return { strays, repeated }
`

/** @param path of the database behind `db` */
export function databaseMaintenance(db: Db, path: string): DatabaseCare & { close(): Promise<void> } {
  const underWay = new Set<ChildScript<unknown>>()

  async function whole<T>(aside: ChildScript<T>): Promise<T> {
    underWay.add(aside)
    try {
      const said = await aside.said
      if (said === undefined) throw new Error('the database was closed meanwhile')
      return said
    } finally {
      underWay.delete(aside)
    }
  }

  return {
    server: null,
    fileProblems() {
      const { problems, stop } = quickCheck(path)
      return whole({ said: problems, stop })
    },
    schemaProblems: () => schemaProblems(db),
    async durabilityProblems() {
      const problems: string[] = []
      for (const [name, wanted] of Object.entries(DURABLE)) {
        const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db)
        const actual = Object.values(rows[0] ?? {})[0]
        if (actual !== wanted) problems.push(`${name} is ${String(actual)} instead of ${wanted}`)
      }
      return problems
    },
    contradictions: () => whole(runChildScript<{ strays: string[]; repeated: string[] }>(CONTRADICTIONS, { path })),
    backUp: (target) => whole<DatabaseCopy>(copyDatabase(path, target)),
    async close() {
      await Promise.all([...underWay].map((aside) => aside.stop()))
    },
  }
}
