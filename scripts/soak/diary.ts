import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { zagrebClock } from '../../src/domain/zagreb.ts'
import type { Scratch } from '../chaos/scratch.ts'
import type { Day } from './days.ts'
import type { Kiosk } from './kiosk.ts'
import type { KioskPrinter } from './printer.ts'
import { type Reading, readDaemon, readDisk } from './readings.ts'
import type { Sellers } from './sellers.ts'
import type { SharedClock } from './shared-clock.ts'

/** Writes down what the days were like. */
export interface Diary {
  days: Day[]
  read(): Promise<void>
  /** The log of the service is a new file from now on, as journald has it; the older ones stay for a post-mortem. */
  rotateLog(): void
  endDay(): Promise<Day>
}

export function openDiary(
  { daemon, shop, authority, backupDir }: Kiosk,
  sellers: Sellers,
  printers: KioskPrinter[],
  clock: SharedClock,
  scratch: Scratch,
): Diary {
  const log = join(scratch.dir, `${daemon.name}.log`)
  const days: Day[] = []
  let readings: Reading[] = []
  const begun = { sales: 0, messages: 0, receipts: 0, database: readDisk(daemon.dataDir, backupDir).databaseBytes }
  let realAt = clock.realTick()

  return {
    days,
    async read() {
      readings.push(await readDaemon(daemon.pid() ?? 0, shop, daemon.dataDir))
    },
    rotateLog() {
      renameSync(log, `${log}.${days.length}`)
    },
    async endDay() {
      const stock = readDisk(daemon.dataDir, backupDir)
      const now = {
        sales: sellers.sales.length,
        messages: (await authority.received()).length,
        receipts: printers.flatMap((printer) => printer.texts()).length,
        database: stock.databaseBytes,
      }
      const day = {
        date: zagrebClock(Date.now()).toISOString().slice(0, 10),
        sales: now.sales - begun.sales,
        messages: now.messages - begun.messages,
        receipts: now.receipts - begun.receipts,
        logBytes: statSync(log).size,
        readings,
        stock,
        grown: now.database - begun.database,
        realSeconds: (clock.realTick() - realAt) / 1000,
      }
      days.push(day)
      Object.assign(begun, now)
      readings = []
      realAt = clock.realTick()
      return day
    },
  }
}
