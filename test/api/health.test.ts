import { expect, test } from 'vitest'
import { blockWrites } from '../support/database.ts'
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
  const mend = await blockWrites(gateway)
  expect((await gateway.post()).status).toBe(500)
  expect(await health()).toMatchObject({
    status: 503,
    body: { status: 'down', checks: { database: { status: 'down', latency_ms: null } } },
  })
  await mend()
  await expect.poll(health).toMatchObject({ status: 200, body: { status: 'ok' } })
})
