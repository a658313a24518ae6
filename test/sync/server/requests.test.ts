import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Asked } from '../../../src/fiscal/ports/rows/authority-requests.ts'
import { startEmptyGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { enrolGateway } from '../../support/sync-gateway.ts'
import { fleet, record } from '../../support/sync-rows.ts'

const K: Asked = {
  kind: 'correction',
  from: { paymentMethod: 'G', recipientOib: null },
  to: { paymentMethod: 'K', recipientOib: null },
}

async function startFleet() {
  const server = await startEmptyGateway({ FISKD_ROLE: 'server' })
  const [gateway, thief] = [await enrolGateway(server), await enrolGateway(server)]
  const made = fleet({ oib: OIBS[1], premisesCode: 'R1', label: 'One', isuNumber: '1' })
  const sold = made.invoice(1)
  expect((await gateway.push([...made.parents(), record('invoice', sold)])).body.refused).toEqual([])
  return { ...made, gateway, thief, sold }
}

test('what a gateway has asked of the authority is stored, and ends once', async () => {
  const { gateway, request, sold } = await startFleet()
  const sent = request({ invoiceId: sold.id, asked: K })
  const refusals = async (row: typeof sent, version: number) =>
    (await gateway.push([{ ...record('request', row), version }])).body.refused.map(({ code }) => code)
  expect(await refusals(sent, 50)).toEqual([])
  expect(await refusals({ ...sent, state: 'unknown', message: 'silent' }, 51)).toEqual([])
  expect(await refusals({ ...sent, state: 'done', code: 'p005', answeredAt: sent.sentAt }, 52)).toEqual([])
  // What is known already is not an error.
  expect(await refusals({ ...sent, state: 'refused', code: 's011' }, 53)).toEqual([])
})

test('a request about the invoice of another gateway, or about one that is not there, is refused', async () => {
  const { gateway, thief, request, sold } = await startFleet()
  const codes = async (answer: ReturnType<typeof gateway.push>) => (await answer).body.refused.map(({ code }) => code)
  expect(await codes(thief.push([record('request', request({ invoiceId: sold.id, asked: K }))]))).toEqual([
    'owned_by_other',
  ])
  const lost = request({ invoiceId: `inv_${randomUUID()}`, asked: K })
  expect(await codes(gateway.push([record('request', lost)]))).toEqual(['missing_parent'])
  const odd = { ...request(), asked: { kind: 'something_else' } } as never
  expect(await codes(gateway.push([record('request', odd)]))).toEqual(['invalid_record'])
})
