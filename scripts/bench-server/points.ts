import { createFigures, type Figures } from '../bench/figures.ts'
import { round } from '../bench/statistics.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type Ground, journalProblems, openGround, openStand, roundTripMs, type ServerStand } from './environment.ts'
import type { ServerBenchOptions } from './options.ts'
import { type Ceiling, createCeiling, runPgbench } from './pgbench.ts'
import { type Sold, sell } from './sell.ts'

/** One row of the table. */
export type Row = Record<string, number | string>

export interface Measured {
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
  const stands = await openStands(options, ground, scratch)
  await createCeiling(ground)
  const measured: Measured = { rows: [], figures: createFigures(), problems: [] }
  for (const delayMs of options.delaysMs) await tellRoundTrip(delayMs, ground, measured.figures)
  for (const processes of options.processes) {
    for (const delayMs of options.delaysMs) {
      await ground.line.delay(0)
      for (const premises of options.premises) {
        const point = { processes, premises, delayMs }
        await measurePoint(point, options, { ground, stands }, measured)
      }
    }
  }
  await ground.line.delay(0)
  for (const stand of stands) {
    await stand.run(1)
    const found = await journalProblems(stand.servers[0])
    measured.problems.push(...found.map((problem) => `${stand.name}: ${problem}`))
    for (const server of stand.servers) {
      for (const { lastWords } of server.ownEnds)
        measured.problems.push(`${server.name} ended by itself:\n${lastWords}`)
      await server.stop()
    }
  }
  return measured
}

async function openStands(options: ServerBenchOptions, ground: Ground, scratch: Scratch): Promise<ServerStand[]> {
  const { dist, against, processes, premises } = options
  const stands: ServerStand[] = []
  for (const [name, place] of [
    ['this', dist],
    ['other', against],
  ] as const) {
    if (place === null) continue
    const size = { processes: Math.max(...processes), premises: Math.max(...premises) }
    const stand = await openStand({ name, dist: place, ...size }, ground, scratch)
    await stand.run(0)
    stands.push(stand)
  }
  return stands
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
  { ground, stands }: { ground: Ground; stands: ServerStand[] },
  { rows, figures, problems }: Measured,
): Promise<void> {
  const { processes, premises, delayMs } = point
  const name = `${delayMs} ms, ${processes} processes, ${premises} premises`
  process.stderr.write(`${name} ...\n`)
  const rates: number[] = []
  await ground.line.delay(delayMs)
  const ceiling = await runPgbench({ processes, premises, seconds }, ground)
  for (const stand of stands) {
    // Starting is not measured, and takes many round trips.
    await ground.line.delay(0)
    await stand.run(processes)
    await ground.line.delay(delayMs)
    const sold = await sell({ processes, premises, clients, seconds }, stand, ground)
    await ground.line.delay(0)
    await stand.run(0)
    rows.push(rowOf(point, stands.length > 1 ? stand.name : '', sold, ceiling))
    for (const [refusal, times] of sold.refusals) problems.push(`${name}: ${times} times ${refusal}`)
    rates.push(sold.perSecond)
  }
  const [rate = Number.NaN, other] = rates
  const wanted = wantedAt(point)
  if (wanted) figures.add(`sales, ${name}`, '1/s', rate, { least: wanted.perSecond })
  if (wanted?.ofCeiling) {
    figures.add(`sales / pgbench, ${name}`, '×', rate / ceiling.perSecond, { least: wanted.ofCeiling })
  }
  if (other !== undefined) figures.add(`sales / those of the other build, ${name}`, '×', rate / other)
}

function rowOf({ delayMs, processes, premises }: Point, build: string, sold: Sold, ceiling: Ceiling): Row {
  const { perSecond, medianMs, slowMs, refusals, cpu } = sold
  return {
    'delay (ms)': delayMs,
    processes,
    premises,
    ...(build !== '' && { build }),
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
