import { describe, expect, test } from 'vitest'
import { statementsOf } from '../../support/asked-statements.ts'
import { HEARTBEAT } from '../../support/commands.ts'
import { startGateway } from '../../support/gateway.ts'
import { postgresDatabase, skipWithoutPostgres } from '../../support/postgres.ts'
import { enrolGateway, type Speaker } from '../../support/sync-gateway.ts'

const poll = async (speaker: Speaker) => {
  const { status } = await speaker.ask('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 })
  expect(status).toBe(200)
}

describe.skipIf(skipWithoutPostgres)('a poll on PostgreSQL', () => {
  test('is two statements, and one for the heartbeats of all gateways that poll then; none is in a transaction', async () => {
    const url = await postgresDatabase()
    const log = await statementsOf(url)
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    const speakers: Speaker[] = []
    for (let i = 0; i < 3; i++) speakers.push(await enrolGateway(server))
    await Promise.all(speakers.map(poll))
    // A heartbeat that was just written is not written again.
    server.clock.aheadMs += 60_000
    await log.since()
    await Promise.all(speakers.map(poll))
    expect((await log.since()).sort()).toEqual([
      expect.stringContaining('WITH said AS'),
      ...speakers.map(() => expect.stringContaining('select * from "gateway_commands"')),
      ...speakers.map(() => expect.stringContaining('select * from "gateways"')),
    ])
  })
})
