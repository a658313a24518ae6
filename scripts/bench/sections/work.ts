import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { countedSince, countingWorkAt } from '../environment/counters.ts'
import { lookingDuring, watchLog } from '../wear/log-frames.ts'
import { writtenBy } from '../wear/process-io.ts'

/** Until statements are compiled, connections open, and the engine has read the code of a sale. */
const WARM_UP = 100

/** A few rounds of the log. */
const SALES = 200

const KB = 1000

/**
 * What a sale may ask for; What the daemon does beside sales falls into
 * the run, on a busy machine up to 0.7 statements a sale.
 */
export const MOST = { statements: 19.2, compiled: 0.9, transactions: 2.9, logKb: 54, handedKb: 75 }

/** What one client's sale asks for, counted and not timed, so that a busy machine shows the same. */
export async function work(bench: Bench): Promise<void> {
  const { figures, runs, scratch, stub, dist } = bench
  const socketPath = join(scratch.dir, 'work.sock')
  const stand = await bench.stand({ name: 'work', dist, machines: 1, ...countingWorkAt(socketPath) })
  await stand.sell(1, WARM_UP)
  const log = watchLog(join(stand.daemon.dataDir, 'fiskd.db-wal'))
  const pid = stand.daemon.pid() ?? 0
  for (let run = 0; run < runs; run++) {
    log.look()
    const [logged, before, written] = [log.bytes(), await stub.served(), writtenBy(pid)]
    await countedSince(socketPath)
    await lookingDuring(log, () => stand.sell(1, SALES))
    const counted = await countedSince(socketPath)
    const [after, writtenNow] = [await stub.served(), writtenBy(pid)]
    const add = (what: string, unit: string, total: number, most?: number) =>
      figures.add(what, unit, total / SALES, most === undefined ? undefined : { most })
    add('statements per sale', '', counted.statements, MOST.statements)
    add('statements compiled per sale', '', counted.compiled, MOST.compiled)
    add('transactions per sale', '', counted.transactions, MOST.transactions)
    add('written to the log per sale', 'KB', (log.bytes() - logged) / KB, MOST.logKb)
    add('written and sent per sale', 'KB', (writtenNow.handed - written.handed) / KB, MOST.handedKb)
    add('signatures per sale', '', counted.signatures)
    add('checks per sale', '', counted.checks)
    add('messages per sale', '', after.signed + after.live - before.signed - before.live)
    add('connections to the authority per 100 sales', '', 100 * (after.connections - before.connections))
  }
  await stand.close()
}
