import { describe, expect, onTestFinished, test } from 'vitest'
import { openScratch } from '../../../scripts/chaos/scratch.ts'
import { ask, openCluster } from '../../../scripts/chaos-sync/cluster.ts'
import { statementsOf } from '../../support/asked-statements.ts'
import { startGateway } from '../../support/gateway.ts'
import { postgresDatabase, skipWithoutPostgres } from '../../support/postgres.ts'

describe.skipIf(skipWithoutPostgres)('a sale on PostgreSQL', () => {
  test('is eight statements in five transactions, three of them while its premises are locked', async () => {
    const url = await postgresDatabase()
    const log = await statementsOf(url)
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    // The first one of a premises makes its row, and new connections are prepared.
    for (let i = 0; i < 3; i++) await server.sell()
    // A pass of the alerts may fall into one of them.
    const sales: string[][] = []
    for (let i = 0; i < 3; i++) {
      await log.since()
      await server.sell()
      sales.push(await log.since())
    }
    expect(sales).toContainEqual([
      expect.stringContaining('select * from "api_keys"'),
      expect.stringContaining('SELECT to_jsonb(d) AS device'),
      // The idempotency key, with the clock of the database.
      expect.stringContaining('select *, (SELECT (extract(epoch'),
      expect.stringContaining('start transaction'),
      // From here the premises is locked.
      expect.stringContaining('WITH premises AS'),
      expect.stringContaining('WITH course AS'),
      'commit',
      // The outcome.
      expect.stringContaining('WITH held AS'),
    ])
  })

  test('writes at most 13 kB of the log, without full pages', async () => {
    const scratch = openScratch(false)
    onTestFinished(() => scratch.close())
    // Of its own: others write to the log of the common one.
    const cluster = await openCluster({ fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }, scratch)
    const url = await cluster.create('fiskd')
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    for (let i = 0; i < 3; i++) await server.sell()
    const written = async () => {
      const [{ bytes } = { bytes: '' }] = await ask(url, `SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`)
      return Number(bytes)
    }
    const before = await written()
    for (let i = 0; i < SALES; i++) await server.sell()
    expect((await written()) - before).toBeLessThan(SALES * 13_000)
  })
})

const SALES = 20
