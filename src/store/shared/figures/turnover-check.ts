import { dateAt, dateOfIso, daysFrom, isoDate, startOfDay } from '../../../domain/calendar-date.ts'
import { LAST_DAY, soldBy, TURNOVER_COLUMNS, TURNOVER_KEY, type TurnoverDialect } from './turnover-statements.ts'

/** More days than this would tell the operator nothing new. */
const MOST = 10

interface Part {
  tenantId: string
  mode: string
}

/**
 * Compares the sums with the invoices, day by day, and the months with their days. Each comparison is one statement, so
 * it sees both as of one moment, and sales go on meanwhile.
 * @param ask runs a statement, and gives its rows
 * @returns the first days and months that differ, such as `2026-11-22 (test)`
 */
export async function wrongTurnover(
  d: TurnoverDialect,
  ask: (statement: string) => Promise<Record<string, unknown>[]>,
): Promise<string[]> {
  const wrong: string[] = []
  const compare = async (part: Part, unit: string, starts: string, counted: string) => {
    const columns = TURNOVER_COLUMNS.join(', ')
    const differing = await ask(`SELECT 1 AS one FROM (
        SELECT ${columns} FROM (${counted}) AS counted
        UNION ALL SELECT ${columns} FROM turnover WHERE ${isIn(part)} AND unit = '${unit}' AND starts = '${starts}') AS both_sides
      GROUP BY ${columns} HAVING count(*) <> 2 LIMIT 1`)
    if (differing.length > 0) wrong.push(`${unit === 'day' ? starts : starts.slice(0, 7)} (${part.mode})`)
  }
  for (const [part, days] of await daysOf(ask)) {
    for (const day of days) {
      if (wrong.length === MOST) return wrong
      const sold = `(SELECT * FROM invoices WHERE ${isIn(part)} AND ${soldOn(day)}) AS issued`
      await compare(part, 'day', day, `SELECT * FROM (${soldBy(d, sold)}) AS sold WHERE unit = 'day'`)
    }
    for (const month of new Set(days.map((day) => `${day.slice(0, 8)}01`))) {
      if (wrong.length === MOST) return wrong
      const days = `unit = 'day' AND starts >= '${month}' AND starts < '${month.slice(0, 8)}99'`
      await compare(part, 'month', month, monthOf(`${isIn(part)} AND ${days}`, month))
    }
  }
  return wrong
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const isIn = ({ tenantId, mode }: Part) => `tenant_id = ${quoted(tenantId)} AND mode = ${quoted(mode)}`

function monthOf(days: string, month: string): string {
  const told = TURNOVER_KEY.filter((column) => column !== 'unit' && column !== 'starts').join(', ')
  const sums = ['invoices', 'base', 'tax', 'amount'].map((name) => `sum(${name}) AS ${name}`).join(', ')
  return `SELECT 'month' AS unit, '${month}' AS starts, ${told}, ${sums} FROM turnover WHERE ${days} GROUP BY ${told}`
}

const LAST = isoDate(dateAt(LAST_DAY))

/** Earlier and later moments count for the first and the last day. */
function soldOn(day: string): string {
  const date = dateOfIso(day)
  const next = startOfDay(daysFrom(date, 1))
  const from = day === '1970-01-01' ? '' : ` AND occurred_at >= ${startOfDay(date)}`
  return `${day === LAST ? 'true' : `occurred_at < ${next}`}${from}`
}

/** The days that have invoices or sums, in order. */
async function daysOf(ask: (statement: string) => Promise<Record<string, unknown>[]>) {
  const parts = new Map<string, [Part, Set<string>]>()
  const of = (part: Part) => {
    const key = JSON.stringify(part)
    const known = parts.get(key) ?? [part, new Set<string>()]
    parts.set(key, known)
    return known[1]
  }
  const kept = await ask('SELECT DISTINCT tenant_id, mode, starts FROM turnover')
  for (const row of kept) of({ tenantId: String(row.tenant_id), mode: String(row.mode) }).add(String(row.starts))
  for (const { id } of await ask('SELECT id FROM tenants')) {
    for (const mode of ['test', 'live']) {
      const part = { tenantId: String(id), mode }
      for (let from = 0; ; ) {
        const rows = await ask(
          `SELECT min(occurred_at) AS at FROM invoices WHERE ${isIn(part)} AND occurred_at >= ${from}`,
        )
        const [{ at } = { at: null }] = rows
        if (at === null) break
        const date = dateAt(Math.min(Number(at), LAST_DAY))
        of(part).add(isoDate(date))
        if (isoDate(date) === LAST) break
        from = startOfDay(daysFrom(date, 1))
      }
    }
  }
  return [...parts.values()].map(([part, days]) => [part, [...days].sort()] as const)
}
