import type { TurnoverDialect } from '../shared/figures/turnover-statements.ts'

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
