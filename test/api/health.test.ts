import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'

interface Health {
  status: string
  checks: { database: { status: string; latency_ms: number | null } }
}

test('a service that cannot store a sale says so with 503, and is well again by itself', async () => {
  const gateway = await startGateway()
  const health = async () => {
    const { status, body } = await gateway.v1('/health', { headers: { authorization: undefined } })
    return { status, body: body as never as Health }
  }
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ok', checks: { database: { status: 'ok' } } } })
  // Somebody else writes and does not come to an end, as a failing disk does not.
  const other = new Database(join(gateway.dataDir, 'fiskd.db'))
  other.exec('BEGIN IMMEDIATE')
  expect((await gateway.post()).status).toBe(500)
  expect(await health()).toMatchObject({
    status: 503,
    body: { status: 'down', checks: { database: { status: 'down', latency_ms: null } } },
  })
  other.exec('ROLLBACK')
  other.close()
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ok' } })
})
