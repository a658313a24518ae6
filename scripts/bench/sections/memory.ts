import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import type { BenchEnvironment } from '../environment/environment.ts'
import { residentMb } from '../environment/process-use.ts'
import { slope } from '../statistics.ts'

const CLIENTS = 64
const POINTS = 10

/** Of a daemon that has sold once, and of one at rest after many sales. */
const [MOST_IDLE_MB, MOST_LOADED_MB] = [107, 150]

/** KB per 1,000 sales: what still counts as flat. A sale that left 50 bytes behind for ever would show. */
const MOST_GROWTH = 50

const SAMPLE_EVERY_MS = 200

/** Before memory is looked at after a load: what is being stored ends, and what was used is given back. */
const REST_MS = 2000

/**
 * Resident memory, MB of 1024 kB: idle in lives of their own, then in one life along many sales. "Flat" is the slope over
 * the second half, when every cache is as full as it gets.
 */
export async function memory(bench: Bench): Promise<void> {
  const { figures, runs, short, much } = bench
  for (let run = 0; run < runs; run++) {
    const stand = await bench.stand({ name: `memory-${run}`, machines: 1 })
    await stand.sell(1, 1)
    await pause(much(10_000, 3000))
    const { all, anonymous } = residentMb(pidOf(stand))
    figures.add('idle, 1 device, after 1 sale', 'MB', all, { most: MOST_IDLE_MB })
    figures.add('idle, of it no pages of files', 'MB', anonymous)
    await stand.close()
  }
  const sales = much(100_000, 2000)
  const stand = await bench.stand({ name: 'memory-load', machines: CLIENTS })
  const points: { sales: number; mb: number }[] = []
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(most, residentMb(pidOf(stand)).all)
  }, SAMPLE_EVERY_MS)
  for (let point = 1; point <= POINTS; point++) {
    await stand.sell(CLIENTS, sales / POINTS)
    await pause(REST_MS)
    const mb = residentMb(pidOf(stand)).all
    points.push({ sales: (point * sales) / POINTS, mb })
    figures.add(`at rest, at ten points along ${sales} sales`, 'MB', mb)
  }
  clearInterval(sampling)
  await stand.close()
  const growth = 1024 * 1000 * slope(points.slice(POINTS / 2).map(({ sales, mb }) => [sales, mb]))
  // What is wanted is wanted of the long form.
  const wanted = (most: number) => (short ? undefined : { most })
  figures.add(`${CLIENTS} clients, at most`, 'MB', most)
  figures.add(`after ${sales} sales, at rest`, 'MB', points.at(-1)?.mb ?? Number.NaN, wanted(MOST_LOADED_MB))
  figures.add(`growth over the second half of ${sales} sales`, 'KB per 1,000', growth, wanted(MOST_GROWTH))
}

const pidOf = ({ daemon }: BenchEnvironment): number => daemon.pid() ?? 0
