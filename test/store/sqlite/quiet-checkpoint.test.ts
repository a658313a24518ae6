import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/connection.ts'
import { checkpointWhenQuiet } from '../../../src/store/sqlite/quiet-checkpoint.ts'
import { openStore } from '../../../src/store/store.ts'
import { tempDir } from '../../support/temp-dir.ts'

const QUIET_MS = 100
/** Pages at which SQLite checkpoints by itself. */
const MOST = 100

/** The log of a database as another connection sees it. */
function logOf(path: string) {
  const other = new Database(path, { readonly: true })
  onTestFinished(() => void other.close())
  return () => (other.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[])[0]
}

/** @param pages how large the database is */
async function opened(pages = 3 * MOST) {
  const path = join(await tempDir(), 'fiskd.db')
  const db = openDatabase(path)
  await sql.raw(`PRAGMA wal_autocheckpoint = ${MOST}`).execute(db)
  const quiet = await checkpointWhenQuiet(db, QUIET_MS)
  onTestFinished(async () => {
    quiet.stop()
    await db.destroy()
  })
  await sql.raw('CREATE TABLE sold (document)').execute(db)
  await sql`INSERT INTO sold VALUES (zeroblob(${pages * 4096}))`.execute(db)
  await sql.raw('PRAGMA wal_checkpoint(TRUNCATE)').execute(db)
  const state = logOf(path)
  /** Commits until the log has so many pages. */
  const sell = async (pages: number) => {
    while ((state()?.log ?? 0) < pages) {
      await sql`INSERT INTO sold VALUES (${'x'.repeat(500)})`.execute(db)
      quiet.committed()
    }
  }
  return { state, sell }
}

test('a long log is carried into the database once nobody sells', async () => {
  const { state, sell } = await opened()
  await sell(85)
  expect(state()?.checkpointed).toBe(0)
  await expect.poll(state).toEqual({ busy: 0, log: state()?.log, checkpointed: state()?.log })
})

test('a short log stays as it is, and so does a long one until nobody sells any more', async () => {
  const { state, sell } = await opened()
  await sell(50)
  await setTimeout(3 * QUIET_MS)
  expect(state()?.checkpointed).toBe(0)
  await sell(82)
  const soldFrom = performance.now()
  // Long enough for two checkpoints, were each not put off by the next sale.
  for (let pages = 83; performance.now() < soldFrom + 2.5 * QUIET_MS && pages < 98; pages++) {
    await sell(pages)
    expect(state()?.checkpointed).toBe(0)
    await setTimeout(QUIET_MS / 5)
  }
  await expect.poll(() => state()?.checkpointed).toBe(state()?.log)
})

test('the log of a young database, which would stand in it alone, is carried over early', async () => {
  const { state, sell } = await opened(5)
  await sell(20)
  await expect.poll(state).toEqual({ busy: 0, log: state()?.log, checkpointed: state()?.log })
})

test('a store does it once its sales pause', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  const state = logOf(path)
  const largest = Buffer.alloc(100_000)
  for (let i = 0; (state()?.log ?? 0) < 4100; i++) {
    await store.meta.keep(`of a test ${i}`, largest)
  }
  await store.transaction(async () => {})
  expect(state()?.checkpointed).toBe(0)
  await expect.poll(() => state()?.checkpointed, { timeout: 20_000 }).toBe(state()?.log)
})
