import { afterEach, beforeAll, expect, test } from 'vitest'
import { addCompany, type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { elementIn, expectRefused, messageOf, patch, TILL } from './support-sale.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})
afterEach(async () => {
  gateway.clock.aheadMs = 0
  await configure({})
})

const LINE = { rate: '25.00', base: '2.00', amount: '0.50' }

test('VAT rules 1: lines that are sent are used as they are, one Pdv entry each, whatever the total is', async () => {
  await configure({ default_vat_rate: '25.00' })
  const lines = [
    LINE,
    { rate: '13.00', base: '999.99', amount: '0.01' },
    { rate: '13.00', base: '-1.00', amount: '5.00' },
  ]
  const entries = lines.map(({ rate, base, amount }) => entry(rate, base, amount))
  expect(await pdv({ total: '2.50', vat: lines })).toBe(entries.join(''))
  expect(await pdv({ total: '2.50', vat: [LINE], vat_registered: false })).toBe(entries[0])
})

test('VAT rules 2: without lines the configured rate is taken out of the total, rounded half-up', async () => {
  for (const [rate, total, base, amount] of [
    ['25.00', '4.50', '3.60', '0.90'],
    ['25.00', '0.01', '0.01', '0.00'],
    ['25.00', '0.03', '0.02', '0.01'],
    ['25.00', '10000.00', '8000.00', '2000.00'],
    ['13.00', '1.00', '0.88', '0.12'],
    ['13.00', '2.50', '2.21', '0.29'],
    ['5.00', '1.00', '0.95', '0.05'],
    ['5.00', '0.11', '0.10', '0.01'],
    ['0.00', '2.50', '2.50', '0.00'],
    ['25.00', '0.00', '0.00', '0.00'],
    ['25.00', '-105.50', '-84.40', '-21.10'],
  ] as const) {
    await configure({ default_vat_rate: rate })
    expect(await pdv({ total }), `${total} at ${rate}`).toBe(entry(rate, base, amount))
  }
})

test('VAT rules 2: a default_vat_base that is none is refused where it is set, and nothing changes', async () => {
  await configure({ default_vat_rate: '25.00', default_vat_base: 'taxable' })
  for (const default_vat_base of ['Taxable', '', null, true]) {
    const fiscal_config = { default_vat_base }
    for (const answer of [
      await gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body: { fiscal_config } }),
      await gateway.admin('/v1/companies', { body: { name: 'Nova', oib: OIBS[2], fiscal_config } }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: 'fiscal_config.default_vat_base' } },
      })
  }
  const { body } = await gateway.admin('/v1/companies')
  expect(body).toMatchObject({ data: [{ fiscal_config: { default_vat_base: 'taxable' } }] })
})

test('VAT rules 2: default_vat_base says whether what bears no VAT is taken off before', async () => {
  const fees = [{ name: 'Povratna naknada', amount: '0.10' }]
  const others = { vat_exempt_amount: '0.20', non_taxable_amount: '0.30', margin_amount: '0.40' }
  const consumption_tax = [{ rate: '3.00', base: '10.00', amount: '0.25' }]
  for (const [base, sale, wanted] of [
    [undefined, { total: '1.50', fees }, entry('25.00', '1.20', '0.30')],
    ['total', { total: '1.50', fees }, entry('25.00', '1.20', '0.30')],
    ['taxable', { total: '1.50', fees }, entry('25.00', '1.12', '0.28')],
    ['taxable', { total: '2.50', fees, ...others, consumption_tax }, entry('25.00', '1.00', '0.25')],
    ['taxable', { total: '-0.10', fees: [{ name: 'Povratna naknada', amount: '-0.10' }] }, null],
  ] as const) {
    await configure({ default_vat_rate: '25.00', ...(base && { default_vat_base: base }) })
    expect(await pdv(sale), `${sale.total} of ${base}`).toBe(wanted)
  }
})

test('VAT rules 2: on an attended sale, too', async () => {
  await configure({ default_vat_rate: '25.00' })
  expect(await pdv({ ...TILL, total: '4.50' })).toBe(entry('25.00', '3.60', '0.90'))
})

test('VAT rules 3: null and an empty list say that there is no VAT, and no default is consulted', async () => {
  await configure({ default_vat_rate: '25.00', vat: [LINE] })
  expect(await pdv({})).toBe(entry('25.00', '2.00', '0.50'))
  expect(await pdv({ vat: null })).toBeNull()
  expect(await pdv({ vat: [] })).toBeNull()
})

test('VAT rules 4: without lines and without a configured rate there is no Pdv', async () => {
  expect(await pdv({ total: '4.50' })).toBeNull()
})

test('VAT rules 4: nor is there one for an issuer who is not in the VAT system, whoever says so', async () => {
  await configure({ default_vat_rate: '25.00' })
  expect(await pdv({ vat_registered: false })).toBeNull()
  await configure({ default_vat_rate: '25.00', vat_registered: false })
  expect(await pdv({})).toBeNull()
  expect(await pdv({ total: '2.50', vat_registered: true })).toBe(entry('25.00', '2.00', '0.50'))

  const company = { vat_registered: false, fiscal_config: { default_vat_rate: '25.00' } }
  const company_id = await addCompany(gateway, OIBS[1], company)
  const device_id = await gateway.addDevice({ company_id, isu_number: '801' })
  expect(await pdv({ device_id })).toBeNull()
  expect(await pdv({ device_id, total: '2.50', vat_registered: true })).toBe(entry('25.00', '2.00', '0.50'))
})

test('Receipt number 1: a supplied number is used as it was sent, and must be one', async () => {
  const device_id = await atPremises('R1')
  for (const number of ['500', '7', '12345678901234567890']) {
    expect(await numbered({ device_id, number })).toBe(number)
  }
  const wrong = ['0', '007', '1a', '-1', ''].map((number) => ({ device_id, number }))
  await expectRefused(gateway, wrong, 'hr.invalid_receipt_number', 'number')
})

test('Receipt number 2: an omitted number is the next one of its selling point', async () => {
  const [device_id, elsewhere] = [await atPremises('R2'), await atPremises('R2b')]
  expect(await numbers([{ device_id }, { device_id: elsewhere }, { device_id }, { device_id, number: null }])).toEqual([
    '1',
    '1',
    '2',
    '3',
  ])
})

test('Receipt number 2: numbers begin again with the calendar year of the sale in Zagreb', async () => {
  const device_id = await atPremises('R2c')
  const newYear = Date.UTC(new Date().getUTCFullYear(), 11, 31, 23)
  gateway.clock.aheadMs = newYear + 3_600_000 - Date.now()
  const at = (seconds: number) => ({ device_id, occurred_at: new Date(newYear + seconds * 1000).toISOString() })
  const sold = [
    await gateway.sell(at(-2)),
    await gateway.sell(at(0)),
    await gateway.sell(at(-1)),
    await gateway.sell(at(1)),
  ]
  expect(sold.map(({ number }) => number)).toEqual(['1', '1', '2', '2'])
})

test('Receipt number 2: simultaneous sales at one premises leave no gap and share no number', async () => {
  const devices = [await atPremises('R2d'), await atPremises('R2d')]
  const sales = Array.from({ length: 20 }, (_, i) => gateway.sell({ device_id: devices[i % 2] }))
  const taken = (await Promise.all(sales)).map(({ number }) => Number(number)).sort((a, b) => a - b)
  expect(taken).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
})

test('Receipt number 2: a sale that is refused uses up no number', async () => {
  const device_id = await atPremises('R2e')
  await expectRefused(gateway, [{ device_id, total: '10000.01' }], 'hr.amount_out_of_range', 'total')
  expect(await numbered({ device_id })).toBe('1')
})

test('Receipt number 2: a sale that gets no JIR keeps its number', async () => {
  const device_id = await atPremises('R2f')
  gateway.cis.misbehave({ error: 's001' }, 'drop-before', 'drop-before')
  const sold = [await gateway.sell({ device_id }), await gateway.sell({ device_id }), await gateway.sell({ device_id })]
  expect(sold.map(({ status, number }) => [status, number])).toEqual([
    ['failed', '1'],
    ['retrying', '2'],
    ['confirmed', '3'],
  ])
})

test('Receipt number 3: under P all sales at the premises count in one sequence', async () => {
  const [first, second] = [await atPremises('R3'), await atPremises('R3')]
  const till = { ...TILL, device_id: first, sequence_mark: 'P' }
  const sales = [{ device_id: first }, { device_id: second }, till, { ...till, register_mark: '2' }]
  expect(await numbers(sales)).toEqual(['1', '2', '3', '4'])
})

test('Receipt number 3: under N each register counts for itself, from 1', async () => {
  const device_id = await atPremises('R3b')
  const at = (register_mark: string) => ({ ...TILL, device_id, sequence_mark: 'N', register_mark })
  expect(await numbers([at('1'), at('2'), at('1'), at('2'), at('3')])).toEqual(['1', '1', '2', '2', '1'])
})

test('Receipt number 4: a premises numbers by one level a year, and the other one is refused', async () => {
  const underP = await atPremises('R4')
  await gateway.sell({ device_id: underP })
  await expectConflict(
    { ...TILL, device_id: underP, sequence_mark: 'N' },
    'hr.sequence_level_conflict',
    'sequence_mark',
  )
  expect(await numbered({ device_id: underP })).toBe('2')

  const underN = await atPremises('R4b')
  await gateway.sell({ ...TILL, device_id: underN, sequence_mark: 'N' })
  const conflict = ['hr.sequence_level_conflict', 'sequence_mark'] as const
  await expectConflict({ ...TILL, device_id: underN, sequence_mark: 'P' }, ...conflict)
  await expectConflict({ device_id: underN }, ...conflict)
})

test('Receipt number 4: in the next year it may be the other one', async () => {
  const device_id = await atPremises('R4c')
  await gateway.sell({ device_id })
  gateway.clock.aheadMs = Date.UTC(new Date().getUTCFullYear() + 1, 0, 2) - Date.now()
  expect(await gateway.sell({ ...TILL, device_id, sequence_mark: 'N' })).toMatchObject({ number: '1' })
})

test('Receipt number 5: a supplied number that is used already is a conflict, not a replay', async () => {
  const [device_id, neighbour] = [await atPremises('R5'), await atPremises('R5')]
  const sold = await gateway.sell({ device_id, number: '5' })
  const taken = ['invoice_already_exists', 'number'] as const
  await expectConflict({ device_id, number: '5' }, ...taken)
  await expectConflict({ device_id, number: '5', occurred_at: sold.occurred_at }, ...taken)
  await expectConflict({ device_id: neighbour, number: '5' }, ...taken)
  await gateway.sell({ device_id })
  await expectConflict({ device_id, number: '6' }, ...taken)
  expect(await numbered({ device_id })).toBe('7')
})

test('Receipt number 5: at another premises, register or in another year the same number is free', async () => {
  const [device_id, elsewhere] = [await atPremises('R5b'), await atPremises('R5c')]
  expect(
    await numbers([
      { device_id, number: '5' },
      { device_id: elsewhere, number: '5' },
    ]),
  ).toEqual(['5', '5'])

  const underN = { ...TILL, device_id: await atPremises('R5d'), sequence_mark: 'N', number: '5' }
  expect(await numbers([underN, { ...underN, register_mark: '2' }])).toEqual(['5', '5'])
  await expectConflict(underN, 'invoice_already_exists', 'number')

  gateway.clock.aheadMs = Date.UTC(new Date().getUTCFullYear() + 1, 0, 2) - Date.now()
  expect(await gateway.sell({ device_id, number: '5' })).toMatchObject({ number: '5' })
})

test('Receipt number 6: the number that was used is returned, sent, and shown ever after', async () => {
  const device_id = await atPremises('R6')
  for (const sale of [{ device_id }, { device_id, number: '41' }, { device_id }]) {
    const sold = await gateway.sell(sale)
    expect(gateway.cis.received.at(-1)).toMatchObject({ zki: sold.zki, number: sold.number })
    expect(await gateway.invoice(sold.id)).toMatchObject({
      number: sold.number,
      country_data: { receipt_number: expect.stringMatching(new RegExp(`^${sold.number}/R6/`)) },
    })
  }
})

/** What the message about a sale says in Pdv. */
async function pdv(sale: object): Promise<string | null> {
  return elementIn(await messageOf(gateway, sale), 'Pdv')
}

function entry(rate: string, base: string, amount: string): string {
  const line = `<tns:Stopa>${rate}</tns:Stopa><tns:Osnovica>${base}</tns:Osnovica><tns:Iznos>${amount}</tns:Iznos>`
  return `<tns:Porez>${line}</tns:Porez>`
}

function configure(fiscal_config: object): Promise<void> {
  return patch(gateway, `/v1/companies/${gateway.companyId}`, { fiscal_config })
}

let isuNumbers = 810

/** A new device at a premises. */
function atPremises(premises_code: string): Promise<string> {
  return gateway.addDevice({ premises_code, isu_number: String(isuNumbers++) })
}

/** Makes a sale. @returns the number of its receipt, as the tax authority got it */
async function numbered(sale: object): Promise<string> {
  const sold: InvoiceBody = await gateway.sell(sale)
  expect(gateway.cis.received.at(-1)).toMatchObject({ zki: sold.zki, number: sold.number })
  return sold.number
}

async function numbers(sales: object[]): Promise<string[]> {
  const taken: string[] = []
  for (const sale of sales) taken.push(await numbered(sale))
  return taken
}

async function expectConflict(sale: object, code: string, param: string): Promise<void> {
  const sent = gateway.cis.received.length
  const answer = await gateway.post(sale)
  expect(answer).toMatchObject({ status: 409, body: { error: { type: 'conflict', code, param } } })
  expect(answer.headers).not.toHaveProperty('idempotent-replayed')
  expect(gateway.cis.received).toHaveLength(sent)
}
