import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Scratch } from '../../chaos/scratch.ts'
import type { BenchEnvironment } from '../environment/environment.ts'
import { type Cause, causesOf } from './causes.ts'
import { lookingDuring, watchLog } from './log-frames.ts'
import { writtenBy, writtenToDiskOf } from './process-io.ts'
import { syncsDuring } from './syncs.ts'

/** What a sale wrote, on the average of all that were measured. */
export interface Wear {
  /** Bytes of the process that went to the disk, and of them those of SQLite's log. */
  toDisk: number
  log: number
  /** Bytes handed to the kernel, network included. */
  handed: number
  /** Everything that the disk was given meanwhile, by whomever. */
  wholeDisk: number | undefined
  /** Bytes by which the database grew, and the daemon's log. */
  kept: number
  lines: number
  /** Waits for the disk; undefined without strace. */
  syncs: number | undefined
  cpuMs: number
  /** Pages in the log. */
  causes: Cause[]
}

const TRACED_SALES = 100

/** Sells one sale after another at one machine, and adds up what was written for it. */
export async function measureWear(
  stand: BenchEnvironment,
  { sales, before }: { sales: number; before: number },
  scratch: Scratch,
): Promise<Wear> {
  const pid = stand.daemon.pid() ?? 0
  const database = join(stand.daemon.dataDir, 'fiskd.db')
  const lines = join(scratch.dir, `${stand.daemon.name}.log`)
  const sizes = () => ({ database: statSync(database).size, lines: statSync(lines).size })
  await stand.sell(8, before)
  const syncs = await syncsDuring(pid, join(scratch.dir, 'syncs'), () => stand.sell(1, TRACED_SALES))

  const log = watchLog(`${database}-wal`)
  log.look()
  const [pagesBefore, logBefore] = [log.pages().length, log.bytes()]
  const [by, disk, size] = [writtenBy(pid), writtenToDiskOf(scratch.dir), sizes()]
  const sold = await lookingDuring(log, () => stand.sell(1, sales))
  const [byNow, diskNow, sizeNow] = [writtenBy(pid), writtenToDiskOf(scratch.dir), sizes()]
  const causes = causesOf(database, log.pages().slice(pagesBefore))
  return {
    toDisk: (byNow.toDisk - by.toDisk) / sales,
    handed: (byNow.handed - by.handed) / sales,
    log: (log.bytes() - logBefore) / sales,
    wholeDisk: disk === undefined || diskNow === undefined ? undefined : (diskNow - disk) / sales,
    kept: (sizeNow.database - size.database) / sales,
    lines: (sizeNow.lines - size.lines) / sales,
    syncs: syncs === undefined ? undefined : syncs / TRACED_SALES,
    cpuMs: sold.cpu.daemon,
    causes: causes.map(({ tree, pages }) => ({ tree, pages: pages / sales })),
  }
}
