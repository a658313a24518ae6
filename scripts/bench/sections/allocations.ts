import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { countedSince, countingAllocationsAt } from '../environment/counters.ts'

/** KB: what a sale may leave to the garbage collector. */
const MOST_KB = 150

const WARM_UP = 2000

/**
 * What a sale allocates on the heap of the engine (not: buffers, WebAssembly, SQLite), and how often it is collected. Unlike
 * times, these figures are the same on a busy machine.
 */
export async function allocations(bench: Bench): Promise<void> {
  const { figures, runs, clients, much, scratch } = bench
  for (const { dist, prefix } of bench.builds) {
    const socketPath = join(scratch.dir, `allocations${prefix === '' ? '' : '-before'}.sock`)
    const stand = await bench.stand({
      name: `allocations${prefix === '' ? '' : '-before'}`,
      dist,
      machines: Math.max(...clients),
      ...countingAllocationsAt(socketPath),
    })
    await stand.sell(Math.min(8, ...clients), much(WARM_UP, WARM_UP / 10))
    for (let run = 0; run < runs; run++) {
      for (const number of clients) {
        const sales = much(1000, 300)
        await countedSince(socketPath)
        await stand.sell(number, sales)
        const { bytes, promoted, young, old } = await countedSince(socketPath)
        const who = `${prefix}${number === 1 ? '1 client' : `${number} clients`}`
        figures.add(`${who}: allocated per sale`, 'KB', bytes / 1000 / sales, { most: MOST_KB })
        figures.add(`${who}: moved to the old generation per sale`, 'KB', promoted / 1000 / sales)
        figures.add(`${who}: collections of the young generation`, 'per 100 sales', (100 * young) / sales)
        figures.add(`${who}: steps of the old generation`, 'per 100 sales', (100 * old) / sales)
      }
    }
    await stand.close()
  }
}
