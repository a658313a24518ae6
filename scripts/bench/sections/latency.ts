import { type Bench, between, type Floor, measureFloor } from '../bench.ts'
import type { BenchEnvironment, Sold } from '../environment/environment.ts'
import type { Build } from '../options.ts'
import { median, quantile } from '../statistics.ts'

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

/**
 * `POST /v1/invoices` against an authority without delay: what a sale takes and how many there are in a second. Two builds
 * are measured in turn.
 */
export async function latency(bench: Bench): Promise<void> {
  const { runs, clients, much, scratch, builds } = bench
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
        const before = measureFloor(scratch.dir)
        const sold = await stand.sell(number, much(long, short))
        note(bench, build, number, sold, between(before, measureFloor(scratch.dir)))
      }
    }
  }
  for (const { stand } of stands) await stand.close()
}

function note(
  { figures }: Bench,
  { prefix }: Build,
  clients: number,
  { times, perSecond, cpu }: Sold,
  floor: Floor,
): void {
  const who = `${prefix}${clients === 1 ? '1 client' : `${clients} clients`}`
  const least = floor.cryptoMs + 2 * floor.syncMs
  figures.add(`${who}: latency, median`, 'ms', median(times))
  figures.add(`${who}: latency, p99`, 'ms', quantile(times, 0.99))
  if (clients === 1) {
    figures.add(`${who}: beyond 2 signatures, 1 check and 2 fsyncs, median`, 'ms', median(times) - least, { most: 2 })
    figures.add(`${who}: beyond 2 signatures, 1 check and 2 fsyncs, p99`, 'ms', quantile(times, 0.99) - least, {
      most: 5,
    })
  }
  figures.add(`${who}: sales`, '1/s', perSecond)
  const share = (100 * perSecond * floor.cryptoMs) / 1000
  const wanted = clients === 64 ? { least: 40 } : undefined
  figures.add(`${who}: sales, of 1/(2 signatures + 1 check)`, '%', share, wanted)
  figures.add(`${who}: CPU per sale`, 'ms', cpu.daemon)
  const units = { 1: { most: 5 }, 64: { most: 3.5 } }[clients]
  figures.add(`${who}: CPU per sale / 2 signatures and 1 check`, '×', cpu.daemon / floor.cryptoCpuMs, units)
  figures.add(`${who}: CPU per sale of the stub`, 'ms', cpu.stub)
  figures.add(`${who}: CPU per sale of the clients`, 'ms', cpu.clients)
}
