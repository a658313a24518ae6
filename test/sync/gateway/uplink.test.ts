import { expect, test } from 'vitest'
import { replicatedRows, startCentral, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { startGateway } from '../../support/gateway.ts'

test('what a gateway has sold before it was enrolled is told to the server, row by row the same', async () => {
  const central = await startCentral()
  const gateway = await startGateway()
  for (let sale = 0; sale < 5; sale++) await gateway.sell()
  await gateway.cis.goDown()
  await gateway.sell()

  await central.enroll(gateway)
  const { sync } = await told(gateway)

  expect(sync).toMatchObject({ state: 'connected', waiting: 0, refused: 0, last_error: null })
  const ours = replicatedRows(gateway.database, null)
  expect(ours.invoices).toHaveLength(6)
  expect(replicatedRows(central.server.database, sync.gateway.id)).toEqual(ours)
})

test('a sale is told within about a second, and so is what becomes of it later', async () => {
  const { gateway, server } = await startEnrolled()
  const { sync } = await told(gateway)
  await gateway.cis.goDown()
  const { id } = await gateway.sell()
  const seen = async () => (await server.admin<{ status: string }>(`/v1/invoices/${id}`)).body.status
  await expect.poll(seen).toBe('retrying')

  await gateway.cis.comeBack()
  await gateway.sweep()
  await told(gateway)
  expect(await seen()).toBe('confirmed')
  expect(replicatedRows(server.database, sync.gateway.id)).toEqual(replicatedRows(gateway.database, null))
})

test('a gateway that is not enrolled says so, and asks nobody', async () => {
  const gateway = await startGateway()
  expect(await syncOf(gateway)).toEqual({ enrolled: false, sync: null, doubtful_numbers: [], refusals: [] })
  expect(await gateway.admin('/admin/sync/now', { method: 'POST' })).toMatchObject({ status: 409 })
})
