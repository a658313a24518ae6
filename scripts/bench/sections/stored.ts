import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { zagrebYear } from '../../../src/domain/zagreb.ts'
import { openStore } from '../../../src/store/store.ts'
import type { Bench } from '../bench.ts'
import type { BenchEnvironment } from '../environment/environment.ts'
import { cpuMs } from '../environment/process-use.ts'
import { median } from '../statistics.ts'
import { storeMachines, storeSales } from '../stored-sales.ts'

const MOST_RATIO = 1.15
const YEAR_MS = 365 * 86_400_000

/** The same sale beside few and beside many stored ones, in turn, so that a noisy machine is noisy to both. */
export async function stored(bench: Bench): Promise<void> {
  const { figures, runs, short, much } = bench
  const [few, many] = [much(10_000, 1000), much(1_000_000, 20_000)]
  const wanted = short ? undefined : { most: MOST_RATIO }
  const stands = new Map<number, BenchEnvironment>()
  for (const count of [few, many]) {
    process.stderr.write(`storing ${count} invoices ...\n`)
    const fill = (dataDir: string) => fillWith(dataDir, count)
    const stand = await bench.stand({ name: `stored-${count}`, machines: 0, fill })
    await settle(stand)
    await stand.sell(1, much(600, 300))
    stands.set(count, stand)
  }
  // More rounds than elsewhere: a small difference is looked for.
  for (let round = 0; round < 2 * runs; round++) {
    const [latency, cpu] = [new Map<number, number>(), new Map<number, number>()]
    for (const count of round % 2 === 0 ? [few, many] : [many, few]) {
      const sold = await stands.get(count)?.sell(1, much(300, 100))
      latency.set(count, median(sold?.times ?? []))
      cpu.set(count, sold?.cpu.daemon ?? Number.NaN)
    }
    for (const count of [few, many]) {
      figures.add(`${count} stored: latency, 1 client`, 'ms', latency.get(count) ?? Number.NaN)
      figures.add(`${count} stored: CPU per sale`, 'ms', cpu.get(count) ?? Number.NaN)
    }
    const ratio = (of: Map<number, number>) => (of.get(many) ?? Number.NaN) / (of.get(few) ?? Number.NaN)
    figures.add(`latency, ${many} / ${few} stored`, '×', ratio(latency), wanted)
    figures.add(`CPU per sale, ${many} / ${few} stored`, '×', ratio(cpu), wanted)
  }
  for (const stand of stands.values()) await stand.close()
}

/** Sales of a year by the machines that sell on, and a message each; XML is left out, for nothing ever looks for it. */
async function fillWith(dataDir: string, count: number): Promise<string[]> {
  const path = join(dataDir, 'fiskd.db')
  const now = Date.now()
  const store = await openStore(path, now)
  try {
    const [company] = await store.companies.all()
    const certificate = company && (await store.certificates.current(company.id))
    if (!company || !certificate) throw new Error('the shop has neither company nor certificate')
    const deviceIds = await storeMachines(store, company.id, now)
    await storeSales(store, { companyId: company.id, certificateId: certificate.id, deviceIds }, count, (i) => ({
      occurredAt: Math.round(now - YEAR_MS + ((i + 1) * YEAR_MS) / (count + 1)),
      status: 'confirmed',
    }))
    await store.transaction(async (tx) => {
      for (const i of deviceIds.keys()) {
        const premises = { companyId: company.id, mode: 'test', premisesCode: `POSL${i}` } as const
        await tx.numbering.setHighest({ ...premises, year: zagrebYear(now), register: '' }, String(count))
      }
    })
    return deviceIds
  } finally {
    await store.close()
    storeMessages(path)
  }
}

/** Directly in SQL, where it takes seconds: their ids in order, their UUIDs at random, as real ones are. */
function storeMessages(path: string): void {
  const db = new Database(path)
  db.exec(`INSERT INTO messages (id, invoice_id, message_uuid, attempt_no, http_status, duration_ms, created_at)
    SELECT '00000000-' || substr(id, 5), id, lower(hex(randomblob(16))), 1, 200, 800, created_at FROM invoices ORDER BY id`)
  db.close()
}

/** A daemon checks a large database while it is already used: until it has nothing more to do by itself. */
async function settle({ daemon }: BenchEnvironment): Promise<void> {
  const pid = daemon.pid() ?? 0
  for (let quiet = 0; quiet < 3; ) {
    const before = cpuMs(pid)
    await pause(1000)
    quiet = cpuMs(pid) - before <= 20 ? quiet + 1 : 0
  }
}
