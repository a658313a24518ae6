import { expect, onTestFinished, test } from 'vitest'
import { createLease } from '../../src/fiscal/lease.ts'
import { openStore } from '../../src/store/store.ts'
import { freshDatabase } from '../support/database.ts'
import { onPostgres, query } from '../support/postgres.ts'

/** Two processes that share a database, and what time it is. */
async function twoProcesses() {
  const path = await freshDatabase()
  const time = { now: 1_000_000 }
  const clock = { now: () => time.now }
  /** Lets time pass: a server that processes share has a clock of its own. */
  const pass = async (ms: number) => {
    time.now += ms
    if (onPostgres) await query(path, 'UPDATE leases SET expires_at = expires_at - $1', [ms])
  }
  const open = async (owner: string) => {
    const store = await openStore(path, 1)
    onTestFinished(() => store.close())
    return createLease({ store, clock }, 'sweep', owner)
  }
  return { one: await open('one'), other: await open('other'), pass }
}

test('of two processes one holds the lease until it gives it back', async () => {
  const { one, other } = await twoProcesses()
  expect([await one.hold(), await other.hold(), await one.hold()]).toEqual([true, false, true])
  await other.release()
  expect(await other.hold()).toBe(false)
  await one.release()
  expect([await other.hold(), await one.hold()]).toEqual([true, false])
})

test('the lease of a process that is gone runs out after a minute', async () => {
  const { one, other, pass } = await twoProcesses()
  await one.hold()
  await pass(onPostgres ? 50_000 : 59_999)
  expect(await other.hold()).toBe(false)
  await pass(onPostgres ? 10_000 : 1)
  expect(await other.hold()).toBe(true)
})
