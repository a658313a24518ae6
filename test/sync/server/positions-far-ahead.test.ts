import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { enrolGateway } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

const LARGEST = Number.MAX_SAFE_INTEGER

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

let premises = 0
function kiosk(): Fleet {
  premises++
  return fleet({
    oib: OIBS[1],
    premisesCode: `F${premises}`,
    label: `Far ${premises}`,
    isuNumber: `${7000 + premises}`,
  })
}

const HEARTBEAT = {
  version: '1.0.0',
  uptime_s: 1,
  can_sell: true,
  problems: [],
  printers: [],
  last_jir_at: null,
  restored_at: null,
  queue: { pending: 0, retrying: 0, failed: 0, expired: 0, oldest_at: null },
  ...{ outbox: { waiting: 0, refused: 0 }, disk: { free_bytes: null, left_out: [] } },
  clock: { status: 'ok', trusted: true, offset_ms: 0, now: '2026-09-21T16:13:20Z' },
}

test.each([LARGEST, 2 ** 48 + 1, 2 ** 48, 2 ** 47])('versions of %d are refused in each field', async (version) => {
  const gateway = await enrolGateway(server)
  const { device, parents } = kiosk()
  expect((await gateway.push(parents())).body.refused).toEqual([])
  const before = (await gateway.hello()).body

  const refused = [
    await gateway.push([record('device', { ...device, label: 'far' }, version)], {
      after: before.position,
      position: before.position,
    }),
    await gateway.pushRaw([], { after: before.position, position: version }),
  ]
  expect(refused).toMatchObject([{ status: 400 }, { status: 400 }])
  const { position, heard } = before
  expect((await gateway.hello({ last: position })).body).toMatchObject({ position, heard })
  const next = [record('device', { ...device, label: `next ${device.label}` })]
  const answer = await gateway.push(next, { after: position, position: next[0]?.version })
  expect(answer.body).toMatchObject({ position: next[0]?.version, refused: [] })
})

test.each([LARGEST, 2 ** 48 + 1])('a place of %d is refused in a hello and in an enrolment', async (last) => {
  const gateway = await enrolGateway(server)
  expect([(await gateway.hello({ last })).status, (await gateway.hello({ last_command: last })).status]).toEqual([
    400, 400,
  ])
  expect((await gateway.enroll({ last })).status).toBe(400)
})

test.each([LARGEST, 2 ** 48, 2_000_000])(
  'a last command of %d leaves numbers for the commands to come',
  async (last) => {
    const gateway = await enrolGateway(server)
    await server.admin(`/admin/gateways/${gateway.name}/commands`, { body: { type: 'doctor', body: {} } })
    const asked = await gateway.ask('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: last })
    expect(asked.status).toBe(400)
    const again = await gateway.ask<{ commands: { payload: string }[] }>('/poll', {
      ...{ wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 },
    })
    const [command] = again.body.commands.map(({ payload }) => JSON.parse(Buffer.from(payload, 'base64url').toString()))
    expect(command).toMatchObject({ number: 1, type: 'doctor' })
  },
)

test('a gateway that enrols again with a new outbox is heard from its beginning, and no row is lost or doubled', async () => {
  const gateway = await enrolGateway(server)
  const { parents, device, invoice } = kiosk()
  const sold = invoice(1, { status: 'retrying', jir: null, confirmedAt: null })
  const far = 2 ** 39
  const told = [...parents(), record('invoice', sold)].map((one, index) => ({ ...one, version: far + index }))
  expect((await gateway.push(told)).body.refused).toEqual([])

  const { body } = await server.admin<{ token: string }>('/admin/gateways', {
    body: { name: gateway.name, again: true },
  })
  gateway.credential = `fisk_sync_${randomBytes(32).toString('base64url')}`
  const credential_hash = createHash('sha256').update(gateway.credential).digest('hex')
  expect((await gateway.enroll({ token: body.token, credential_hash, last: 0 })).status).toBe(200)
  expect((await gateway.hello({ last: 2 })).body).toMatchObject({ position: 0, heard: 0 })

  const anew = [
    record('device', { ...device, label: `anew ${device.label}` }, 1),
    record('invoice', { ...sold, status: 'confirmed', jir: 'j', confirmedAt: 5 }, 2),
  ]
  expect((await gateway.push(anew, { after: 0, position: 2 })).body).toMatchObject({ position: 2, refused: [] })
  expect((await server.admin(`/v1/invoices/${sold.id}`)).body).toMatchObject({ status: 'confirmed', jir: 'j' })
  const devices = await server.admin<{ data: object[] }>(`/v1/devices?premises_code=${device.premisesCode}`)
  expect(devices.body.data).toMatchObject([{ label: `anew ${device.label}` }])
})

test('a gateway that enrols again and goes on is heard from where it was', async () => {
  const gateway = await enrolGateway(server)
  const { parents } = kiosk()
  const { position } = (await gateway.push(parents())).body
  const { body } = await server.admin<{ token: string }>('/admin/gateways', {
    body: { name: gateway.name, again: true },
  })
  gateway.credential = `fisk_sync_${randomBytes(32).toString('base64url')}`
  const credential_hash = createHash('sha256').update(gateway.credential).digest('hex')
  expect((await gateway.enroll({ token: body.token, credential_hash, last: 0 })).status).toBe(200)
  expect((await gateway.hello()).body).toMatchObject({ position, heard: position })
})
