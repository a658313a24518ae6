import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startCentral, startEnrolled, syncOf, told } from '../../support/central-server.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'

const read = <T>(file: string, query: string): T[] => {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare(query).all() as T[]
  } finally {
    db.close()
  }
}

const archive = (gateway: Gateway, id: string) =>
  gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { status: 'archived' } })

const numbersAt = (gateway: Gateway) =>
  read<{ number: string }>(
    gateway.database,
    `SELECT number FROM invoices WHERE premises_code = 'MOVED' ORDER BY number`,
  ).map(({ number }) => number)

const added = async ({ database }: Gateway) =>
  JSON.parse(
    read<{ detail: string }>(
      database,
      `SELECT detail FROM audit_log WHERE action = 'device.added' ORDER BY at DESC, id DESC LIMIT 1`,
    )[0]?.detail ?? '{}',
  )

/** Two gateways of one server; the first has sold three times at a premises of its own. */
async function two() {
  const central = await startCentral()
  const [a, b] = [await startGateway(), await startGateway()]
  // They are machines of one company at places that differ.
  const other = new Database(b.database)
  other.exec(`UPDATE devices SET premises_code = 'OTHER'`)
  other.close()
  const machine = await a.addDevice({ premises_code: 'MOVED', label: 'first', isu_number: '7777' })
  await central.enroll(a, 'a')
  for (let sale = 0; sale < 3; sale++) await a.sell({ device_id: machine })
  await told(a)
  await central.enroll(b, 'b')
  await told(b)
  return { ...central, a, b }
}

const device = (changes: object = {}) => ({ premises_code: 'MOVED', label: 'second', isu_number: '7778', ...changes })

test('a device that is archived, the only one at its premises, is told like any other', async () => {
  const { gateway, server } = await startEnrolled()
  await told(gateway)
  expect(await archive(gateway, await gateway.addDevice({ premises_code: 'OLD1', label: 'retired' }))).toMatchObject({
    status: 200,
  })
  await gateway.sell()
  expect((await told(gateway)).sync).toMatchObject({ waiting: 0, refused: 0 })
  const query = `SELECT status FROM devices WHERE label = 'retired'`
  expect(read(server.database, query)).toEqual([{ status: 'archived' }])
})

test('a premises that another gateway holds takes no device, and the holder is named', async () => {
  const { a, b } = await two()
  const refused = await b.admin('/v1/devices', { body: { company_id: b.companyId, ...device() } })
  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatchObject({ code: 'premises_owned_by_gateway', param: 'premises_code' })
  expect(refused.text).toContain('the gateway a')
  expect(read(b.database, `SELECT id FROM devices WHERE premises_code = 'MOVED'`)).toEqual([])
  expect((await syncOf(a)).sync.refused).toBe(0)
})

test('a premises that moves to a gateway that is enrolled already goes on above what was sold there', async () => {
  const { server, a, b } = await two()
  await server.admin('/admin/gateways/a/revoke', { method: 'POST', body: { release: true } })
  await a.stop()
  const machine = await b.addDevice(device())
  for (let sale = 0; sale < 2; sale++) await b.sell({ device_id: machine })
  expect(numbersAt(b)).toEqual(['4', '5'])
  expect((await told(b)).sync.refused).toBe(0)
  expect(await added(b)).not.toHaveProperty('premises_not_asked')
})

test('a server that is not reached keeps nobody from adding a device, and hears of it before anything else', async () => {
  const { server, link, a, b } = await two()
  await server.admin('/admin/gateways/a/revoke', { method: 'POST', body: { release: true } })
  await a.stop()
  link.goDown()
  await b.addDevice(device())
  expect(await added(b)).toMatchObject({ premises_not_asked: ['MOVED'] })
  await b.addDevice(device({ label: 'third', isu_number: '7779' }))
  expect(await added(b)).not.toHaveProperty('premises_not_asked')
  link.comeBack()
  await told(b)
  const query = `SELECT last FROM reserved_numbers WHERE premises_code = 'MOVED'`
  expect(read(b.database, query)).toEqual([{ last: '3' }])
})

test('a device that the server has added at a premises that moves goes on above what was sold there', async () => {
  const { server, a, b } = await two()
  await server.admin('/admin/gateways/a/revoke', { method: 'POST', body: { release: true } })
  await a.stop()
  const body = { company_id: b.companyId, ...device() }
  const sent = await server.admin('/admin/gateways/b/commands', { body: { type: 'device.add', body } })
  expect(sent.status).toBe(201)
  const machine = () => read<{ id: string }>(b.database, `SELECT id FROM devices WHERE label = 'second'`)[0]?.id
  await expect.poll(machine).toBeTypeOf('string')
  await b.sell({ device_id: machine() as string })
  expect(numbersAt(b)).toEqual(['4'])
})

test('a device that comes back from the archive asks for its premises, for somebody may sell there by now', async () => {
  const { b, a } = await two()
  const id = await b.addDevice({ premises_code: 'LATER', label: 'second' })
  await archive(b, id)
  const db = new Database(b.database)
  db.exec(`UPDATE devices SET premises_code = 'MOVED' WHERE id = '${id}'`)
  db.close()
  const back = await b.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { status: 'active' } })
  expect(back.status).toBe(409)
  expect(back.text).toContain('the gateway a')
  expect(numbersAt(a)).toEqual(['1', '2', '3'])
})

test('a file of devices is told which premises are taken, and a rehearsal of it asks for none', async () => {
  const { server, b } = await two()
  const send = (dry_run: boolean) => {
    const form = new FormData()
    form.set('company_id', b.companyId)
    form.set('dry_run', String(dry_run))
    const csv = 'label,premises_code,isu_number\nsecond,MOVED,7778\nthird,FRESH,7779\n'
    form.set('file', new Blob([csv]), 'devices.csv')
    return b.admin('/v1/devices/import', { body: form })
  }
  const claims = () => read(server.database, `SELECT premises_code FROM premises_claims WHERE premises_code = 'FRESH'`)
  expect((await send(true)).status).toBe(200)
  expect(claims()).toEqual([])
  const { body } = await send(false)
  expect(body).toMatchObject({ created: 1, failed: 1, errors: [{ row: 2, code: 'premises_owned_by_gateway' }] })
  expect(claims()).toHaveLength(1)
})
