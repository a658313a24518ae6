import { describe, expect, test } from 'vitest'
import { HEARTBEAT } from '../../support/commands.ts'
import { startGateway } from '../../support/gateway.ts'
import { databaseOnSmallDisk, skipWithoutPostgres } from '../../support/postgres.ts'
import { mayMount } from '../../support/small-disk.ts'
import { enrolGateway } from '../../support/sync-gateway.ts'

/** How long a caller waits for an answer at most, in milliseconds. */
const IN_TIME_MS = 5_000

const FULL = 'has no space left on its disk'

describe.skipIf(skipWithoutPostgres || !mayMount())('while the disk of the database of a server is full', () => {
  test('every caller is told so in time, health is down although beats are stored, and sales go on by themselves', async () => {
    const { url, disk } = await databaseOnSmallDisk(64)
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    const speaker = await enrolGateway(server)
    await server.sell()
    disk.leave(0)
    const sale = server.sale()
    // What is free in the pages of the tables takes a few.
    let refused = await server.post(server.sale())
    while (refused.status === 200) refused = await server.post(server.sale())
    expect(refused).toMatchObject({
      status: 500,
      headers: { 'retry-after': '2' },
      body: { error: { code: 'internal_error', message: expect.stringContaining(`the database ${FULL}`) } },
    })

    const began = performance.now()
    const [sold, pushed, polled, health] = await Promise.all([
      server.post(sale, 'full'),
      speaker.push([]),
      speaker.ask('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 }),
      server.v1('/health'),
    ])
    expect(performance.now() - began).toBeLessThan(IN_TIME_MS)
    expect(sold).toMatchObject({ status: 500, headers: { 'retry-after': '2' } })
    for (const answer of [pushed, polled])
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(health).toMatchObject({
      status: 503,
      body: { status: 'down', checks: { database: { status: 'down', detail: `it ${FULL}` } } },
    })

    disk.makeRoom()
    await expect.poll(async () => (await server.v1('/health')).status).toBe(200)
    expect(await server.post(sale, 'full')).toMatchObject({ status: 200, body: { status: 'confirmed' } })
  })
})
