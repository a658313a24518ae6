import { beforeAll, expect, test } from 'vitest'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

let gateway: Gateway
/** A second machine of the same premises. */
let beside: string
/** A machine of another company. */
let foreign: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  beside = await gateway.addDevice({ label: 'beside', isu_number: '102' })
  const company_id = await addCompany(gateway, OIBS[1])
  foreign = await gateway.addDevice({ company_id, label: 'foreign', premises_code: 'OTHER', isu_number: '103' })
})

const TILL = { sale_type: 'attended', register_mark: '7', operator_oib: OIBS[0] }
const refund = (storno_of: unknown, sale: object = {}) => gateway.post({ storno_of, total: '-2.50', ...sale })

async function receiptOf(id: string): Promise<string> {
  return (await gateway.admin(`/admin/invoices/${id}/receipt`)).body.text ?? ''
}

/** What stands between the goods and the total. */
async function stornoOf(name: string, sale: object = {}): Promise<string | undefined> {
  const { status, body } = await refund(name, sale)
  expect(status, JSON.stringify(body)).toBe(200)
  return /STORNO.*?(?=\s+UKUPNO EUR)/s.exec(await receiptOf(body.id))?.[0].replace(/\s+/g, ' ')
}

const REFUSED = { status: 400, body: { error: { code: 'invalid_request', param: 'storno_of' } } }

test('a refund names its original by id, by its whole number, or by its number at the same device', async () => {
  const sold = await gateway.sell()
  const number = `${sold.number}/POSL1/101`
  for (const name of [sold.id, number, sold.number])
    expect(await stornoOf(name), name).toBe(`STORNO računa br. ${number}`)
  expect(await stornoOf(sold.id, TILL)).toBe(`STORNO računa br. ${number}`)
})

test('the sequence of a device is that of its premises, so a number of a machine beside it is found', async () => {
  const sold = await gateway.sell({ device_id: beside })
  expect(await stornoOf(sold.number)).toBe(`STORNO računa br. ${sold.number}/POSL1/102`)
})

test('a refund without an original says STORNO alone, and a sale says nothing of it', async () => {
  expect(await receiptOf((await gateway.sell({ total: '-2.50' })).id)).toMatch(/STORNO\n+UKUPNO EUR +-2,50/)
  expect(await receiptOf((await gateway.sell()).id)).not.toContain('STORNO')
})

test('an original of another company is refused, by whatever name', async () => {
  const sold = await gateway.sell({ device_id: foreign })
  for (const name of [sold.id, `${sold.number}/OTHER/103`]) expect(await refund(name), name).toMatchObject(REFUSED)
  expect((await refund(sold.id, { device_id: foreign })).status).toBe(200)
})

test('one that is not there, has no form of an original, or stands beside a positive total is refused', async () => {
  for (const name of ['inv_0', '4000000', '1/POSL1/999', '1/posl1/101', '1-POSL1-101', '01', '', 'x'.repeat(200_000)])
    expect(await refund(name), name.slice(0, 20)).toMatchObject(REFUSED)
  expect(await gateway.post({ storno_of: (await gateway.sell()).id })).toMatchObject(REFUSED)
})
