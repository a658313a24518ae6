import { expect, test } from 'vitest'
import { inDatabase } from '../support/database.ts'
import { addCompany, startGateway } from '../support/gateway.ts'

const till = { sale_type: 'attended', operator_oib: '69435151530' }

test('a supplied number is used as it is, and the next one follows the highest used', async () => {
  const gateway = await startGateway()
  expect((await gateway.sell({ number: '100' })).number).toBe('100')
  expect((await gateway.sell()).number).toBe('101')
  expect((await gateway.sell({ number: '7' })).number).toBe('7')
  expect((await gateway.sell()).number).toBe('102')
})

test('a number that was used already is a conflict, not a replay', async () => {
  const gateway = await startGateway()
  await gateway.sell({ number: '5' })
  const { status, body } = await gateway.post({ number: '5' })
  expect(status).toBe(409)
  expect(body.error).toMatchObject({ type: 'conflict', code: 'invoice_already_exists', param: 'number' })
  expect((await gateway.sell()).number).toBe('6')
})

test('after number 99999999999999999999 there is none left', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await inDatabase(gateway, `UPDATE sequences SET highest = '${'9'.repeat(20)}'`)
  expect((await gateway.post()).body.error).toMatchObject({ code: 'hr.invalid_receipt_number', param: 'number' })
})

test('each premises counts for itself, and two devices of one premises count together', async () => {
  const gateway = await startGateway()
  const neighbour = await gateway.addDevice({ isu_number: '2' })
  const elsewhere = await gateway.addDevice({ isu_number: '3', premises_code: 'POSL2' })
  const numbers = []
  for (const device_id of [gateway.deviceId, neighbour, elsewhere, neighbour]) {
    numbers.push((await gateway.sell({ device_id })).number)
  }
  expect(numbers).toEqual(['1', '2', '1', '3'])
})

test('a company that goes live starts at 1: its test receipts have used up no live numbers', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.sell()
  await gateway.stop()
  await inDatabase(gateway, "UPDATE companies SET mode = 'live'")
  await gateway.restart()
  expect((await gateway.post()).body.error).toMatchObject({ code: 'mode_mismatch' })
  gateway.key = await gateway.createKey({ mode: 'live' })
  expect((await gateway.sell()).number).toBe('1')
})

test('premises codes differ by case', async () => {
  const gateway = await startGateway()
  const lower = await gateway.addDevice({ isu_number: '2', premises_code: 'posl1' })
  await gateway.sell()
  expect((await gateway.sell({ device_id: lower })).number).toBe('1')
})

test('numbers start again with the calendar year of the sale in Zagreb, also for a sale that arrives late', async () => {
  const gateway = await startGateway()
  const newYear = new Date(Date.UTC(new Date().getUTCFullYear(), 11, 31, 23, 0, 0)).getTime()
  gateway.clock.aheadMs = newYear + 60_000 - Date.now()
  const at = (seconds: number) => new Date(newYear + seconds * 1000).toISOString()
  expect((await gateway.sell({ occurred_at: at(-2) })).number).toBe('1')
  expect((await gateway.sell({ occurred_at: at(0) })).number).toBe('1')
  expect((await gateway.sell({ occurred_at: at(-1) })).number).toBe('2')
  expect((await gateway.sell({ occurred_at: at(1) })).number).toBe('2')
})

test('under N each register counts for itself', async () => {
  const gateway = await startGateway()
  const sell = async (register_mark: string) =>
    (await gateway.sell({ ...till, register_mark, sequence_mark: 'N' })).number
  expect([await sell('1'), await sell('2'), await sell('1')]).toEqual(['1', '1', '2'])
  const taken = await gateway.post({ ...till, register_mark: '2', sequence_mark: 'N', number: '1' })
  expect(taken.body.error).toMatchObject({ code: 'invoice_already_exists' })
})

test('a premises numbers by one level a year: the second one is refused', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const { status, body } = await gateway.post({ ...till, register_mark: '1', sequence_mark: 'N' })
  expect(status).toBe(409)
  expect(body.error).toMatchObject({ type: 'conflict', code: 'hr.sequence_level_conflict', param: 'sequence_mark' })
})

test('a refused sale does not use up a number, nor does it settle the level of its premises', async () => {
  const gateway = await startGateway()
  await gateway.post({ total: '10000.01' })
  await gateway.post({ ...till, register_mark: '1', sequence_mark: 'N', operator_oib: '1' })
  expect((await gateway.sell()).number).toBe('1')
})

test('an attended sale carries its register, operator, buyer and paragon, and needs no ISU number', async () => {
  const gateway = await startGateway()
  const device_id = await gateway.addDevice()
  const buyer = { recipient_oib: '18683136487', paragon_number: 'P-7', payment_method: 'K' }
  const sold = await gateway.sell({ ...till, ...buyer, device_id, register_mark: '12' })
  expect(sold.status).toBe('confirmed')
  const xml = gateway.cis.received[0]?.requestXml
  expect(xml).toContain('<tns:OznSlijed>P</tns:OznSlijed>')
  expect(xml).toContain('<tns:OznNapUr>12</tns:OznNapUr>')
  expect(xml).toContain('<tns:OibOper>69435151530</tns:OibOper>')
  expect(xml).toContain('<tns:ParagonBrRac>P-7</tns:ParagonBrRac>')
  expect(xml).toContain('<tns:OibPrimateljaRacuna>18683136487</tns:OibPrimateljaRacuna></tns:Racun>')
  expect((await gateway.sell({ ...till, device_id, register_mark: '12', payment_method: 'T' })).status).toBe(
    'confirmed',
  )
})

test('an attended sale falls back to the sequence mode of its company, and null to P', async () => {
  const gateway = await startGateway()
  const company = { name: 'Kafić', oib: '18683136487', fiscal_config: { sequence_mode: 'N', sale_type: 'attended' } }
  const company_id = await addCompany(gateway, company.oib, company)
  const device_id = await gateway.addDevice({ company_id })
  const elsewhere = await gateway.addDevice({ company_id, premises_code: 'POSL2' })
  const { sale_type: _configured, ...operator } = till
  await gateway.sell({ ...operator, device_id, register_mark: '1' })
  await gateway.sell({ ...operator, device_id: elsewhere, register_mark: '1', sequence_mark: null })
  const marks = gateway.cis.received.map(({ requestXml }) => /<tns:OznSlijed>(.)</.exec(requestXml)?.[1])
  expect(marks).toEqual(['N', 'P'])
})

test('an unattended sale is P with the ISU number and the company as operator, whatever is configured', async () => {
  const gateway = await startGateway()
  const device_config = {
    sequence_mark: 'N',
    register_mark: '9',
    operator_oib: '69435151530',
    recipient_oib: '69435151530',
  }
  const device_id = await gateway.addDevice({ isu_number: '202', device_config })
  await gateway.sell({ device_id, sequence_mark: null, operator_oib: null })
  const xml = gateway.cis.received[0]?.requestXml
  expect(xml).toContain('<tns:OznSlijed>P</tns:OznSlijed>')
  expect(xml).toContain('<tns:OznNapUr>202</tns:OznNapUr>')
  expect(xml).toContain('<tns:OibOper>02994650199</tns:OibOper>')
  expect(xml).not.toContain('OibPrimateljaRacuna')
})

test('every optional field of a sale reaches the authority as it was sent', async () => {
  const gateway = await startGateway()
  const line = { rate: '5.00', base: '1.00', amount: '0.05' }
  const sold = await gateway.sell({
    total: '-9999.99',
    payment_method: 'O',
    currency: 'EUR',
    vat: [line, { ...line, rate: '25.00' }],
    consumption_tax: [{ ...line, rate: '3.00' }],
    other_taxes: [{ ...line, name: 'Porez na <luksuz> & "ostalo"' }],
    vat_exempt_amount: '1.01',
    margin_amount: '2.02',
    non_taxable_amount: '3.03',
    fees: [{ name: 'Povratna naknada', amount: '0.07' }],
    special_purpose: 'čćđšž\n\t😀',
    vat_registered: false,
    late_delivery: true,
    number: null,
  })
  expect(sold).toMatchObject({ status: 'confirmed', total: '-9999.99' })
  expect(gateway.cis.received).toMatchObject([{ total: '-9999.99', lateDelivery: true, zkiMatches: true, errors: [] }])
  const xml = gateway.cis.received[0]?.requestXml ?? ''
  const order = [
    'USustPdv>false',
    'Pdv>',
    'Pnp>',
    'OstaliPor>',
    'IznosOslobPdv>1.01',
    'IznosMarza>2.02',
    'IznosNePodlOpor>3.03',
    'Naknade>',
    'IznosUkupno>-9999.99',
    'NacinPlac>O',
    'SpecNamj>čćđšž',
  ]
  const places = order.map((text) => xml.indexOf(`<tns:${text}`))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(Math.min(...places)).toBeGreaterThan(0)
})

test('empty texts and empty lists are left out of the message', async () => {
  const gateway = await startGateway()
  await gateway.sell({ special_purpose: '', vat: [], fees: [], consumption_tax: [], other_taxes: [] })
  const xml = gateway.cis.received[0]?.requestXml
  for (const name of ['SpecNamj', 'Pdv', 'Naknade', 'Pnp', 'OstaliPor']) expect(xml).not.toContain(`<tns:${name}>`)
})
