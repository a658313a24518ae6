import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PollResponse } from '../../../src/sync/wire/messages.ts'
import { HEARTBEAT } from '../../support/commands.ts'
import { startEmptyGateway } from '../../support/gateway.ts'
import { postgresDatabase, skipWithoutPostgres } from '../../support/postgres.ts'
import { addGateway } from '../../support/sync-gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

test.skipIf(skipWithoutPostgres)(
  'a command that is given to one server reaches a gateway that waits at another, by the one key of both',
  async () => {
    const env = { FISKD_ROLE: 'server', FISKD_DATABASE_URL: await postgresDatabase() }
    const one = await startEmptyGateway(env)
    const dataDir = await tempDir()
    await mkdir(join(dataDir, 'tls'))
    for (const name of ['vault.key', 'tls/ca.pem', 'tls/ca.key']) await cp(join(one.dataDir, name), join(dataDir, name))
    const other = await startEmptyGateway({ ...env, FISKD_DATA_DIR: dataDir })

    const [speaker, second] = [await addGateway(one), await addGateway(other)]
    const { server_key } = (await speaker.enroll()).body
    expect((await second.enroll()).body.server_key).toBe(server_key)
    await speaker.hello()
    const waiting = speaker.ask<PollResponse>('/poll', { wait_s: 30, heartbeat: HEARTBEAT, last_command: 0 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const started = performance.now()
    const path = `/admin/gateways/${speaker.id}/commands`
    const { body } = await other.admin<{ id: string }>(path, { body: { type: 'doctor' } })
    const [command] = (await waiting).body.commands
    expect(performance.now() - started).toBeLessThan(25_000)
    expect(JSON.parse(Buffer.from(String(command?.payload), 'base64url').toString())).toMatchObject({ id: body.id })
  },
)
