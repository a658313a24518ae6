import { sql } from 'kysely'
import { slices } from '../../domain/slices.ts'
import type { Journal } from '../../fiscal/ports/model.ts'
import type { Behind, IssuedSale } from '../../fiscal/ports/rows/issued.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'
import { metaFacts } from './meta.ts'
import { writtenOnce } from './written-once.ts'

/** Begins the key in `meta` of each premises that lacks sales. */
export const BEHIND = 'behind'

export const behindKey = ({ companyId, mode, premisesCode }: Journal) =>
  `${BEHIND} ${companyId} ${mode} ${premisesCode}`

export const behindOf = writtenOnce((db, key: string) => db.selectFrom('meta').select('key').where('key', '=', key))

/** Sales, or journals, per statement. */
const AT_ONCE = 500

export function issued(db: Db): StoreTransaction['issued'] {
  return {
    async held(sales) {
      const seals = new Set<string>()
      for (const some of slices(sales, AT_ONCE)) {
        for (const { seal } of (await sealsAt(some).execute(db)).rows) seals.add(seal)
      }
      return seals
    },
    async latest(journals) {
      const found: IssuedSale[] = []
      for (const some of slices(journals, AT_ONCE)) found.push(...(await latestOf(some).execute(db)).rows)
      return found
    },
    async behind() {
      const rows = await db.selectFrom('meta').selectAll().where('key', 'like', `${BEHIND} %`).orderBy('key').execute()
      return rows.map(({ value }) => JSON.parse(value.toString()) as Behind)
    },
    async setBehind(premises) {
      const key = behindKey(premises)
      if (premises.sales.length === 0) await metaFacts(db).remove(key)
      else await metaFacts(db).put(key, Buffer.from(JSON.stringify(premises)))
    },
  }
}

const sealsAt = (sales: readonly IssuedSale[]) => {
  const positions = sales.map(
    ({ companyId, mode, premisesCode, position }) =>
      sql`(${companyId}, ${mode}, ${premisesCode}, CAST(${position} AS integer))`,
  )
  return sql<{ seal: string }>`
    SELECT seal FROM invoices
    WHERE gateway_id = '' AND (company_id, mode, premises_code, journal_position) IN (VALUES ${sql.join(positions)})`
}

/** SQLite and PostgreSQL give the columns of VALUES the same names. */
const latestOf = (journals: readonly Journal[]) => {
  const rows = journals.map(({ companyId, mode, premisesCode }) => sql`(${companyId}, ${mode}, ${premisesCode})`)
  return sql<IssuedSale>`
    SELECT id AS invoice_id, company_id, mode, premises_code, year, sequence_register AS register, number,
      journal_position AS position, seal, zki, jir
    FROM (VALUES ${sql.join(rows)}) AS journal
    JOIN invoices ON gateway_id = '' AND company_id = journal.column1 AND mode = journal.column2
      AND premises_code = journal.column3 AND journal_position = (
        SELECT max(journal_position) FROM invoices AS others WHERE others.gateway_id = ''
          AND others.company_id = journal.column1 AND others.mode = journal.column2
          AND others.premises_code = journal.column3)`
}
