import { cpSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { replicatedRows, startCentral, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { startCutLink } from '../../support/cut-link.ts'
import { startEmptyGateway, startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

test('somebody else who answers at the address of the server is told nothing', async () => {
  const [real, other] = [await startCentral(), await startCentral()]
  const gateway = await startGateway()
  let target = real.server.url
  const link = await startCutLink(() => target, onTestFinished)
  const body = { url: link.url, token: await real.token('kiosk') }
  expect(await gateway.admin('/admin/sync/enroll', { body })).toMatchObject({ status: 200 })
  await told(gateway)

  target = other.server.url
  link.cut()
  await gateway.sell()
  const error = async () => (await syncOf(gateway)).sync.last_error?.message
  await expect.poll(error).toContain('its certificate is not from the CA')
  const { sync } = await syncOf(gateway)
  expect([sync.state, sync.waiting > 0]).toEqual(['unreachable', true])
  expect(replicatedRows(other.server.database, sync.gateway.id).invoices).toEqual([])

  target = real.server.url
  await told(gateway)
  expect(replicatedRows(real.server.database, sync.gateway.id).invoices).toHaveLength(1)
})

test('a server that has moved is found at its configured address', async () => {
  const central = await startCentral()
  const moved = await startCutLink(() => central.server.url, onTestFinished)
  const dataDir = await tempDir()
  const before = await startGateway({ FISKD_DATA_DIR: dataDir })
  await central.enroll(before)
  await told(before)
  await before.stop()
  central.link.goDown()
  const after = await startEmptyGateway({ FISKD_DATA_DIR: dataDir, FISKD_SYNC_URL: moved.url })
  expect((await told(after)).sync.server).toBe(moved.url)
})

test('two machines with one identity are found out, and a new token ends it for the right one', async () => {
  const { gateway, server, seen, token, link } = await startEnrolled()
  await told(gateway)
  await gateway.stop()
  const copied = await tempDir()
  cpSync(gateway.dataDir, copied, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  await gateway.restart()
  const copy = await startEmptyGateway({ FISKD_DATA_DIR: copied })
  const both = [gateway, copy]
  const states = async () => {
    for (const one of both) {
      await one.admin('/admin/sync/now', { method: 'POST' })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return Promise.all(both.map(async (one) => (await syncOf(one)).sync.state))
  }
  await expect.poll(states).toEqual(['duplicated', 'duplicated'])
  expect(await seen('kiosk')).toMatchObject({ state: 'duplicated' })

  await copy.stop()
  const body = { url: link.url, token: await token('kiosk', { again: true }) }
  expect(await gateway.admin('/admin/sync/enroll', { body })).toMatchObject({ status: 200 })
  await gateway.sell()
  const { sync } = await told(gateway)
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(replicatedRows(gateway.database, null))
})

test('rows of another tenant are not told, and the status says so', async () => {
  const { gateway, server } = await startEnrolled()
  await gateway.admin('/admin/tenants', { body: { name: 'bar' } })
  const headers = { 'x-tenant': 'bar' }
  const company = { name: 'Bar d.o.o.', oib: '18683136487' }
  expect(await gateway.admin('/v1/companies', { body: company, headers })).toMatchObject({ status: 201 })
  const { sync } = await told(gateway)
  expect(sync.other_tenants).toEqual(['bar'])
  expect(replicatedRows(server.database, sync.gateway.id).companies).toHaveLength(1)
})
