import { createFigures, type Figures } from '../bench/figures.ts'
import { round } from '../bench/statistics.ts'
import { judgeJournals } from '../chaos/journals.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type Ground, openGround, openStand, roundTripMs, type ServerStand } from './environment.ts'
import type { ServerBenchOptions } from './options.ts'
import { type Ceiling, createCeiling, runPgbench } from './pgbench.ts'
import { type Sold, sell } from './sell.ts'

/** One row of the table. */
type Row = Record<string, number | string>

interface Measured {
  rows: Row[]
  figures: Figures
  /** What went wrong beside what is slow. */
  problems: string[]
}

/** What the server has to reach at a point of the run, sales a second; the figures that the project promises. */
const WANTED = { delayMs: 4, processes: 3, premises: 50, perSecond: 60, ofCeiling: 0.6, atOnePremises: 25 }

/** Every point of the run: sales over fiskd, and pgbench through the same proxy right after them. */
export async function measurePoints(options: ServerBenchOptions, scratch: Scratch): Promise<Measured> {
  const ground = await openGround(options.authorityMs, scratch)
  const { dist, processes, premises } = options
  const size = { processes: Math.max(...processes), premises: Math.max(...premises) }
  const stand = await openStand({ dist, ...size }, ground, scratch)
  await stand.run(0)
  await createCeiling(ground)
  const measured: Measured = { rows: [], figures: createFigures(), problems: [] }
  for (const delayMs of options.delaysMs) await tellRoundTrip(delayMs, ground, measured.figures)
  for (const processes of options.processes) {
    for (const delayMs of options.delaysMs) {
      for (const premises of options.premises) {
        await measurePoint({ processes, premises, delayMs }, options, { ground, stand }, measured)
      }
    }
  }
  await ground.line.delay(0)
  const { entries, problems } = await judgeJournals(stand.database)
  if (entries === 0) problems.push('the journals are empty')
  for (const { name, ownEnds } of stand.servers) {
    for (const { lastWords } of ownEnds) problems.push(`${name} ended by itself:\n${lastWords}`)
  }
  measured.problems.push(...problems)
  return measured
}

/** What the proxy adds, as PostgreSQL's clients feel it. */
async function tellRoundTrip(
  delayMs: number,
  { line, throughLine, postgres }: Ground,
  figures: Figures,
): Promise<void> {
  await line.delay(delayMs)
  const direct = await roundTripMs(postgres.url('postgres'))
  const through = await roundTripMs(throughLine('postgres'))
  figures.add(`round trip of an empty statement, without the proxy`, 'ms', direct)
  figures.add(`round trip of an empty statement, ${delayMs} ms added`, 'ms', through)
}

interface Point {
  processes: number
  premises: number
  delayMs: number
}

async function measurePoint(
  point: Point,
  { clients, seconds }: ServerBenchOptions,
  { ground, stand }: { ground: Ground; stand: ServerStand },
  { rows, figures, problems }: Measured,
): Promise<void> {
  const { processes, premises, delayMs } = point
  const name = `${delayMs} ms, ${processes} processes, ${premises} premises`
  process.stderr.write(`${name} ...\n`)
  await ground.line.delay(delayMs)
  const ceiling = await runPgbench({ processes, premises, seconds }, ground)
  // Starting is not measured, and takes many round trips.
  await ground.line.delay(0)
  await stand.run(processes)
  await ground.line.delay(delayMs)
  const sold = await sell({ processes, premises, clients, seconds }, stand, ground)
  await ground.line.delay(0)
  await stand.run(0)
  rows.push(rowOf(point, sold, ceiling))
  for (const [refusal, times] of sold.refusals) problems.push(`${name}: ${times} times ${refusal}`)
  const wanted = wantedAt(point)
  if (wanted) figures.add(`sales, ${name}`, '1/s', sold.perSecond, { least: wanted.perSecond })
  if (wanted?.ofCeiling) {
    figures.add(`sales / pgbench, ${name}`, '×', sold.perSecond / ceiling.perSecond, { least: wanted.ofCeiling })
  }
}

function rowOf({ delayMs, processes, premises }: Point, sold: Sold, ceiling: Ceiling): Row {
  const { perSecond, medianMs, slowMs, refusals, cpu } = sold
  return {
    'delay (ms)': delayMs,
    processes,
    premises,
    'sales/s': round(perSecond),
    'pgbench/s': round(ceiling.perSecond),
    share: round(perSecond / ceiling.perSecond),
    'median (ms)': round(medianMs),
    '99 % (ms)': round(slowMs),
    'not 200': [...refusals.values()].reduce((sum, times) => sum + times, 0),
    'CPU fiskd (ms)': round(cpu.fiskd),
    'CPU PostgreSQL (ms)': round(cpu.postgres),
    'CPU PostgreSQL of pgbench (ms)': round(ceiling.postgresCpuMs),
    'CPU proxy (ms)': round(cpu.line),
    'CPU authority (ms)': round(cpu.stub),
    'CPU clients (ms)': round(cpu.clients),
  }
}

function wantedAt(point: Point): { perSecond: number; ofCeiling?: number } | undefined {
  if (point.delayMs !== WANTED.delayMs) return undefined
  if (point.premises === 1) return { perSecond: WANTED.atOnePremises }
  const isMeant = point.processes === WANTED.processes && point.premises === WANTED.premises
  return isMeant ? { perSecond: WANTED.perSecond, ofCeiling: WANTED.ofCeiling } : undefined
}
