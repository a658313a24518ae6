import Database from 'better-sqlite3'
import type { Contradictions } from '../../../fiscal/ports/database-maintenance.ts'
import { wrongTurnover } from '../../shared/figures/turnover-check.ts'
import { TURNOVER_OF_SQLITE } from '../../shared/figures/turnover-statements.ts'
import { answerParent } from './answer-parent.ts'

/** Ids of invoices whose columns differ from their sealed document. */
const STRAYS = `
  SELECT id FROM invoices
  WHERE zki IS NOT document ->> '$.zki'
    OR number IS NOT document ->> '$.number'
    OR premises_code IS NOT document ->> '$.premisesCode'
    OR sequence_register IS NOT CASE document ->> '$.sequenceMark'
      WHEN 'N' THEN document ->> '$.registerMark' ELSE '' END
  ORDER BY id LIMIT 10`

const REPEATED_JIRS = 'SELECT jir FROM invoices WHERE jir IS NOT NULL GROUP BY jir HAVING count(*) > 1 LIMIT 10'

export async function findContradictions({ path }: { path: string }): Promise<Contradictions> {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  const strays = database.prepare<[], string>(STRAYS).pluck().all()
  const repeated = database.prepare<[], string>(REPEATED_JIRS).pluck().all()
  const sums = await wrongTurnover(TURNOVER_OF_SQLITE, async (statement) =>
    database.prepare<[], Record<string, unknown>>(statement).all(),
  )
  database.close()
  return { strays, repeated, sums }
}

await answerParent(findContradictions)
