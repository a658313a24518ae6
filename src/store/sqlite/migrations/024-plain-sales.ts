import { type Kysely, sql } from 'kysely'
import { TURNOVER_OF_SQLITE as D } from '../../shared/figures/turnover-dialects.ts'
import {
  addingBy,
  amountBy,
  boundedBy,
  countSales,
  dayBy,
  TURNOVER_COLUMNS,
} from '../../shared/figures/turnover-statements.ts'
import { NEW_INVOICE } from './009-turnover.ts'

const bounded = boundedBy(D)
const field = (name: string) => D.field('NEW.document', name)
const amount = (name: string) => amountBy(D)('NEW.document', name)
const text = (name: string) => `coalesce(${field(name)}, '')`

/** The total of a plain sale has no parts but VAT of one rate, or no parts at all. */
const IS_PLAIN = [
  `(${field('vat')} = '[]' OR ${D.length('NEW.document', 'vat')} = 1)`,
  ...['consumptionTax', 'otherTaxes', 'fees'].map((list) => `${field(list)} = '[]'`),
  ...['vatExemptAmount', 'nonTaxableAmount', 'marginAmount'].map((name) => `${field(name)} IS NULL`),
].join(' AND ')

/** What is read of a plain sale, once: the columns of the view, and their values. */
const READ = {
  tenant_id: 'NEW.tenant_id',
  mode: 'NEW.mode',
  day: dayBy(D)('NEW.occurred_at'),
  company_id: 'NEW.company_id',
  premises_code: 'NEW.premises_code',
  device_id: 'NEW.device_id',
  payment_method: text('paymentMethod'),
  unexplained: `CASE WHEN ${D.flag('NEW.document', 'vatRegistered')} OR ${field('vat')} <> '[]' THEN 'rest' ELSE 'outside_vat' END`,
  rate: text('$.vat[0].rate'),
  base: amount('$.vat[0].base'),
  tax: amount('$.vat[0].amount'),
  total: amount('total'),
}

/** Without rows: what is inserted into it is added to `turnover`. */
const VIEW = `CREATE VIEW plain_sales AS
  SELECT ${Object.keys(READ)
    .map((column) => `NULL AS ${column}`)
    .join(', ')} WHERE false`

const REST = 'NEW.total - NEW.base - NEW.tax'

/** The same rows as of `soldBy`. */
function rowsOf(unit: 'day' | 'month', starts: string): string {
  const row = (kind: string, rate: string, sums: readonly string[], isThere: string) => `
    INSERT INTO turnover (${TURNOVER_COLUMNS.join(', ')})
    SELECT NEW.tenant_id, NEW.mode, '${unit}', ${kind}, ${starts}, NEW.company_id, NEW.premises_code, NEW.device_id,
      NEW.payment_method, NEW.total < 0, ${rate}, '', 1, ${sums.join(', ')}
    WHERE ${isThere} ${addingBy(D)};`
  const vat = ['NEW.base', 'NEW.tax', bounded('NEW.base + NEW.tax')]
  return [
    row(`'total'`, `''`, ['0', '0', 'NEW.total'], 'true'),
    row(`'vat'`, 'NEW.rate', vat, 'NEW.base <> 0 OR NEW.tax <> 0'),
    row('NEW.unexplained', `''`, [bounded(REST), '0', bounded(REST)], `${REST} <> 0`),
  ].join('')
}

const STATEMENTS = [
  'DROP TRIGGER invoices_are_counted',
  `CREATE TRIGGER invoices_are_counted AFTER INSERT ON invoices WHEN (${IS_PLAIN}) IS NOT TRUE BEGIN
    ${countSales(D, NEW_INVOICE)}; END`,
  VIEW,
  `CREATE TRIGGER plain_sales_are_added INSTEAD OF INSERT ON plain_sales BEGIN
    ${rowsOf('day', 'NEW.day')}${rowsOf('month', `substr(NEW.day, 1, 7) || '-01'`)} END`,
  `CREATE TRIGGER plain_sales_are_counted AFTER INSERT ON invoices WHEN ${IS_PLAIN} BEGIN
    INSERT INTO plain_sales (${Object.keys(READ).join(', ')}) VALUES (${Object.values(READ).join(', ')}); END`,
]

/** Adds a plain sale to the sums without the statement for any sale, which takes three times as long. */
export const plainSales = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
