import { figure, lineOf, type Told } from '../chaos/report.ts'
import { differences, type Row, TABLE_NAMES } from './rows.ts'
import type { Outcome } from './run.ts'

/** Every promise of the run with what was counted, kept or not. */
export function promisesOf({ loads, tables, refused, settledMs, ownEnds }: Outcome): Told[] {
  const seen = loads.flatMap((load) => load.sales.flatMap(({ seen }) => seen))
  const { server } = tables.invoices
  return [
    ...TABLE_NAMES.map((table) => ({
      looked: tables[table].gateways.size,
      promise: `${table} of the gateways, the same at the server, field by field`,
      problems: differences(table, tables[table].gateways, tables[table].server),
    })),
    {
      looked: seen.length,
      promise: 'answers to machines, each with the number and ZKI that the server knows',
      problems: seen.flatMap(({ id, number, zki }) => {
        const row = server.get(id)
        return row?.number === number && row.zki === zki ? [] : [`${id}: told ${number} ${zki}`]
      }),
    },
    {
      looked: server.size,
      promise: 'invoices at the server have the numbers 1 to n of their premises',
      problems: gaps([...server.values()]),
    },
    {
      looked: server.size,
      promise: 'invoices at the server have a JIR',
      problems: [...server].filter(([, { jir }]) => jir === 'null').map(([id, { status }]) => `${id} is ${status}`),
    },
    { looked: refused.length, promise: 'rows were refused', problems: refused },
    {
      looked: settledMs ?? 0,
      promise: 'ms after the trouble nothing waited any more',
      problems: settledMs === null ? ['something still waits'] : [],
    },
    {
      looked: ownEnds.length,
      promise: 'processes ended by themselves',
      problems: ownEnds.map(({ name, lastWords }) => `${name}:\n${lastWords}`),
    },
  ]
}

function gaps(invoices: readonly Row[]): string[] {
  const premises = new Map<string, number[]>()
  for (const { premises_code, year, number } of invoices) {
    const sequence = `${premises_code} ${year}`
    premises.set(sequence, [...(premises.get(sequence) ?? []), Number(number)])
  }
  return [...premises].flatMap(([sequence, numbers]) =>
    numbers
      .sort((one, other) => one - other)
      .flatMap((number, i) => (number === i + 1 ? [] : [`${sequence}: ${number} stands where ${i + 1} belongs`]))
      .slice(0, 1),
  )
}

/** The figures of a run and every promise, as lines of text. */
export function reportLines({ troubles, loads, seconds }: Outcome, promises: Told[]): string[] {
  const total = (count: (load: Outcome['loads'][number]) => number) => loads.reduce((sum, load) => sum + count(load), 0)
  return [
    '',
    `in ${seconds.toFixed(0)} s`,
    figure(troubles.cuts + troubles.blackouts, `times links were cut, ${troubles.blackouts} of them all at once`),
    figure(troubles.breaks, 'times connections broke in the middle of what they carried'),
    figure(troubles.gatewayKills, 'kills of gateways'),
    figure(troubles.serverKills, 'kills of server processes'),
    figure(troubles.outages, 'outages of the tax authority'),
    figure(
      total(({ sales }) => sales.length),
      'sales',
    ),
    figure(
      total(({ counts }) => counts.posts),
      `posts, ${total(({ counts }) => counts.unanswered)} of them cut off`,
    ),
    '',
    ...promises.flatMap(lineOf),
    '',
  ]
}
