import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/store.ts'
import { startGateway } from '../../support/gateway.ts'
import { bounced, skipWithoutPgBouncer } from '../../support/pgbouncer.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

/** PostgreSQL ends a transaction in which nothing happens for 10 s. */
const HANGS_MS = 11_000

describe.skipIf(skipWithoutPostgres || skipWithoutPgBouncer)('PgBouncer in transaction mode', () => {
  test('lets two processes sell on one database: numbers in order, each sale reported once', async () => {
    const direct = await postgresDatabase({ empty: true })
    const url = bounced(direct)
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    const other = await openStore(url, 1)
    onTestFinished(() => other.close())
    const answers = await Promise.all(Array.from({ length: 60 }, () => server.sell()))
    expect(answers.map(({ number }) => Number(number)).sort((a, b) => a - b)).toEqual(answers.map((_, i) => i + 1))
    expect(server.cis.received).toHaveLength(60)
    expect(await query(direct, 'SELECT count(*)::int AS count FROM processes')).toEqual([{ count: 2 }])
    await Promise.all(Array.from({ length: 20 }, (_, i) => other.invoiceLock.run(`inv_${i % 4}`, async () => {})))
  })

  test('does not let a process that hangs in a transaction block the others, whatever connection it was given', async () => {
    const direct = await postgresDatabase()
    const store = await openStore(bounced(direct), 1)
    onTestFinished(() => store.close())
    // The connections to PostgreSQL that were made with the settings of a session are replaced.
    await setTimeout(2_500)
    let attempts = 0
    await store.transaction(async (tx) => {
      attempts++
      await tx.subjects.hold('users')
      if (attempts === 1) await setTimeout(HANGS_MS)
      await tx.tenants.insert({ id: `t${attempts}`, name: 't', createdAt: 1 })
    })
    expect(attempts).toBe(2)
    expect(await query(direct, `SELECT id FROM tenants WHERE id LIKE 't_'`)).toEqual([{ id: 't2' }])
  })
})
