import type { Bench } from '../bench.ts'
import type { BenchEnvironment, Sold } from '../environment/environment.ts'
import type { Build } from '../options.ts'
import { median, quantile } from '../statistics.ts'
import { unitMs } from '../unit.ts'

/**
 * So many sales go before, until the engine has compiled what a sale runs: of a daemon that runs for months they are the
 * first minutes.
 */
const WARM_UP = 3000

const SALES: Record<number, { long: number; short: number }> = {
  1: { long: 500, short: 200 },
  8: { long: 2000, short: 300 },
  64: { long: 4000, short: 1000 },
}
const OTHERWISE = { long: 2000, short: 500 }

/** Units of processor time that a sale of a warm daemon may take, by how many sell at a time. */
const MOST_UNITS: Record<number, number> = { 1: 6.5, 8: 5.5, 64: 4.7 }

/**
 * `POST /v1/invoices` against an authority without delay: what a sale takes and how many there are in a second. Two builds
 * are measured in turn.
 */
export async function latency(bench: Bench): Promise<void> {
  const { runs, clients, much, builds } = bench
  const stands: { build: Build; stand: BenchEnvironment }[] = []
  for (const build of builds) {
    const name = `latency-${stands.length}`
    const stand = await bench.stand({ name, dist: build.dist, machines: Math.max(...clients) })
    await stand.sell(Math.min(8, ...clients), much(WARM_UP, WARM_UP / 10))
    stands.push({ build, stand })
  }
  for (let run = 0; run < runs; run++) {
    for (const number of clients) {
      const { long, short } = SALES[number] ?? OTHERWISE
      for (const { build, stand } of run % 2 === 0 ? stands : stands.toReversed()) {
        const before = unitMs()
        const sold = await stand.sell(number, much(long, short))
        note(bench, build, number, sold, (before + unitMs()) / 2)
      }
    }
  }
  for (const { stand } of stands) await stand.close()
}

function note(
  { figures, short }: Bench,
  { prefix }: Build,
  clients: number,
  { times, perSecond, cpu }: Sold,
  unit: number,
): void {
  const who = `${prefix}${clients === 1 ? '1 client' : `${clients} clients`}`
  const most = MOST_UNITS[clients]
  const wanted = most === undefined || short || prefix !== '' ? undefined : { most }
  figures.add(`${who}: latency, median`, 'ms', median(times))
  figures.add(`${who}: latency, p99`, 'ms', quantile(times, 0.99))
  figures.add(`${who}: sales`, '1/s', perSecond)
  figures.add(`${who}: CPU per sale`, 'ms', cpu.daemon)
  figures.add(`${who}: CPU per sale / 2 signatures and 1 check`, '×', cpu.daemon / unit, wanted)
  figures.add(`${who}: CPU per sale of the stub`, 'ms', cpu.stub)
  figures.add(`${who}: CPU per sale of the clients`, 'ms', cpu.clients)
}
