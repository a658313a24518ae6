import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { toldBreak } from '../../../src/fiscal/gateways/heartbeat.ts'
import { createHeartbeats } from '../../../src/fiscal/gateways/heartbeats.ts'
import type { GatewayRecord } from '../../../src/fiscal/ports/gateways.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { HEARTBEAT, NOW } from '../../support/commands.ts'
import { freshDatabase } from '../../support/database.ts'
import { onPostgres } from '../../support/postgres.ts'

const gatewayOf = (id: string): GatewayRecord => ({
  ...{ id, tenantId: DEFAULT_TENANT, name: id, createdAt: NOW, tokenHash: null, tokenExpiresAt: null },
  ...{ credentialHash: id, publicKey: null, enrolledAt: NOW, revokedAt: null, position: 0, heard: 0, session: null },
  ...{ sessionBefore: null, strikes: 0, duplicatedAt: null, lastCommand: 0, lastSeenAt: null, reportedAt: null },
  ...{ heartbeat: null, companies: null },
})

/** Gateways on a database of their own, and how many of their heartbeats each statement was asked to write. */
async function heartbeatsOf(...ids: string[]) {
  const database = await freshDatabase()
  const store = await openStore(database, NOW)
  onTestFinished(() => store.close())
  for (const id of ids) await store.gateways.insert(gatewayOf(id))
  const batches: number[] = []
  const gateways = {
    ...store.gateways,
    noteHeartbeats(...args: Parameters<typeof store.gateways.noteHeartbeats>) {
      batches.push(args[0].size)
      return store.gateways.noteHeartbeats(...args)
    },
  }
  const clock = { at: NOW }
  const note = createHeartbeats({ store: { gateways }, clock: { now: () => clock.at } })
  const stored = async (id: string) => (await store.gateways.get(id))?.heartbeat?.uptime_s
  const say = async (id: string, uptime_s: number) => {
    const gateway = await store.gateways.get(id)
    if (!gateway) throw new Error(`there is no gateway ${id}`)
    await note(gateway, { ...HEARTBEAT, uptime_s })
  }
  return { database, store, batches, clock, note, say, stored }
}

test('heartbeats that come together are written in one statement, each to its own gateway', async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `kiosk-${i}`)
  const { store, batches, note, stored } = await heartbeatsOf('silent', ...ids)
  // All are read before: on a busy machine that takes longer than heartbeats wait for each other.
  const gateways = await Promise.all(ids.map(store.gateways.get))
  await Promise.all(gateways.map((gateway, i) => note(gateway as GatewayRecord, { ...HEARTBEAT, uptime_s: i })))
  expect(batches).toEqual([100])
  expect(await Promise.all(ids.map(stored))).toEqual(ids.map((_, i) => i))
  expect(await store.gateways.get('kiosk-7')).toMatchObject({ lastSeenAt: NOW, reportedAt: NOW })
  expect(await store.gateways.get('silent')).toMatchObject({ lastSeenAt: null, reportedAt: null, heartbeat: null })
})

test('a gateway that says more than one heartbeat in ten seconds has one of them written', async () => {
  const { batches, clock, say, stored } = await heartbeatsOf('kiosk')
  await say('kiosk', 1)
  clock.at += 9_999
  await say('kiosk', 2)
  expect([batches, await stored('kiosk')]).toEqual([[1], 1])
  clock.at += 1
  await say('kiosk', 3)
  expect([batches, await stored('kiosk')]).toEqual([[1, 1], 3])
})

test.runIf(onPostgres)('a push that hangs delays the heartbeat of its own gateway only', async () => {
  const { database, say, stored } = await heartbeatsOf('frozen', 'other')
  const push = new pg.Client({ connectionString: database })
  await push.connect()
  onTestFinished(() => push.end())
  await push.query("BEGIN; UPDATE gateways SET position = 5 WHERE id = 'frozen'")
  await Promise.all([say('frozen', 1), say('other', 2)])
  expect([await stored('frozen'), await stored('other')]).toEqual([undefined, 2])
  await push.query('COMMIT')
  await expect.poll(() => stored('frozen')).toBe(1)
})

test('of the companies with an extended deadline a heartbeat names no more than the server takes', () => {
  const extended = Array.from({ length: 101 }, (_, i) => `company ${i}`)
  const told = toldBreak({ mode: 'test', from: NOW, until: null, extended })
  expect(told.extended).toEqual(extended.slice(1))
})
