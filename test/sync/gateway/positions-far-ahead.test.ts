import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { replicatedRows, startCentral, syncOf, told } from '../../support/central-server.ts'
import { type Change, startChangingBalancer } from '../../support/changing-balancer.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'

const LARGEST = Number.MAX_SAFE_INTEGER

async function startBehindBalancer() {
  const central = await startCentral()
  const balancer = await startChangingBalancer(central.server)
  const gateway = await startGateway()
  const enroll = async (options?: { again: boolean }) => {
    const body = { url: balancer.url, token: await central.token('kiosk', options) }
    const enrolled = await gateway.admin('/admin/sync/enroll', { body })
    if (enrolled.status !== 200) throw new Error(enrolled.text)
  }
  await enroll()
  await told(gateway)
  return { ...central, balancer, gateway, enroll }
}

function query<Row>({ database }: Gateway, statement: string): Row[] {
  const db = new Database(database)
  try {
    const prepared = db.prepare(statement)
    return (prepared.reader ? prepared.all() : [prepared.run()]) as Row[]
  } finally {
    db.close()
  }
}

const lastPosition = (gateway: Gateway) =>
  query<{ seq: number }>(gateway, 'SELECT seq FROM sqlite_sequence')[0]?.seq ?? 0
const now = (gateway: Gateway) => gateway.admin('/admin/sync/now', { method: 'POST' })
const errorOf = async (gateway: Gateway) => (await syncOf(gateway)).sync.last_error?.code

test.each<[string, string, Change]>([
  ['heard of 2^53 - 1 in its hello', '/hello', (answer) => ({ ...answer, heard: LARGEST })],
  ['a position of 2^53 - 1 in its hello', '/hello', (answer) => ({ ...answer, position: LARGEST })],
  ['heard of 2^48 in its hello', '/hello', (answer) => ({ ...answer, heard: 2 ** 48 })],
  ['a position of 2^48 in its hello', '/hello', (answer) => ({ ...answer, position: 2 ** 48 })],
  ['a position of 2^53 - 1 after a push', '/push', (answer) => ({ ...answer, position: LARGEST })],
  ['a position of 2^48 after a push', '/push', (answer) => ({ ...answer, position: 2 ** 48 })],
])('a server that says %s moves no position of the outbox, and all is told when it stops', async (_, path, change) => {
  const { balancer, gateway, server } = await startBehindBalancer()
  const before = lastPosition(gateway)
  balancer.change(path, change)
  await gateway.sell()
  await now(gateway)
  await gateway.sell()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(lastPosition(gateway)).toBeLessThan(before + 100)

  balancer.change(path, null)
  const { sync } = await told(gateway)
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(replicatedRows(gateway.database, null))
})

test('a server that has heard of positions far ahead is told to the technician, with what ends it', async () => {
  const { balancer, gateway } = await startBehindBalancer()
  balancer.change('/hello', (answer) => ({ ...answer, heard: 2 ** 40 }))
  await now(gateway)
  await expect.poll(() => errorOf(gateway)).toBe('positions_doubtful')
  await gateway.sell()
  const { code, stdout } = await fisk(['sync', 'status'], { socket: gateway.socketPath })
  expect(code).toBe(1)
  expect(stdout).toContain('fisk sync leave --yes')
  const check = (await diagnose(gateway)).find(({ name }) => name === 'central server')
  expect(check).toMatchObject({ status: 'fail', fix: expect.stringContaining('fisk sync leave') })
})

test('a server that may have heard more since a backup is believed as before', async () => {
  const { balancer, gateway, server } = await startBehindBalancer()
  balancer.change('/hello', (answer) => ({ ...answer, heard: 5_000_000 }))
  await now(gateway)
  await expect.poll(() => lastPosition(gateway)).toBeGreaterThan(5_000_000)
  const { sync } = await told(gateway)
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(replicatedRows(gateway.database, null))
})

test.each([
  ['at 2^53 - 1', LARGEST],
  ['at 2^48', 2 ** 48],
])('an outbox that was led to its end %s begins anew when the gateway leaves and enrols again', async (_, position) => {
  const { gateway, server, enroll } = await startBehindBalancer()
  // As it was once believed, on both sides.
  await gateway.stop()
  query(gateway, `UPDATE sqlite_sequence SET seq = ${position} WHERE name = 'outbox'`)
  await gateway.restart()
  query(server, `UPDATE gateways SET position = ${position - 1}, heard = ${position}`)
  query(server, `UPDATE invoices SET sync_version = ${position} WHERE gateway_id <> ''`)
  query(server, `UPDATE devices SET sync_version = ${position} WHERE gateway_id <> ''`)
  await now(gateway)
  await expect.poll(() => errorOf(gateway)).toBe('positions_doubtful')
  await gateway.cis.goDown()
  const { id } = await gateway.sell()

  expect((await gateway.admin('/admin/sync/leave', { method: 'POST' })).status).toBe(200)
  await enroll({ again: true })
  await told(gateway)
  expect(lastPosition(gateway)).toBeLessThan(10_000)
  await gateway.cis.comeBack()
  await gateway.sweep()
  const { sync } = await told(gateway)
  expect(sync).toMatchObject({ state: 'connected', waiting: 0, refused: 0 })
  expect((await server.admin(`/v1/invoices/${id}`)).body).toMatchObject({ status: 'confirmed' })
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(replicatedRows(gateway.database, null))
})
