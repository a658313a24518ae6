import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

let server: Gateway
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

const year = new Date().getFullYear()
let premises = 0
async function kiosk() {
  const number = ++premises
  const made = fleet({
    oib: OIBS[0],
    premisesCode: `R${number}`,
    label: `Moved ${number}`,
    isuNumber: `${5000 + number}`,
  })
  const gateway = await enrolGateway(server)
  const open = made.invoice(1, { year, status: 'retrying', jir: null, confirmedAt: null })
  const { body } = await gateway.push([...made.parents(), record('invoice', open)])
  expect(body.refused).toEqual([])
  return { ...made, gateway, open, code: `R${number}` }
}

/** Its premises are given free, and the same gateway is let in again. */
async function letInAgain(gateway: Speaker, code: string, before: () => Promise<unknown> = async () => undefined) {
  await server.admin(`/admin/gateways/${gateway.name}/revoke`, { body: { release: true } })
  await before()
  const again = await server.admin<{ token: string }>('/admin/gateways', { body: { name: gateway.name, again: true } })
  expect((await gateway.enroll({ token: again.body.token })).status).toBe(200)
  gateway.session = randomUUID()
  expect((await gateway.hello({ premises: [{ company_id: server.companyId, premises_code: code }] })).status).toBe(200)
}

test('a gateway whose premises the server sells at by now adds nothing to its numbers, and it is seen', async () => {
  const { gateway, invoice, code, open } = await kiosk()
  let deviceId = ''
  await letInAgain(gateway, code, async () => {
    deviceId = await server.addDevice({ premises_code: code, label: `Own ${code}`, isu_number: '7051' })
    expect((await server.sell({ device_id: deviceId })).number).toBe('2')
  })
  const [late, higher] = [invoice(2, { year }), invoice(99_999, { year })]
  const confirmed = { ...open, status: 'confirmed' as const, jir: randomUUID(), confirmedAt: 5 }
  const answer = await gateway.push([late, higher, confirmed].map((one) => record('invoice', one)))

  const refused = {
    kind: 'invoice',
    code: 'premises_owned_by_gateway',
    message: `premises ${code} belongs to this server`,
  }
  expect(answer.body.refused).toMatchObject([
    { ...refused, id: late.id },
    { ...refused, id: higher.id },
  ])
  const shown = await server.admin<{ refusals: { id: string }[] }>(`/admin/gateways/${gateway.name}`)
  expect(shown.body.refusals.map(({ id }) => id).sort()).toEqual([late.id, higher.id].sort())
  expect((await server.sell({ device_id: deviceId })).number).toBe('3')
  expect(await server.invoice(open.id)).toMatchObject({ status: 'confirmed' })
})

test('a gateway that comes back to premises that nobody has taken tells the rest of what it sold', async () => {
  const { gateway, invoice, code } = await kiosk()
  await letInAgain(gateway, code)
  const sold = invoice(2, { year })
  expect((await gateway.push([record('invoice', sold)])).body.refused).toEqual([])
  expect(await server.invoice(sold.id)).toMatchObject({ number: '2' })
})
