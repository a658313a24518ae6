import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

let server: Gateway
let premises = 0
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

/** A gateway that has told of what it sells with. */
async function kiosk(changes: Parameters<typeof fleet>[0] = {}): Promise<Fleet & { gateway: Speaker }> {
  premises++
  const own = {
    oib: OIBS[1],
    premisesCode: `H${premises}`,
    label: `Machine ${premises}`,
    isuNumber: `${2000 + premises}`,
  }
  const made = fleet({ ...own, ...changes })
  const gateway = await enrolGateway(server)
  const { body } = await gateway.push(made.parents())
  if (body.refused.length > 0) throw new Error(JSON.stringify(body))
  return { ...made, gateway }
}

const refusalsOf = async (answer: ReturnType<Speaker['push']>) => (await answer).body.refused.map(({ code }) => code)

test('rows of another gateway are not touched', async () => {
  const victim = await kiosk()
  const thief = await kiosk()
  const sold = victim.invoice(1)
  const said = victim.message(sold.id)
  await victim.gateway.push([record('invoice', sold), record('message', said)])

  const stolen = [
    record('device', { ...victim.device, label: 'stolen' }),
    record('certificate', { ...victim.certificate, label: 'stolen' }),
    record('invoice', { ...sold, status: 'expired', jir: null }),
    record('message', { ...victim.message(sold.id), messageUuid: randomUUID() }),
    record('print_job', victim.printJob(sold.id)),
    record('message', { ...thief.message(sold.id), id: said.id }),
    record('invoice', thief.invoice(1, { deviceId: victim.device.id })),
    record('invoice', thief.invoice(2, { certificateId: victim.certificate.id })),
  ]
  expect(await refusalsOf(thief.gateway.push(stolen))).toEqual(Array(8).fill('owned_by_other'))

  expect((await server.admin(`/v1/invoices/${sold.id}`)).body).toMatchObject({ status: 'confirmed', jir: sold.jir })
  const devices = await server.admin<{ data: object[] }>(`/v1/devices?premises_code=${victim.device.premisesCode}`)
  expect(devices.body.data).toMatchObject([{ label: victim.device.label }])
})

test('a premises has one numbering authority, and a second one is told who it is', async () => {
  const { device, gateway: holder } = await kiosk()
  const rival = await enrolGateway(server)
  const second = fleet({ oib: OIBS[1], premisesCode: device.premisesCode, label: 'Rival' })
  const { body } = await rival.push(second.parents())
  expect(body.refused).toMatchObject([{ kind: 'device', code: 'premises_owned_by_gateway' }])
  expect(body.refused[0]?.message).toContain(`the gateway ${holder.name}`)
})

test("the server's own premises is no gateway's", async () => {
  const gateway = await enrolGateway(server)
  const { body } = await gateway.push(fleet({ oib: OIBS[0], premisesCode: 'POSL1', label: 'Rival' }).parents())
  expect(body.refused).toMatchObject([{ kind: 'device', message: 'premises POSL1 belongs to this server' }])
})

test('what was issued is not changed, and a final invoice stays as it is', async () => {
  const { invoice, gateway } = await kiosk()
  const [sold, open] = [invoice(1), invoice(2, { status: 'retrying', jir: null, confirmedAt: null })]
  await gateway.push([record('invoice', sold), record('invoice', open)])
  const changed = { ...open, document: { ...open.document, total: '0.01' } }
  expect(await refusalsOf(gateway.push([record('invoice', changed)]))).toEqual(['already_different'])
  const undone = { ...sold, status: 'retrying' as const, jir: null, confirmedAt: null }
  expect(await refusalsOf(gateway.push([record('invoice', undone)]))).toEqual(['invoice_is_final'])
  expect(await refusalsOf(gateway.push([record('invoice', { ...sold, attempts: 9 })]))).toEqual([])
  expect((await server.admin(`/v1/invoices/${sold.id}`)).body).toMatchObject({ status: 'confirmed', attempts: 1 })
})

test('a number that was given out already is refused, whatever else is in the batch', async () => {
  const { invoice, message, gateway } = await kiosk()
  await gateway.push([record('invoice', invoice(1))])
  const [double, good] = [invoice(1), invoice(2)]
  const batch = [record('invoice', double), record('message', message(double.id)), record('invoice', good)]
  const { body } = await gateway.push(batch)
  expect(body.refused).toMatchObject([
    { kind: 'invoice', id: double.id, code: 'already_taken' },
    { kind: 'message', code: 'missing_parent' },
  ])
  expect((await server.admin(`/v1/invoices/${good.id}`)).status).toBe(200)
})

test('a record of an unknown kind, with an unknown field or a wrong value is refused by name', async () => {
  const { invoice, device, gateway } = await kiosk()
  const sold = invoice(1)
  const { body } = await gateway.pushRaw([
    { ...wire('voucher', 'v-1'), row: {} },
    { ...wire('device', device.id), row: { ...snake(device), colour: 'red' } },
    { ...wire('invoice', sold.id), row: { ...snake(sold), document: { ...sold.document, total: '2,50' } } },
    { ...wire('device', device.id), row: { ...snake(device), company_id: 7 } },
    { ...wire('device', device.id), row: null },
    { ...wire('device', randomUUID()), row: snake(device) },
  ])
  expect(body.refused.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'unknown_kind: this version does not know records of the kind voucher',
    'invalid_record: there is no field colour',
    expect.stringMatching(/^invalid_record: document\.total is not as it should be/),
    expect.stringMatching(/^invalid_record: company_id is not as it should be/),
    expect.stringMatching(/^invalid_record: this is not as it should be/),
    'invalid_record: id is not the one of its row',
  ])
})

const wire = (kind: string, id: string) => ({ kind, id, version: 900_000 })
const snake = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`), value]),
  )

test('a version that goes back changes nothing', async () => {
  const { device, gateway } = await kiosk()
  await gateway.push([record('device', { ...device, label: 'first' }, 800_000)])
  await gateway.push([record('device', { ...device, label: 'second' }, 5)], { after: 0, position: 800_000 })
  const devices = await server.admin<{ data: object[] }>(`/v1/devices?premises_code=${device.premisesCode}`)
  expect(devices.body.data).toMatchObject([{ label: 'first' }])
})

test.each([
  ['no JSON', Buffer.from('{'), {}],
  ['no gzip', Buffer.from('{}'), { 'content-encoding': 'gzip' }],
  ['an unknown encoding', Buffer.from('{}'), { 'content-encoding': 'br' }],
])('a push with %s is malformed', async (_what, body, headers) => {
  const { gateway } = await kiosk()
  const answer = await gateway.ask('/push', body, { headers: { 'content-type': 'application/json', ...headers } })
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
})

test('two devices that have swapped their ISU numbers come one after the other', async () => {
  const { device, gateway } = await kiosk()
  const other = { ...device, id: randomUUID(), label: `${device.label} b`, isuNumber: '777000' }
  await gateway.push([record('device', other)])
  const first = await gateway.push([record('device', { ...device, isuNumber: '777000' })])
  const second = await gateway.push([record('device', { ...other, isuNumber: device.isuNumber })])
  expect([first.body.refused, second.body.refused]).toEqual([[], []])
  const listed = await server.admin<{ data: { isu_number: string }[] }>(
    `/v1/devices?premises_code=${device.premisesCode}`,
  )
  expect(listed.body.data.map(({ isu_number }) => isu_number).sort()).toEqual(['777000', device.isuNumber].sort())
})

test('a label or ISU number that two gateways have is kept twice and told as a conflict', async () => {
  const one = await kiosk({ label: 'Twice', isuNumber: '555' })
  premises++
  const gateway = await enrolGateway(server)
  const other = fleet({ oib: OIBS[1], premisesCode: `H${premises}`, label: 'Twice', isuNumber: '555' })
  const { body } = await gateway.push(other.parents())
  expect(body.refused).toEqual([])
  expect(body.conflicts.map(({ what, value }) => [what, value])).toEqual([
    ['label', 'Twice'],
    ['isu_number', '555'],
  ])
  expect(body.conflicts[0]?.devices.map((device) => device.gateway).sort()).toEqual(
    [one.gateway.name, gateway.name].sort(),
  )
})

test('a company that another gateway told of first keeps its words, and the difference is told', async () => {
  await kiosk()
  const gateway = await enrolGateway(server)
  const { company } = fleet({ oib: OIBS[1] })
  const { body } = await gateway.push([record('company', { ...company, name: 'Drugo ime d.o.o.' })])
  expect(body).toMatchObject({ refused: [], conflicts: [{ what: 'company', value: OIBS[1], devices: [] }] })
  expect((await server.admin(`/v1/companies`)).text).not.toContain('Drugo ime')
})
