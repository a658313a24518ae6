import type { TurnoverDialect } from './turnover-statements.ts'

/** The last Sunday before the first of a month, 01:00 UTC, of the year of `at` (domain/zagreb.ts has the same rule). */
const change = (year: string, before: string) => `unixepoch(${year} || '-${before}-01', 'weekday 0', '-7 days') + 3600`

export const TURNOVER_OF_SQLITE: TurnoverDialect = {
  cents: (text) => `CAST(replace(${text}, '.', '') AS INTEGER)`,
  document: (column) => column,
  field: (document, name) => `${document} ->> '${name}'`,
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
  cents: (text) => `CAST(replace(${text}, '.', '') AS bigint)`,
  document: (column) => `${column}::jsonb`,
  field: (document, name) => `${document} ->> '${name}'`,
  flag: (document, name) => `(${document} -> '${name}')::boolean`,
  lines: (document, name) => `jsonb_array_elements(${document} -> '${name}') AS line(value)`,
  length: (document, name) => `jsonb_array_length(${document} -> '${name}')`,
  day: (at) => `fiskd_zagreb_day(${at})`,
  whole: (expression) => `CAST(${expression} AS bigint)`,
  lower: (one, other) => `least(${one}, ${other})`,
  higher: (one, other) => `greatest(${one}, ${other})`,
}
