import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { replicatedRows, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { diagnose } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'

const TABLES = ['companies', 'devices', 'invoices', 'messages', 'print_jobs', 'alerts']

/** Makes writes of a server's database fail with an error that says nothing of the reason. @returns the end of it */
function breakWrites({ database }: Gateway, tables: readonly string[], when: string): () => void {
  const run = (statement: (table: string, event: string) => string) => {
    const db = new Database(database)
    for (const table of tables) for (const event of ['INSERT', 'UPDATE']) db.exec(statement(table, event))
    db.close()
  }
  const name = (table: string, event: string) => `broken_${table}_${event}`
  run(
    (table, event) =>
      `CREATE TRIGGER ${name(table, event)} BEFORE ${event} ON ${table} WHEN ${when} BEGIN SELECT json('broken'); END`,
  )
  return () => run((table, event) => `DROP TRIGGER ${name(table, event)}`)
}

test('while a server answers 500 to every record nothing is set aside, and all arrives once it works again', async () => {
  const { gateway, server, seen } = await startEnrolled()
  const { sync } = await told(gateway)
  const mend = breakWrites(server, TABLES, '1')
  for (let sale = 0; sale < 3; sale++) await gateway.sell()
  // Long enough for its first record to be suspected, and for others to be tried ahead of it.
  for (let look = 0; look < 30; look++) {
    await setTimeout(500)
    expect(await syncOf(gateway)).toMatchObject({ refusals: [] })
  }
  expect((await syncOf(gateway)).sync).toMatchObject({ refused: 0, last_error: { code: 'internal_error' } })
  expect((await syncOf(gateway)).sync.waiting).toBeGreaterThan(3)

  mend()
  const after = await told(gateway, 30_000)
  expect(after).toMatchObject({ sync: { waiting: 0, refused: 0 }, refusals: [] })
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(replicatedRows(gateway.database, null))
  expect(await seen('kiosk')).toMatchObject({ refused: 0 })
})

test('a sale at which the server fails counts as not told on both sides, until it is taken', async () => {
  const { gateway, server, link, seen } = await startEnrolled()
  const { sync } = await told(gateway)
  link.goDown()
  const { id } = await gateway.sell()
  const mend = breakWrites(server, ['invoices'], `NEW.id = '${id}'`)
  link.comeBack()
  const aside = async () => {
    // Others of its kind; and no pause is waited for.
    await gateway.sell()
    await gateway.admin('/admin/sync/now', { method: 'POST' })
    return (await syncOf(gateway)).refusals
  }
  const set = expect.objectContaining({ kind: 'invoice', id, code: 'internal_error' })
  await expect.poll(aside, { interval: 1000 }).toEqual(expect.arrayContaining([set]))
  const { waiting, refused } = (await syncOf(gateway)).sync
  expect(refused).toBeGreaterThan(0)
  expect(waiting).toBeGreaterThanOrEqual(refused)
  expect(await diagnose(gateway)).toContainEqual(
    expect.objectContaining({ name: 'rows the central server has not taken', status: 'warn' }),
  )
  await expect.poll(async () => (await seen('kiosk')).refused).toBeGreaterThan(0)
  await server.watch()
  expect((await server.admin<{ data: object[] }>('/admin/alerts?kind=sync_refused')).body.data).toHaveLength(1)

  mend()
  await gateway.pass(20 * 60_000)
  await expect.poll(async () => (await syncOf(gateway)).sync).toMatchObject({ waiting: 0, refused: 0 })
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(replicatedRows(gateway.database, null))
})
