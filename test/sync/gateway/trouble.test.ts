import { copyFileSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { replicatedRows, startCentral, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { addCompany, type Gateway, startEmptyGateway, startGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'

async function expectSame(gateway: Gateway, server: Gateway) {
  const { sync } = await told(gateway)
  const ours = replicatedRows(gateway.database, null)
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(ours)
  return ours
}

function change(database: string, statement: string): void {
  const db = new Database(database)
  db.prepare(statement).run()
  db.close()
}

test('a server that was away takes up where it was, and sales go on meanwhile', async () => {
  const { gateway, server, link } = await startEnrolled()
  await told(gateway)
  link.goDown()
  for (let sale = 0; sale < 3; sale++) await gateway.sell()
  await expect.poll(async () => (await syncOf(gateway)).sync.state).toBe('unreachable')
  expect((await syncOf(gateway)).sync.waiting).toBeGreaterThan(3)
  link.comeBack()
  expect((await expectSame(gateway, server)).invoices).toHaveLength(3)
})

test('answers that are cut off at any place lose nothing and double nothing', async () => {
  const central = await startCentral()
  const gateway = await startGateway()
  for (let sale = 0; sale < 4; sale++) await gateway.sell()
  await central.enroll(gateway)
  const { server, link } = central
  for (const [bytes, side] of [
    [1500, 'client'],
    [4000, 'client'],
    [2300, 'server'],
    [2600, 'server'],
    [3000, 'server'],
  ] as const) {
    link.cutAfter(bytes, side)
    await gateway.sell()
    await gateway.admin('/admin/sync/now', { method: 'POST' })
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  expect(link.cuts()).toBeGreaterThan(2)
  expect((await expectSame(gateway, server)).invoices).toHaveLength(9)
})

test('a premises that another gateway holds refuses the whole enrolment, and names the holder', async () => {
  const central = await startCentral()
  const first = await startGateway()
  await central.enroll(first, 'first')
  await told(first)
  // The same premises at a second gateway, which has it from before it was known.
  const second = await startGateway()
  await second.sell()
  const token = await central.token('second')
  const refused = await second.admin('/admin/sync/enroll', { body: { url: central.link.url, token } })
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'premises_owned_by_gateway' } } })
  expect(refused.text).toContain('first')
  expect((await syncOf(second)).enrolled).toBe(false)
})

test('what the server refuses is told on both sides while the rest goes on; it goes again when its row changes or somebody asks, and is forgotten when it is taken', async () => {
  const { gateway, server, seen } = await startEnrolled()
  const { sync } = await told(gateway)
  // As if the server had always had a device of its own by this id.
  const id = await gateway.addDevice({ premises_code: 'POSL1', label: 'in doubt' })
  await told(gateway)
  change(server.database, `UPDATE devices SET gateway_id = 'another', sync_version = 0 WHERE id = '${id}'`)
  await gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { label: 'in doubt still' } })
  await gateway.sell()
  const after = await told(gateway)
  expect(after.refusals).toMatchObject([{ kind: 'device', id, code: 'owned_by_other' }])
  expect((await seen('kiosk')).refusals).toMatchObject([{ id, code: 'owned_by_other' }])
  expect(replicatedRows(server.database, sync.gateway.id).invoices).toHaveLength(1)

  change(server.database, `UPDATE devices SET gateway_id = '${sync.gateway.id}' WHERE id = '${id}'`)
  expect((await told(gateway)).sync.refused).toBe(0)
  expect((await seen('kiosk')).refusals).toEqual([])
  await expectSame(gateway, server)
})

test('a server that was restored from an old backup is told again what it has lost', async () => {
  const { gateway, server } = await startEnrolled()
  await gateway.sell()
  await told(gateway)
  const backup = `${server.dataDir}/old.db`
  await server.stop()
  copyFileSync(server.database, backup)
  await server.restart()
  await gateway.sell()
  await gateway.addDevice({ label: 'later' })
  await expectSame(gateway, server)

  await server.stop()
  for (const suffix of ['', '-wal', '-shm']) rmSync(server.database + suffix, { force: true })
  copyFileSync(backup, server.database)
  await server.restart()
  await gateway.sell()
  const rows = await expectSame(gateway, server)
  expect([rows.invoices?.length, rows.devices?.length]).toEqual([3, 2])
})

/** Puts a gateway back to a copy of its database, as another card with an image from before would. */
async function putBack(gateway: Gateway, work: () => Promise<void>): Promise<void> {
  const copy = `${gateway.dataDir}/before.db`
  await gateway.stop()
  copyFileSync(gateway.database, copy)
  await gateway.restart()
  await work()
  await gateway.stop()
  for (const suffix of ['', '-wal', '-shm']) rmSync(gateway.database + suffix, { force: true })
  copyFileSync(copy, gateway.database)
  await gateway.restart()
}

test('a gateway that was put back in time learns its numbers, and what it changes after that is believed', async () => {
  const { gateway, server } = await startEnrolled()
  await gateway.sell()
  await told(gateway)
  await putBack(gateway, async () => {
    for (let sale = 0; sale < 3; sale++) await gateway.sell()
    await gateway.admin(`/v1/devices/${gateway.deviceId}`, { method: 'PATCH', body: { label: 'lost name' } })
    await told(gateway)
  })
  await told(gateway)
  // Numbers 2 to 4 were given out in the time that is lost here.
  expect((await gateway.sell()).number).toBe('5')
  const { sync } = await told(gateway)
  const [device] = replicatedRows(server.database, sync.gateway.id).devices as { label: string }[]
  expect(device?.label).toBe('machine')
  const there = replicatedRows(server.database, sync.gateway.id).invoices as { number: string }[]
  expect(there.map(({ number }) => number).sort()).toEqual(['1', '2', '3', '4', '5'])
  const audit = await gateway.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')
  expect(audit.body.data.find(({ action }) => action === 'numbers.learned')?.detail).toMatchObject({
    numbers: [{ premises_code: 'POSL1', from: '1', to: '4' }],
  })
})

test('one that has sold more since than it had ever told is found out all the same', async () => {
  const { gateway, server, link } = await startEnrolled()
  await told(gateway)
  await putBack(gateway, async () => {
    await gateway.admin(`/v1/devices/${gateway.deviceId}`, { method: 'PATCH', body: { label: 'lost name' } })
    await told(gateway)
    link.goDown()
  })
  for (let sale = 0; sale < 5; sale++) await gateway.sell()
  link.comeBack()
  const { sync } = await told(gateway)
  const there = replicatedRows(server.database, sync.gateway.id)
  expect(there.invoices).toHaveLength(5)
  expect((there.devices as { label: string }[])[0]?.label).toBe('machine')
})

test('a new card that is enrolled as the same gateway never gives out a number that the server has seen', async () => {
  const central = await startCentral()
  const old = await startGateway()
  for (let sale = 0; sale < 3; sale++) await old.sell()
  await central.enroll(old, 'lobby')
  await told(old)
  await old.stop()

  const fresh = await startEmptyGateway()
  await central.enroll(fresh, 'lobby', { again: true })
  // The company comes after what is known of its numbers.
  await addCompany(fresh, OIBS[0])
  fresh.deviceId = await fresh.addDevice({ label: 'new machine', isu_number: '102' })
  fresh.key = await fresh.createKey()
  expect((await fresh.sell()).number).toBe('4')
})

test('a revoked gateway asks no more than once an hour, and comes back with a new token', async () => {
  const { gateway, server, link, token } = await startEnrolled()
  await told(gateway)
  await server.admin('/admin/gateways/kiosk/revoke', { body: {} })
  await gateway.sell()
  await expect.poll(async () => (await syncOf(gateway)).sync.state).toBe('revoked')
  const body = { url: link.url, token: await token('kiosk', { again: true }) }
  expect(await gateway.admin('/admin/sync/enroll', { body })).toMatchObject({ status: 200 })
  await expectSame(gateway, server)
})

test('a wrong token and a server with another CA are refused, and nothing is enrolled', async () => {
  const central = await startCentral()
  const gateway = await startGateway()
  const enroll = (url: string, token: string) => gateway.admin('/admin/sync/enroll', { body: { url, token } })
  const token = await central.token('kiosk')
  const wrong = token.replace(/^fisk_enroll_.{4}/, 'fisk_enroll_AAAA')
  expect(await enroll(central.link.url, wrong)).toMatchObject({
    status: 401,
    body: { error: { code: 'sync_token_invalid' } },
  })
  const other = `${token.slice(0, -4)}AAAA`
  expect(await enroll(central.link.url, other)).toMatchObject({ status: 400, body: { error: { param: 'token' } } })
  expect(await enroll('http://127.0.0.1:1', token)).toMatchObject({ status: 400, body: { error: { param: 'url' } } })
  expect(await enroll('https://127.0.0.1:1', token)).toMatchObject({ status: 409, body: { error: { param: 'url' } } })
  expect(await enroll(central.link.url, 'nonsense')).toMatchObject({ status: 400 })
  expect((await syncOf(gateway)).enrolled).toBe(false)
  // The right one is good still, also when its answer was lost.
  central.link.cutAfter(3500, 'server')
  await enroll(central.link.url, token)
  const done = await enroll(central.link.url, token)
  expect([200, 409]).toContain(done.status)
  expect((await syncOf(gateway)).enrolled).toBe(true)
})

test('clocks that are days apart change nothing of what is told', async () => {
  const { gateway, server } = await startEnrolled()
  gateway.clock.setMs = 3 * 86_400_000
  server.clock.setMs = -5 * 86_400_000
  await gateway.sell()
  await expectSame(gateway, server)
})

test('a gateway that leaves keeps its rows, and the server its own', async () => {
  const { gateway, server } = await startEnrolled()
  await gateway.sell()
  const { sync } = await told(gateway)
  expect(await gateway.admin('/admin/sync/leave', { method: 'POST' })).toMatchObject({
    status: 200,
    body: { told: true },
  })
  expect((await syncOf(gateway)).enrolled).toBe(false)
  await gateway.sell()
  expect(replicatedRows(server.database, sync.gateway.id).invoices).toHaveLength(1)
})
