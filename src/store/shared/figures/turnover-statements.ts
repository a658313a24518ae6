import { TAX_NAME_LENGTH } from '../../../domain/text-lengths.ts'

/** How a database reads amounts and days out of an invoice. */
export interface TurnoverDialect {
  /** The document of an invoice, prepared for `field`, `flag` and `lines`. */
  document(column: string): string
  flag(document: string, name: string): string
  /** The entries of a list, as a table `line` with the column `value`. */
  lines(document: string, name: string): string
  length(document: string, name: string): string
  /** The day in Zagreb of a moment in epoch milliseconds, as `YYYY-MM-DD`. */
  day(at: string): string
  /** An expression as whole cents of 64 bits. */
  whole(expression: string): string
  lower(one: string, other: string): string
  higher(one: string, other: string): string
}

/**
 * 100 billion euros: no row of `turnover` counts further, in either direction. So the sums of a million rows fit into
 * 64 bits, and an absurd amount never makes a sale fail. The doctor reports what was not counted.
 */
const MOST_CENTS = 10_000_000_000_000

/** Names from a gateway may be longer than those of `/v1`, and a key has to fit into a page. */
const NAME_LENGTH = TAX_NAME_LENGTH

/** A gateway may name any moment: a later one would be a date of more digits, or none. */
export const LAST_DAY = Date.UTC(9999, 11, 31)

/** In the order of what is asked: a company, a premises and a device each have their rows together. */
export const TURNOVER_KEY = [
  ...['tenant_id', 'mode', 'unit', 'kind', 'starts', 'company_id', 'premises_code', 'device_id'],
  ...['payment_method', 'refund', 'rate', 'name'],
] as const

const PLACE = 'company_id, premises_code, device_id'

/** Sums of what was sold, by day and by month of Zagreb; nothing is ever taken away from them. */
export const TURNOVER_TABLE = `CREATE TABLE turnover (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    unit TEXT NOT NULL CHECK (unit IN ('day', 'month')),
    kind TEXT NOT NULL,
    starts TEXT NOT NULL,
    company_id TEXT NOT NULL,
    premises_code TEXT NOT NULL,
    device_id TEXT NOT NULL,
    payment_method TEXT NOT NULL,
    refund INTEGER NOT NULL,
    rate TEXT NOT NULL,
    name TEXT NOT NULL,
    invoices INTEGER NOT NULL,
    base INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (${TURNOVER_KEY.join(', ')})
  ) STRICT, WITHOUT ROWID`

export const TURNOVER_INDEX = 'CREATE INDEX turnover_by_device ON turnover (device_id, mode, unit, kind, starts)'

const SUMS = ['base', 'tax', 'amount'] as const
export const TURNOVER_COLUMNS = [...TURNOVER_KEY, 'invoices', ...SUMS] as const

/** An expression as cents that a row may have. */
const boundedBy = (d: TurnoverDialect) => (expression: string) =>
  d.whole(d.higher(`-${MOST_CENTS}`, d.lower(String(MOST_CENTS), `(${expression})`)))

/** A field as text; NULL where it is null or missing. */
const field = (document: string, name: string) => `${document} ->> '${name}'`

/** The cents of a field, a text such as `-4.50`; none where it is missing. PostgreSQL's least() would pass that over. */
const amountBy = (d: TurnoverDialect) => (document: string, name: string) =>
  boundedBy(d)(`coalesce(${d.whole(`replace(${field(document, name)}, '.', '')`)}, 0)`)

/** The day in Zagreb of a moment, which a gateway may have put beyond every calendar. */
const dayBy = (d: TurnoverDialect) => (at: string) => d.day(d.higher('0', d.lower(at, String(LAST_DAY))))

/**
 * Writes rows in the order of their key, so that two transactions never wait for each other in a circle.
 * @param invoices a table with the columns of an invoice
 */
export function countSales(d: TurnoverDialect, invoices: string): string {
  const bounded = boundedBy(d)
  return `INSERT INTO turnover (${TURNOVER_COLUMNS.join(', ')})
    ${soldBy(d, invoices)} ORDER BY ${TURNOVER_KEY.join(', ')}
    ON CONFLICT (${TURNOVER_KEY.join(', ')}) DO UPDATE SET invoices = turnover.invoices + excluded.invoices,
      ${SUMS.map((sum) => `${sum} = ${bounded(`turnover.${sum} + excluded.${sum}`)}`).join(', ')}`
}

/** The rows of `turnover` that invoices make, by day and month: the same sums as `domain/sale/turnover.ts`. */
export function soldBy(d: TurnoverDialect, invoices: string): string {
  const bounded = boundedBy(d)
  const amount = amountBy(d)
  const listed = (kind: string, list: string, [rate, name, base, tax, all]: readonly string[]) =>
    `SELECT sale.id, '${kind}' AS kind, ${rate} AS rate, ${name} AS name, ${base} AS base, ${tax} AS tax, ${all} AS amount
      FROM sale, ${d.lines('sale.document', list)}`
  const plain = (kind: string, name: string) =>
    `SELECT sale.id, '${kind}', '', '', ${amount('sale.document', name)}, 0, ${amount('sale.document', name)} FROM sale`
  // A text that is missing must not keep a database from being brought up to date.
  const text = (name: string) => `coalesce(${field('line.value', name)}, '')`
  const nameOf = `substr(${text('name')}, 1, ${NAME_LENGTH})`
  const money = (name: string) => amount('line.value', name)
  const [base, tax] = [money('base'), money('amount')]
  const key = TURNOVER_KEY.join(', ')
  return `SELECT ${key}, count(*) AS invoices, ${SUMS.map((sum) => `${bounded(`sum(${sum})`)} AS ${sum}`).join(', ')}
    FROM (
      WITH sale AS (
        SELECT id, tenant_id, mode, ${PLACE}, day, document, total, coalesce(${field('document', 'paymentMethod')}, '') AS payment_method,
          CASE WHEN ${d.flag('document', 'vatRegistered')} OR ${d.length('document', 'vat')} > 0 THEN 'rest'
            ELSE 'outside_vat' END AS unexplained
        FROM (SELECT id, tenant_id, mode, ${PLACE}, document, day, ${amount('document', 'total')} AS total
          FROM (SELECT id, tenant_id, mode, ${PLACE}, ${d.document('document')} AS document,
            ${dayBy(d)('occurred_at')} AS day FROM ${invoices}) AS read_once) AS with_total),
      line AS (
        ${[
          listed('vat', 'vat', [text('rate'), `''`, base, tax, `${base} + ${tax}`]),
          listed('consumption_tax', 'consumptionTax', [text('rate'), `''`, base, tax, tax]),
          listed('other_tax', 'otherTaxes', [text('rate'), nameOf, base, tax, tax]),
          listed('fee', 'fees', [`''`, nameOf, tax, '0', tax]),
          plain('exempt', 'vatExemptAmount'),
          plain('non_taxable', 'nonTaxableAmount'),
          plain('margin', 'marginAmount'),
        ].join(' UNION ALL ')}),
      rest AS (
        SELECT id, sum(amount) AS amount
        FROM (SELECT id, total AS amount FROM sale UNION ALL SELECT id, -amount FROM line) AS both_sides GROUP BY id),
      part AS (
        SELECT id, kind, rate, name, base, tax, amount FROM line
        UNION ALL SELECT sale.id, sale.unexplained, '', '', rest.amount, 0, rest.amount
          FROM sale JOIN rest ON rest.id = sale.id),
      counted AS (
        SELECT id, kind, rate, name, sum(base) AS base, sum(tax) AS tax, sum(amount) AS amount FROM part
        WHERE base <> 0 OR tax <> 0 OR amount <> 0 GROUP BY id, kind, rate, name
        UNION ALL SELECT id, 'total', '', '', 0, 0, total FROM sale)
      SELECT sale.tenant_id, sale.mode, unit.unit, counted.kind, CASE WHEN unit.unit = 'day' THEN sale.day
          ELSE substr(sale.day, 1, 7) || '-01' END AS starts, sale.company_id, sale.premises_code, sale.device_id,
        sale.payment_method,
        CASE WHEN sale.total < 0 THEN 1 ELSE 0 END AS refund, counted.rate, counted.name, counted.base, counted.tax,
        counted.amount
      FROM counted JOIN sale ON sale.id = counted.id
        CROSS JOIN (SELECT 'day' AS unit UNION ALL SELECT 'month') AS unit) AS added
    WHERE true GROUP BY ${key}`
}

/** The last Sunday before the first of a month, 01:00 UTC, of the year of `at` (domain/zagreb.ts has the same rule). */
const change = (year: string, before: string) => `unixepoch(${year} || '-${before}-01', 'weekday 0', '-7 days') + 3600`

export const TURNOVER_OF_SQLITE: TurnoverDialect = {
  document: (column) => column,
  flag: (document, name) => `${document} ->> '${name}' = 1`,
  lines: (document, name) => `json_each(${document}, '$.${name}') AS line`,
  length: (document, name) => `json_array_length(${document}, '$.${name}')`,
  day(at) {
    const year = `strftime('%Y', ${at} / 1000, 'unixepoch')`
    return `date(${at} / 1000 + CASE WHEN ${at} / 1000 >= ${change(year, '04')} AND ${at} / 1000 < ${change(year, '11')}
      THEN 7200 ELSE 3600 END, 'unixepoch')`
  },
  whole: (expression) => `CAST(${expression} AS INTEGER)`,
  lower: (one, other) => `min(${one}, ${other})`,
  higher: (one, other) => `max(${one}, ${other})`,
}

export const TURNOVER_OF_POSTGRES: TurnoverDialect = {
  document: (column) => `${column}::jsonb`,
  flag: (document, name) => `(${document} -> '${name}')::boolean`,
  lines: (document, name) => `jsonb_array_elements(${document} -> '${name}') AS line(value)`,
  length: (document, name) => `jsonb_array_length(${document} -> '${name}')`,
  day: (at) => `fiskd_zagreb_day(${at})`,
  whole: (expression) => `CAST(${expression} AS bigint)`,
  lower: (one, other) => `least(${one}, ${other})`,
  higher: (one, other) => `greatest(${one}, ${other})`,
}
