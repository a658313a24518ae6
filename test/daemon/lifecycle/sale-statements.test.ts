import { describe, expect, test } from 'vitest'
import { statementsOf } from '../../support/asked-statements.ts'
import { startGateway } from '../../support/gateway.ts'
import { postgresDatabase, skipWithoutPostgres } from '../../support/postgres.ts'

describe.skipIf(skipWithoutPostgres)('a sale on PostgreSQL', () => {
  test('is eight statements, three of them while its premises are locked', async () => {
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
})
