import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/store.ts'
import { startGateway } from '../../support/gateway.ts'
import { bounced, skipWithoutPgBouncer } from '../../support/pgbouncer.ts'
import { ownedDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

/** An empty database of a role that has settings. */
async function databaseWith(settings: Record<string, string>) {
  const { url, direct, role } = await ownedDatabase('')
  for (const [name, value] of Object.entries(settings))
    await query(direct, `ALTER ROLE ${role} SET ${name} = '${value}'`)
  return { url, direct }
}

/** Holds the rows of all premises for so long. */
async function holdPremises(direct: string, ms: number): Promise<void> {
  const client = new pg.Client({ connectionString: direct })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query('LOCK TABLE journals IN ACCESS EXCLUSIVE MODE')
    await setTimeout(ms)
    await client.query('ROLLBACK')
  } finally {
    await client.end()
  }
}

describe.skipIf(skipWithoutPostgres)('a role with limits of its own', () => {
  test('starts on an empty database, however short its statements have to be', async () => {
    const { url } = await databaseWith({ statement_timeout: '5ms', lock_timeout: '5ms' })
    const store = await openStore(url, 1)
    onTestFinished(() => store.close())
    expect(await store.care.schemaProblems()).toEqual([])
  })

  test.each<[how: string, through: (url: string) => string]>([
    ['directly', (url) => url],
    ...(skipWithoutPgBouncer ? [] : [['through PgBouncer in transaction mode', bounced] as [string, typeof bounced]]),
  ])('starts and sells while others hold what a sale needs, %s', async (_how, through) => {
    const { url, direct } = await databaseWith({
      statement_timeout: '100ms',
      lock_timeout: '50ms',
      idle_in_transaction_session_timeout: '50ms',
      idle_session_timeout: '3s',
      default_transaction_isolation: 'serializable',
    })
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: through(url) })
    await server.sell()
    for (let i = 0; i < 5; i++) {
      const held = holdPremises(direct, 500)
      const [sold] = await Promise.all([server.post(), held])
      expect(sold).toMatchObject({ status: 200, body: { status: 'confirmed' } })
    }
    expect((await server.v1('/health')).status).toBe(200)
  })
})
