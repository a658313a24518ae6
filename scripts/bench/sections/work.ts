import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { countedSince, countingWorkAt, type Worked } from '../environment/counters.ts'
import { lookingDuring, watchLog } from '../wear/log-frames.ts'

/** Until statements are compiled, connections open, and the engine has read the code of a sale. */
const WARM_UP = 100

/** A few rounds of the log. */
const SALES = 200

const KB = 1000

/**
 * What one client's sale asks for, counted and not timed, so that a busy machine shows the same: `test/bench` compares it
 * with the figures in docs/performance.md.
 */
export async function work(bench: Bench): Promise<void> {
  const { figures, runs, scratch, stub, dist } = bench
  const socketPath = join(scratch.dir, 'work.sock')
  const stand = await bench.stand({ name: 'work', dist, machines: 1, ...countingWorkAt(socketPath) })
  await stand.sell(1, WARM_UP)
  const log = watchLog(join(stand.daemon.dataDir, 'fiskd.db-wal'))
  for (let run = 0; run < runs; run++) {
    log.look()
    const [logged, before] = [log.bytes(), await stub.served()]
    await countedSince(socketPath)
    await lookingDuring(log, () => stand.sell(1, SALES))
    const counted = await countedSince<Worked>(socketPath)
    const after = await stub.served()
    const add = (what: string, unit: string, total: number) => figures.add(what, unit, total / SALES)
    add('allocated per sale, not optimized', 'KB', counted.bytes / KB)
    add('moved to the old generation per sale, not optimized', 'KB', counted.promoted / KB)
    add('statements per sale', '', counted.statements)
    add('statements compiled per sale', '', counted.compiled)
    add('transactions per sale', '', counted.transactions)
    add('written to the log per sale', 'KB', (log.bytes() - logged) / KB)
    add('signatures per sale', '', counted.signatures)
    add('checks per sale', '', counted.checks)
    add('messages per sale', '', after.signed + after.live - before.signed - before.live)
    add('connections to the authority per 100 sales', '', 100 * (after.connections - before.connections))
  }
  await stand.close()
}
