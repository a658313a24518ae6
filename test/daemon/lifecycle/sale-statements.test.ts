import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startGateway } from '../../support/gateway.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

/** What a database is asked from now on, in order, by everybody who connects to it. */
async function statementsOf(url: string) {
  const [{ name } = { name: '' }] = await query<{ name: string }>(url, 'SELECT current_database() AS name')
  await query(url, `ALTER DATABASE ${name} SET log_statement = 'all'`)
  await query(url, `ALTER DATABASE ${name} SET log_min_messages = 'log'`)
  const path = join(decodeURIComponent(url.split('host=')[1] ?? ''), 'log')
  let from = statSync(path).size
  return {
    async since(): Promise<string[]> {
      const file = await open(path)
      const { buffer, bytesRead } = await file.read({
        position: from,
        length: 4_000_000,
        buffer: Buffer.alloc(4_000_000),
      })
      await file.close()
      from += bytesRead
      // A statement of several lines is one entry.
      return buffer
        .subarray(0, bytesRead)
        .toString()
        .split(/\n(?=\d{4}-\d\d-\d\d )/)
        .flatMap((entry) => /LOG: {2}(?:statement|execute [^:]*): *(.*)/s.exec(entry)?.[1]?.trim() ?? [])
    },
  }
}

/** What a process asks every two seconds, whoever sells. */
const isBeat = (statement: string) => statement.includes('UPDATE processes')

describe.skipIf(skipWithoutPostgres)('a sale on PostgreSQL', () => {
  test('is eight statements, three of them while its premises are locked', async () => {
    const url = await postgresDatabase()
    const log = await statementsOf(url)
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    // The first one of a premises makes its row, and new connections are prepared.
    for (let i = 0; i < 3; i++) await server.sell()
    await log.since()
    await server.sell()
    const statements = (await log.since()).filter((statement) => !isBeat(statement))
    expect(statements.map((statement) => statement.replace(/\s+/g, ' ').slice(0, 40))).toEqual([
      expect.stringContaining('select * from "api_keys"'),
      expect.stringContaining('SELECT to_jsonb(d) AS device'),
      expect.stringContaining('select * from "idempotency_keys"'),
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
