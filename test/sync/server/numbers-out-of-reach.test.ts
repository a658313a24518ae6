import { beforeAll, expect, test } from 'vitest'
import type { SyncRows } from '../../../src/fiscal/ports/outbox.ts'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { addGateway, enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

const TWENTY_NINES = '9'.repeat(20)

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

let premises = 0
async function kiosk(): Promise<Fleet & { gateway: Speaker; numbered: (number: string) => SyncRows['invoice'] }> {
  premises++
  const made = fleet({
    oib: OIBS[1],
    premisesCode: `R${premises}`,
    label: `R ${premises}`,
    isuNumber: `${8000 + premises}`,
  })
  const gateway = await enrolGateway(server)
  const { refused } = (await gateway.push(made.parents())).body
  if (refused.length > 0) throw new Error(JSON.stringify(refused))
  let position = 0
  const numbered = (number: string) => {
    const sold = made.invoice(++position)
    return { ...sold, numberSupplied: true, document: { ...sold.document, number } }
  }
  return { ...made, gateway, numbered }
}

/** Those that a server would tell the next card of a gateway. */
const numbersOf = async (gateway: Speaker, { device }: Fleet) =>
  (await gateway.hello()).body.numbers
    .filter(({ premises_code }) => premises_code === device.premisesCode)
    .map(({ highest }) => highest)
const statusOf = async (id: string) => (await server.admin(`/v1/invoices/${id}`)).status
const accept = (gateway: Speaker, invoice_id: string, follow?: boolean) =>
  server.admin<{ error: { code: string; message: string } }>(`/admin/gateways/${gateway.name}/accept`, {
    body: { invoice_id, ...(follow !== undefined && { follow }) },
  })

test('an invoice with a number of twenty nines is refused, and those beside and behind it are stored', async () => {
  const made = await kiosk()
  const { gateway, numbered, message } = made
  const [one, stolen, two, three] = [numbered('1'), numbered(TWENTY_NINES), numbered('2'), numbered('3')]
  const told = [one, stolen, two].map((sold) => record('invoice', sold))
  const { body } = await gateway.push([...told, record('message', message(stolen.id))])

  expect(body.position).toBeGreaterThanOrEqual(told[2]?.version ?? Number.NaN)
  expect(body.refused.map(({ kind, code }) => [kind, code])).toEqual([
    ['invoice', 'out_of_reach'],
    ['message', 'missing_parent'],
  ])
  expect((await gateway.push([record('invoice', three)])).body.refused).toEqual([])
  expect(await numbersOf(gateway, made)).toEqual(['3'])
  const shown = await server.admin<{ refused: number; refusals: { code: string; message: string }[] }>(
    `/admin/gateways/${gateway.name}`,
  )
  expect(shown.body.refusals.map(({ code }) => code)).toContain('out_of_reach')
  expect(shown.body.refusals.map(({ message: said }) => said).join()).toContain('the highest that is known there is 1')
  const alerts = await server.admin<{ data: { kind: string; detail: object }[] }>('/admin/alerts?kind=sync_refused')
  expect(alerts.body.data).toContainEqual(expect.objectContaining({ detail: { gateway: gateway.name } }))
})

test('numbers that follow each other within one batch carry each other', async () => {
  const { gateway, numbered } = await kiosk()
  const told = ['10000000', '11000000', '12000000'].map((number) => record('invoice', numbered(number)))
  expect((await gateway.push(told)).body.refused).toEqual([])
})

test('an invoice that an operator accepts is stored when it comes again, and counting stays where it is', async () => {
  const made = await kiosk()
  const { gateway, numbered } = made
  const far = numbered('500000000')
  await gateway.push([record('invoice', numbered('7')), record('invoice', far)])
  expect(await accept(gateway, far.id)).toMatchObject({ status: 200, body: { invoice_id: far.id, follow: false } })
  expect(await statusOf(far.id)).toBe(404)

  const again = record('invoice', far)
  expect((await gateway.push([again])).body.refused).toEqual([])
  expect(await statusOf(far.id)).toBe(200)
  expect(await numbersOf(gateway, made)).toEqual(['7'])
  const shown = await server.admin<{ refused: number }>(`/admin/gateways/${gateway.name}`)
  expect(shown.body.refused).toBe(0)
  const { data } = (await server.admin<{ data: object[] }>('/admin/audit')).body
  expect(data).toContainEqual(
    expect.objectContaining({
      action: 'gateway.invoice_accepted',
      detail: { id: gateway.id, name: gateway.name, invoice_id: far.id, follow: false },
    }),
  )
  const next = numbered('500000001')
  expect((await gateway.push([record('invoice', next)])).body.refused).toMatchObject([{ code: 'out_of_reach' }])
})

test('an invoice that is accepted with --follow moves counting, for all that come after it', async () => {
  const made = await kiosk()
  const { gateway, numbered } = made
  const far = numbered('500000000')
  await gateway.push([record('invoice', far)])
  await accept(gateway, far.id)
  expect((await accept(gateway, far.id, true)).status).toBe(200)
  const next = numbered('500000001')
  expect((await gateway.push([record('invoice', far), record('invoice', next)])).body.refused).toEqual([])
  expect(await numbersOf(gateway, made)).toEqual(['500000001'])
})

test('a number that is accepted without following it is passed over by whoever counts there later', async () => {
  const { gateway, numbered } = await kiosk()
  const far = numbered('500000000')
  await gateway.push([record('invoice', far)])
  await accept(gateway, far.id)
  expect((await gateway.push([record('invoice', far)])).body.refused).toEqual([])
  const ahead = await inDatabase(server, `SELECT number FROM numbers_ahead WHERE invoice_id = '${far.id}'`)
  expect(ahead).toEqual([{ number: '500000000' }])
  // Nothing is counted there yet.
  expect((await gateway.push([record('invoice', numbered('10000000'))])).body.refused).toEqual([])
})

test('what was refused for something else, or by another gateway, cannot be accepted', async () => {
  const { gateway, numbered } = await kiosk()
  const other = await addGateway(server)
  const [orphan, far] = [numbered('1'), numbered(TWENTY_NINES)]
  const without = { ...orphan, certificateId: '00000000-0000-4000-8000-000000000000' }
  await gateway.push([record('invoice', without), record('invoice', far)])
  expect(await accept(gateway, orphan.id)).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('something else') } },
  })
  expect((await accept(gateway, 'inv_unknown')).status).toBe(404)
  expect((await accept(other, far.id)).status).toBe(404)
})
