import type { Kept, Stored } from './database.ts'

/** What the database says a machine sold on a day or in a month of Zagreb. */
export interface Sum {
  unit: 'day' | 'month'
  /** `2026-11-22`; the first day of a month. */
  starts: string
  deviceId: string
  invoices: number
  cents: number
}

/** Of the whole invoices; not of their parts. */
export const SUMS = `SELECT unit, starts, device_id AS "deviceId", CAST(sum(invoices) AS INTEGER) AS invoices,
  CAST(sum(amount) AS DOUBLE PRECISION) AS cents FROM turnover WHERE kind = 'total' GROUP BY unit, starts, device_id`

const dayInZagreb = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Zagreb' })

/** Adds the invoices up once more, and compares. */
export function wrongSums({ invoices, sums }: Pick<Kept, 'invoices' | 'sums'>): string[] {
  const kept = new Map(sums.map((sum) => [nameOf(sum), `${sum.invoices} invoices, ${sum.cents} cents`]))
  const added = new Map<string, { invoices: number; cents: number }>()
  for (const invoice of invoices) {
    for (const name of periodsOf(invoice)) {
      const sum = added.get(name) ?? { invoices: 0, cents: 0 }
      added.set(name, { invoices: sum.invoices + 1, cents: sum.cents + Number(invoice.total.replace('.', '')) })
    }
  }
  return [...new Set([...kept.keys(), ...added.keys()])].flatMap((name) => {
    const { invoices: count, cents } = added.get(name) ?? { invoices: 0, cents: 0 }
    const wanted = `${count} invoices, ${cents} cents`
    return kept.get(name) === wanted ? [] : [`${name}: ${kept.get(name) ?? 'nothing'} is kept, ${wanted} were sold`]
  })
}

function periodsOf({ occurredAt, deviceId }: Stored): string[] {
  const day = dayInZagreb.format(new Date(occurredAt))
  return [
    nameOf({ unit: 'day', starts: day, deviceId }),
    nameOf({ unit: 'month', starts: `${day.slice(0, 7)}-01`, deviceId }),
  ]
}

const nameOf = ({ unit, starts, deviceId }: Pick<Sum, 'unit' | 'starts' | 'deviceId'>) =>
  `${unit} ${starts} ${deviceId}`
