import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/store.ts'
import { openShop } from '../../support/shop.ts'
import { tempDir } from '../../support/temp-dir.ts'

interface Read {
  text: string
  values: unknown[]
}

/** A statement that is compiled anew with each value takes ten times as long as one that is not. */
const MOST = 4

const CALLS = 200
const ROUNDS = 8

/** Processor time of a call, microseconds: the least of some rounds. */
function costOf(call: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    for (let i = 0; i < CALLS; i++) call()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / CALLS
  })
  return Math.min(...rounds)
}

/** The reads that SQLite is asked for while something is done. */
async function readsOf(work: () => Promise<unknown>): Promise<Read[]> {
  const reads = new Map<string, Read>()
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'))
  const { all } = prototype
  prototype.all = function (this: Database.Statement, values: unknown[]) {
    reads.set(this.source, { text: this.source, values })
    return all.call(this, values)
  }
  try {
    await work()
  } finally {
    prototype.all = all
  }
  return [...reads.values()]
}

test('no read of a sale is compiled anew when other values are bound', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  const shop = await openShop(store)
  await shop.sold()
  const sequence = {
    companyId: shop.companyId,
    mode: 'test',
    premisesCode: 'KIOSK1',
    year: 2026,
    register: '',
  } as const
  const reads = await readsOf(async () => {
    await store.sales.origin(shop.deviceId)
    await store.idempotency.get('key', '1', 1)
    await store.transaction((tx) => tx.sales.take(sequence))
  })
  expect(reads.length).toBeGreaterThan(6)
  const open = new Database(path)
  onTestFinished(() => void open.close())
  open.exec('BEGIN')
  const slow = reads.filter(({ text, values }) => {
    const [anew, once] = [open.prepare(text), open.prepare(text).bind(...values)]
    return costOf(() => anew.all(values)) > MOST * costOf(() => once.all())
  })
  expect(slow.map(({ text }) => text)).toEqual([])
})
