import { createHash } from 'node:crypto'
import { PNG } from 'pngjs'
import { beforeAll, expect, test } from 'vitest'
import type { SyncRows } from '../../../src/fiscal/ports/outbox.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { ringLogo } from '../../support/logos.ts'
import { OIBS } from '../../support/pki.ts'
import { enrolGateway } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

const RECEIPT: NonNullable<SyncRows['invoice']['receipt']> = {
  ...{ header: [], footer: [], language: 'hr', issuerName: 'Kava', issuerAddress: [], premisesAddress: null },
  ...{ machine: 'Lobby', items: [] },
}

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

let premises = 0
/** Each test sells at premises of its own, of a company that the server does not have. */
const kiosk = (changes: Parameters<typeof fleet>[0] = {}): Fleet => {
  premises++
  const own = {
    oib: OIBS[1],
    premisesCode: `K${premises}`,
    label: `Machine ${premises}`,
    isuNumber: `${1000 + premises}`,
  }
  return fleet({ ...own, ...changes })
}

test('what a gateway tells is found by /v1 beside what the server sells itself', async () => {
  const gateway = await enrolGateway(server)
  const { parents, invoice, message, device } = kiosk()
  const sold = invoice(1)
  const told = [...parents(), record('invoice', sold), record('message', message(sold.id))]

  const answer = await gateway.push(told)

  expect(answer.body).toEqual({ position: told.at(-1)?.version, refused: [], conflicts: [] })
  const own = await server.sell()
  const found = await server.admin<{ data: { id: string }[] }>('/v1/invoices')
  expect(found.body.data.map(({ id }) => id)).toEqual(expect.arrayContaining([sold.id, own.id]))
  const shown = await server.admin<Record<string, unknown>>(`/v1/invoices/${sold.id}?include_messages=true`)
  expect(shown.body).toMatchObject({
    ...{ id: sold.id, status: 'confirmed', jir: sold.jir, device_id: device.id, number: '1', total: '2.50' },
    messages: [{ request_xml: '<a/>', response_xml: '<b>č</b>' }],
  })
})

test('a batch that comes twice is stored once', async () => {
  const gateway = await enrolGateway(server)
  const { parents, invoice, message } = kiosk()
  const sold = invoice(1)
  const told = [...parents(), record('invoice', sold), record('message', message(sold.id))]
  const first = await gateway.push(told)
  const again = await gateway.push(told, { after: 0, position: first.body.position })
  expect(again.body).toEqual({ position: first.body.position, refused: [], conflicts: [] })
  const listed = await server.admin<{ data: object[] }>(`/v1/invoices?premises_code=${sold.document.premisesCode}`)
  expect(listed.body.data).toHaveLength(1)
})

test('the newest word on a row counts, in whatever order words come', async () => {
  const gateway = await enrolGateway(server)
  const { parents, invoice, device } = kiosk()
  const sold = invoice(1, { status: 'retrying', jir: null, confirmedAt: null, attempts: 1 })
  const older = record('device', { ...device, label: 'older' })
  await gateway.push([...parents(), record('invoice', sold), record('device', { ...device, label: 'newest' })])
  await gateway.push([
    older,
    record('invoice', { ...sold, status: 'confirmed', jir: 'j', confirmedAt: 5, attempts: 2 }),
  ])
  const devices = await server.admin<{ data: { label: string }[] }>(`/v1/devices?premises_code=${device.premisesCode}`)
  expect(devices.body.data).toMatchObject([{ label: 'newest' }])
  expect((await server.admin(`/v1/invoices/${sold.id}`)).body).toMatchObject({
    status: 'confirmed',
    jir: 'j',
    attempts: 2,
  })
})

test('what was told ahead of its turn is remembered beside the position', async () => {
  const gateway = await enrolGateway(server)
  const { parents } = kiosk()
  const told = parents()
  const highest = Math.max(...told.map(({ version }) => version))
  expect((await gateway.push(told, { position: highest - 2 })).body.refused).toEqual([])
  expect((await gateway.hello()).body).toMatchObject({ position: highest - 2, heard: highest })
})

test('a server that has lost what came before says from where it has to be told again', async () => {
  const gateway = await enrolGateway(server)
  const { parents } = kiosk()
  const answer = await gateway.push(parents(), { after: 4000, position: 4003 })
  expect(answer.body).toEqual({ position: 0, refused: [], conflicts: [] })
  expect((await gateway.hello()).body.position).toBe(0)
})

test('a record that is refused does not keep the others from being stored', async () => {
  const gateway = await enrolGateway(server)
  const { parents, invoice } = kiosk()
  const [good, bad] = [invoice(1), invoice(2, { deviceId: '00000000-0000-4000-8000-000000000000' })]
  const answer = await gateway.push([...parents(), record('invoice', bad), record('invoice', good)])
  expect(answer.body.refused).toMatchObject([{ kind: 'invoice', id: bad.id, code: 'missing_parent' }])
  expect((await server.admin(`/v1/invoices/${good.id}`)).status).toBe(200)
  const shown = await server.admin<{ refusals: object[] }>(`/admin/gateways/${gateway.name}`)
  expect(shown.body.refusals).toMatchObject([{ kind: 'invoice', id: bad.id, code: 'missing_parent' }])
})

test('an original that expired unsent and was then given out is unconfirmed here, too, and stays so', async () => {
  const gateway = await enrolGateway(server)
  const { parents, invoice, printJob } = kiosk()
  const sold = invoice(1)
  const job = printJob(sold.id, { status: 'expired', endedAt: 5 })
  const givenOut = { ...job, status: 'unconfirmed', begunAt: 9, endedAt: 9 } as const
  await gateway.push([...parents(), record('invoice', sold), record('print_job', job)])
  expect((await gateway.push([record('print_job', givenOut)])).body.refused).toEqual([])
  const undone = await gateway.push([record('print_job', { ...job, status: 'printed' })])
  expect(undone.body.refused).toMatchObject([{ code: 'already_different' }])
  const shown = await server.admin(`/v1/invoices/${sold.id}`)
  expect(shown.body).toMatchObject({ receipt_print: { status: 'unconfirmed' } })
})

test('a logo comes with its company, and stands on the receipts that name it', async () => {
  const gateway = await enrolGateway(server)
  const { parents, company, invoice } = kiosk({ oib: OIBS[2] })
  const logo = ringLogo(200, 100)
  const hash = createHash('sha256').update(logo).digest('hex')
  const receipt = { ...RECEIPT, logo: hash }
  const [bare, sold] = [invoice(1, { receipt: RECEIPT }), invoice(2, { receipt })]
  const rows = [bare, sold].map((one) => record('invoice', one))
  const answer = await gateway.push([...parents(), record('company', { ...company, logo }), ...rows])
  expect(answer.body.refused).toEqual([])
  const heightOf = async ({ id }: { id: string }) => {
    const { bytes } = await server.admin(`/v1/invoices/${id}/receipt`, { headers: { accept: 'image/png' } })
    return PNG.sync.read(bytes).height
  }
  expect(await heightOf(sold)).toBeGreaterThan((await heightOf(bare)) + 90)
})
