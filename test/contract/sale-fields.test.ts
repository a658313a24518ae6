import { beforeAll, expect } from 'vitest'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { DAY_MS, elementIn, expectRefused, messageOf, PEOPLE, TILL } from './support-sale.ts'

let gateway: Gateway
/** A device at a premises where every register numbers for itself. */
let deviceUnderN: string
let unregistered: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  deviceUnderN = await gateway.addDevice({ premises_code: 'POSL2', isu_number: '102' })
  const company_id = await addCompany(gateway, OIBS[1], { vat_registered: false })
  unregistered = await gateway.addDevice({ company_id, premises_code: 'Kiosk7', isu_number: '103' })
})

const LINE = { rate: '25.00', base: '2.00', amount: '0.50' }
const WRITTEN_LINE = '<tns:Stopa>25.00</tns:Stopa><tns:Osnovica>2.00</tns:Osnovica><tns:Iznos>0.50</tns:Iznos>'
/** What is no amount of money anywhere. */
const NO_MONEY = [
  2.5,
  '2.5',
  '2',
  '2.505',
  '2,50',
  '+2.50',
  '02.50',
  ' 2.50',
  '2.50 ',
  '2e0',
  '.50',
  '',
  true,
  {},
  '-0.00',
]

const message = (sale: object) => messageOf(gateway, sale)
const field = async (name: string, sale: object) => elementIn(await message(sale), name)
const refused = (sales: object[], param: string, code = 'invalid_request') => expectRefused(gateway, sales, code, param)
const each = (name: string, values: readonly unknown[]) => values.map((value) => ({ [name]: value }))

row(
  'POST /v1/invoices: fiscalize a sale 1 | device_id',
  'it tells company, premises, OIB, certificate and ISU number',
  async () => {
    for (const [device_id, oib, premises, isuNumber] of [
      [gateway.deviceId, OIBS[0], 'POSL1', '101'],
      [unregistered, OIBS[1], 'Kiosk7', '103'],
    ] as const) {
      const xml = await message({ device_id })
      expect(elementIn(xml, 'Oib')).toBe(oib)
      expect(elementIn(xml, 'OznPosPr')).toBe(premises)
      expect(elementIn(xml, 'OznNapUr')).toBe(isuNumber)
      expect(xml).toContain((await certificateOf(oib)).certDer.toString('base64'))
    }
  },
)

row(
  'POST /v1/invoices: fiscalize a sale 1 | device_id',
  'it is required, a UUID, and stands for OIB and premises code, which are no fields',
  async () => {
    await refused(each('device_id', [undefined, null, 101, '', '101', 'not-a-uuid']), 'device_id')
    await refused([{ oib: OIBS[0] }], 'oib')
    await refused([{ premises_code: 'POSL1' }], 'premises_code')
    expect(await gateway.post({ device_id: '00000000-0000-4000-8000-000000000000' })).toMatchObject({
      status: 404,
      body: { error: { code: 'invalid_request', param: 'device_id' } },
    })
  },
)

row(
  'POST /v1/invoices: fiscalize a sale 1 | occurred_at',
  'it is the moment of the sale, with any offset, and comes back as it was sent',
  async () => {
    const moment = Math.floor(Date.now() / 1000) * 1000 - 3 * DAY_MS
    const local = new Date(moment).toLocaleString('sv-SE', { timeZone: 'Europe/Zagreb' })
    const [year, month, day, time] = [local.slice(0, 4), local.slice(5, 7), local.slice(8, 10), local.slice(11)]
    const utc = new Date(moment).toISOString().slice(0, 19)
    const ahead = new Date(moment + 5.5 * 3_600_000).toISOString().slice(0, 19)
    const behind = new Date(moment - 8 * 3_600_000).toISOString().slice(0, 19)
    for (const occurred_at of [`${utc}Z`, `${utc}+00:00`, `${ahead}+05:30`, `${behind}.250-08:00`]) {
      const sold = await gateway.sell({ occurred_at })
      expect(sold).toMatchObject({ status: 'confirmed', occurred_at })
      expect(gateway.cis.received.at(-1)?.occurredAt).toBe(`${day}.${month}.${year}T${time}`)
      expect(await gateway.invoice(sold.id)).toMatchObject({ occurred_at })
    }
  },
)

row(
  'POST /v1/invoices: fiscalize a sale 1 | occurred_at',
  'it is required, and without an offset it is no moment',
  async () => {
    const now = new Date(Date.now() - 1000).toISOString()
    const noMoments = [now.slice(0, 19), now.slice(0, 10), `${now.slice(0, 19)}+0100`, 'yesterday', '', Date.now()]
    await refused(each('occurred_at', [undefined, null, ...noMoments]), 'occurred_at')
  },
)

row('POST /v1/invoices: fiscalize a sale 1 | total', 'it is sent as it is written, also at or below zero', async () => {
  for (const total of ['4.50', '0.01', '0.00', '-105.50', '1234.56']) {
    const sold = await gateway.sell({ total })
    expect(sold).toMatchObject({ status: 'confirmed', total })
    expect(gateway.cis.received.at(-1)?.total).toBe(total)
  }
})

row('POST /v1/invoices: fiscalize a sale 1 | total', 'it is required, a string with two decimals', async () => {
  await refused(each('total', [undefined, null, ...NO_MONEY]), 'total')
})

row('POST /v1/invoices: fiscalize a sale 1 | payment_method', 'cash, card and other go out as they are', async () => {
  for (const payment_method of ['G', 'K', 'O']) {
    const sold = await gateway.sell({ payment_method })
    expect(elementIn(gateway.cis.received.at(-1)?.requestXml ?? '', 'NacinPlac')).toBe(payment_method)
    expect(await gateway.invoice(sold.id)).toMatchObject({ payment_method })
  }
})

row(
  'POST /v1/invoices: fiscalize a sale 1 | payment_method',
  'it is required, and a bank transfer is for attended receipts only',
  async () => {
    expect(await field('NacinPlac', { ...TILL, payment_method: 'T' })).toBe('T')
    await refused(each('payment_method', ['T', 'C', 'g', 'GK', 'cash']), 'payment_method', 'hr.invalid_payment_method')
    await refused(each('payment_method', [undefined, null, 1, ['G']]), 'payment_method')
  },
)

row('POST /v1/invoices: fiscalize a sale 1 | sale_type', 'it is unattended unless it says attended', async () => {
  expect(await field('OznNapUr', {})).toBe('101')
  expect(await field('OznNapUr', { sale_type: 'unattended' })).toBe('101')
  expect(await field('OznNapUr', { ...TILL, register_mark: '77' })).toBe('77')
  await refused(each('sale_type', ['manned', 'ATTENDED', '', 1, true]), 'sale_type')
})

row('POST /v1/invoices: fiscalize a sale 1 | number', 'a supplied one is used as it is', async () => {
  const number = '9'.repeat(6)
  expect(await gateway.sell({ number })).toMatchObject({ status: 'confirmed', number })
  expect(gateway.cis.received.at(-1)?.number).toBe(number)
  expect(await gateway.sell({ number: null })).toMatchObject({ number: '1000000' })
})

row('POST /v1/invoices: fiscalize a sale 1 | number', 'it is digits without leading zeros, and not 0', async () => {
  await refused(each('number', ['0', '00', '007', '-1', '1.5', '1e3', 'A1', ' 1', '']), 'number', RECEIPT_NUMBER)
  await refused(each('number', [7, true, ['7']]), 'number')
})

row('POST /v1/invoices: fiscalize a sale 1 | currency', 'it is EUR, said or not', async () => {
  for (const sale of [{}, ...each('currency', ['EUR', null])]) {
    expect(await gateway.sell(sale)).toMatchObject({ currency: 'EUR' })
  }
  await refused(each('currency', ['USD', 'eur', 'HRK', '', 978]), 'currency')
})

row('POST /v1/invoices: fiscalize a sale 1 | vat', 'each line is a Pdv entry, at one of the four rates', async () => {
  const rates = ['0.00', '5.00', '13.00', '25.00']
  const written = await field('Pdv', { vat: rates.map((rate) => ({ ...LINE, rate })) })
  expect(written).toBe(rates.map((rate) => `<tns:Porez>${WRITTEN_LINE.replace('25.00', rate)}</tns:Porez>`).join(''))
  const wrong = ['24.00', '25.01', '10.00', '-25.00', '100.00'].map((rate) => ({ vat: [{ ...LINE, rate }] }))
  await refused(wrong, 'vat[0].rate', 'hr.invalid_vat_rate')
})

row(
  'POST /v1/invoices: fiscalize a sale 1 | vat',
  'a line has rate, base and amount, all decimal strings',
  async () => {
    await refused(each('vat', [LINE, '25.00', 25]), 'vat')
    for (const name of ['rate', 'base', 'amount']) {
      const lines = [undefined, null, 25, '25', '25.0'].map((value) => ({ vat: [LINE, { ...LINE, [name]: value }] }))
      await refused(lines, `vat[1].${name}`)
    }
  },
)

row('POST /v1/invoices: fiscalize a sale 1 | consumption_tax', 'Pnp, at a rate from 0.00 to 3.00', async () => {
  for (const rate of ['0.00', '1.50', '3.00']) {
    expect(await field('Pnp', { consumption_tax: [{ ...LINE, rate }] })).toBe(
      `<tns:Porez>${WRITTEN_LINE.replace('25.00', rate)}</tns:Porez>`,
    )
  }
  const wrong = ['3.01', '-0.01', '25.00'].map((rate) => ({
    consumption_tax: [
      { ...LINE, rate: '3.00' },
      { ...LINE, rate },
    ],
  }))
  await refused(wrong, 'consumption_tax[1].rate', 'hr.invalid_pnp_rate')
  await refused(each('consumption_tax', [LINE, '3.00']), 'consumption_tax')
  await refused([{ consumption_tax: [{ ...LINE, base: 2 }] }], 'consumption_tax[0].base')
})

row('POST /v1/invoices: fiscalize a sale 1 | other_taxes', 'OstaliPor, each with a name', async () => {
  const name = 'Š'.repeat(100)
  const lines = [
    { ...LINE, name },
    { ...LINE, name: 'Porez na "luksuz" & <ostalo>' },
  ]
  expect(await field('OstaliPor', { other_taxes: lines })).toMatch(
    new RegExp(`^<tns:Porez><tns:Naziv>${name}</tns:Naziv>${WRITTEN_LINE}</tns:Porez><tns:Porez><tns:Naziv>Porez na `),
  )
  const names = [undefined, null, 7, `${name}Š`].map((wrong) => ({ other_taxes: [{ ...LINE, name: wrong }] }))
  await refused(names, 'other_taxes[0].name')
  await refused(each('other_taxes', [lines[0], 'Porez']), 'other_taxes')
})

row('POST /v1/invoices: fiscalize a sale 1 | vat_exempt_amount', 'IznosOslobPdv', async () => {
  await expectAmount('vat_exempt_amount', 'IznosOslobPdv')
})

row('POST /v1/invoices: fiscalize a sale 1 | margin_amount', 'IznosMarza', async () => {
  await expectAmount('margin_amount', 'IznosMarza')
})

row('POST /v1/invoices: fiscalize a sale 1 | non_taxable_amount', 'IznosNePodlOpor', async () => {
  await expectAmount('non_taxable_amount', 'IznosNePodlOpor')
})

row('POST /v1/invoices: fiscalize a sale 1 | fees', 'Naknade, already in the total, with names up to 100', async () => {
  const name = 'n'.repeat(100)
  const xml = await message({
    total: '2.50',
    fees: [
      { name, amount: '0.07' },
      { name: 'Druga', amount: '-0.10' },
    ],
  })
  expect(elementIn(xml, 'Naknade')).toBe(
    `<tns:Naknada><tns:NazivN>${name}</tns:NazivN><tns:IznosN>0.07</tns:IznosN></tns:Naknada>` +
      '<tns:Naknada><tns:NazivN>Druga</tns:NazivN><tns:IznosN>-0.10</tns:IznosN></tns:Naknada>',
  )
  expect(elementIn(xml, 'IznosUkupno')).toBe('2.50')
  const names = [undefined, null, 7, `${name}n`].map((wrong) => ({ fees: [{ name: wrong, amount: '0.07' }] }))
  await refused(names, 'fees[0].name')
  const amounts = [undefined, null, ...NO_MONEY].map((amount) => ({ fees: [{ name, amount }] }))
  await refused(amounts, 'fees[0].amount')
  await refused(each('fees', [{ name, amount: '0.07' }, '0.07']), 'fees')
})

row('POST /v1/invoices: fiscalize a sale 1 | special_purpose', 'SpecNamj, free text up to 1000', async () => {
  for (const text of ['x', 'čćđšž'.repeat(200)]) expect(await field('SpecNamj', { special_purpose: text })).toBe(text)
  expect(await field('SpecNamj', { special_purpose: 'kava & <šećer>' })).toBe('kava &amp; &lt;šećer&gt;')
  expect(await field('SpecNamj', {})).toBeNull()
  await refused(each('special_purpose', ['x'.repeat(1001), 7, true, ['x']]), 'special_purpose')
})

row('POST /v1/invoices: fiscalize a sale 1 | late_delivery', 'true forces NakDost on a first attempt', async () => {
  for (const [late_delivery, late] of [
    [undefined, false],
    [false, false],
    [null, false],
    [true, true],
  ] as const) {
    const sold = await gateway.sell({ late_delivery })
    expect(gateway.cis.received.at(-1)).toMatchObject({ zki: sold.zki, lateDelivery: late })
    expect(await gateway.invoice(sold.id)).toMatchObject({ attempts: 1, late_delivery: late })
  }
  await refused(each('late_delivery', ['true', 1, 'yes']), 'late_delivery')
})

row('POST /v1/invoices: fiscalize a sale 1 | late_delivery', 'it is set by itself on every re-send', async () => {
  gateway.cis.misbehave('drop-before')
  const sold = await gateway.sell({ late_delivery: false })
  expect(gateway.cis.received.at(-1)).toMatchObject({ zki: sold.zki, lateDelivery: true })
  expect(await gateway.invoice(sold.id)).toMatchObject({ attempts: 2, late_delivery: true })
})

row('POST /v1/invoices: fiscalize a sale 1 | vat_registered', "USustPdv, by default the company's flag", async () => {
  expect(await field('USustPdv', {})).toBe('true')
  expect(await field('USustPdv', { vat_registered: false })).toBe('false')
  expect(await field('USustPdv', { device_id: unregistered })).toBe('false')
  expect(await field('USustPdv', { device_id: unregistered, vat_registered: true })).toBe('true')
  await refused(each('vat_registered', ['false', 0, 'da']), 'vat_registered')
})

row(
  'POST /v1/invoices: fiscalize a sale 1 | storno_of',
  'it names a receipt of the company, is never sent, and is refused where it names none',
  async () => {
    const sold = await gateway.sell()
    for (const storno_of of [sold.id, `${sold.number}/POSL1/101`, sold.number, null]) {
      const xml = await message({ storno_of, total: '-2.50' })
      expect(xml).not.toContain(sold.id)
      expect(elementIn(xml, 'IznosUkupno')).toBe('-2.50')
    }
    await refused([{ storno_of: sold.id }], 'storno_of')
    const wrong = ['', 'inv_none', '888888', `${sold.number}/POSL1`, `${sold.number}/posl1/101`, 7, true]
    await refused(
      wrong.map((storno_of) => ({ storno_of, total: '-2.50' })),
      'storno_of',
    )
  },
)

row('POST /v1/invoices: fiscalize a sale 2 | sequence_mark', 'P and N, on an attended sale only', async () => {
  expect(await field('OznSlijed', { ...TILL, sequence_mark: 'P' })).toBe('P')
  expect(await field('OznSlijed', { ...TILL, device_id: deviceUnderN, sequence_mark: 'N' })).toBe('N')
  await refused(
    each('sequence_mark', ['X', 'p', '', 1]).map((mark) => ({ ...TILL, ...mark })),
    'sequence_mark',
  )
  await expectAttendedOnly('sequence_mark', ['P', 'N'])
})

row('POST /v1/invoices: fiscalize a sale 2 | register_mark', "OznNapUr, not the device's ISU number", async () => {
  for (const register_mark of ['1', '12', '9'.repeat(20)]) {
    expect(await field('OznNapUr', { ...TILL, register_mark })).toBe(register_mark)
  }
  const marks = ['01', '0', 'A1', '-1', '', 12]
  await refused(
    each('register_mark', marks).map((mark) => ({ ...TILL, ...mark })),
    'register_mark',
  )
  await expectAttendedOnly('register_mark', ['12', '101'])
})

row('POST /v1/invoices: fiscalize a sale 2 | operator_oib', 'OibOper, who issued the receipt', async () => {
  expect(await field('OibOper', { ...TILL, operator_oib: PEOPLE[1] })).toBe(PEOPLE[1])
  await expectOib('operator_oib')
})

row('POST /v1/invoices: fiscalize a sale 2 | recipient_oib', 'OibPrimateljaRacuna, the buyer', async () => {
  expect(await field('OibPrimateljaRacuna', { ...TILL, recipient_oib: PEOPLE[2] })).toBe(PEOPLE[2])
  expect(await field('OibPrimateljaRacuna', TILL)).toBeNull()
  await expectOib('recipient_oib')
})

row('POST /v1/invoices: fiscalize a sale 2 | paragon_number', 'ParagonBrRac, up to 100 characters', async () => {
  for (const paragon_number of ['1/2026', 'č'.repeat(100)]) {
    expect(await field('ParagonBrRac', { ...TILL, paragon_number })).toBe(paragon_number)
  }
  expect(await field('ParagonBrRac', TILL)).toBeNull()
  const wrong = each('paragon_number', ['x'.repeat(101), 7, ['7']])
  await refused(
    wrong.map((paragon) => ({ ...TILL, ...paragon })),
    'paragon_number',
  )
  await expectAttendedOnly('paragon_number', ['1/2026'])
})

row('POST /v1/invoices: fiscalize a sale 3 | OznSlijed', 'unattended P, attended N or P', async () => {
  expect(await field('OznSlijed', {})).toBe('P')
  expect(await field('OznSlijed', TILL)).toBe('P')
  const underN = { device_id: deviceUnderN, sequence_mark: 'N' }
  expect(await field('OznSlijed', { ...TILL, ...underN })).toBe('N')
  await refused([underN], 'sequence_mark')
})

row(
  'POST /v1/invoices: fiscalize a sale 3 | OznNapUr',
  'unattended the ISU number, attended the register',
  async () => {
    expect(await field('OznNapUr', {})).toBe('101')
    expect(await field('OznNapUr', { ...TILL, register_mark: '8' })).toBe('8')
  },
)

row('POST /v1/invoices: fiscalize a sale 3 | NacinPlac', 'T is for attended sales', async () => {
  for (const payment_method of ['G', 'K', 'O']) {
    expect(await field('NacinPlac', { payment_method })).toBe(payment_method)
    expect(await field('NacinPlac', { ...TILL, payment_method })).toBe(payment_method)
  }
  expect(await field('NacinPlac', { ...TILL, payment_method: 'T' })).toBe('T')
  await refused([{ payment_method: 'T' }], 'payment_method', 'hr.invalid_payment_method')
})

row('POST /v1/invoices: fiscalize a sale 3 | OibOper', 'unattended the company, attended the operator', async () => {
  expect(await field('OibOper', {})).toBe(OIBS[0])
  expect(await field('OibOper', { device_id: unregistered })).toBe(OIBS[1])
  expect(await field('OibOper', TILL)).toBe(TILL.operator_oib)
})

row('POST /v1/invoices: fiscalize a sale 3 | OibPrimateljaRacuna', 'unattended never, attended if sent', async () => {
  expect(await field('OibPrimateljaRacuna', {})).toBeNull()
  expect(await field('OibPrimateljaRacuna', { recipient_oib: null })).toBeNull()
  expect(await field('OibPrimateljaRacuna', { ...TILL, recipient_oib: PEOPLE[1] })).toBe(PEOPLE[1])
})

row('POST /v1/invoices: fiscalize a sale 3 | ParagonBrRac', 'unattended never, attended if sent', async () => {
  expect(await field('ParagonBrRac', {})).toBeNull()
  expect(await field('ParagonBrRac', { paragon_number: null })).toBeNull()
  expect(await field('ParagonBrRac', { ...TILL, paragon_number: '17' })).toBe('17')
})

row(
  'POST /v1/invoices: fiscalize a sale 3 | Restrictive errors',
  'what can be known here is refused here, on every kind of sale',
  async () => {
    const at = (ms: number) => ({ occurred_at: new Date(Date.now() + ms).toISOString() })
    for (const kind of [{}, TILL]) {
      await refused([{ ...kind, ...at(-31 * DAY_MS) }], 'occurred_at', 'hr.sale_older_than_30_days') // 176
      await refused([{ ...kind, ...at(DAY_MS) }], 'occurred_at', 'hr.date_in_future') // 177
      await refused([{ ...kind, number: '0' }], 'number', RECEIPT_NUMBER) // 178
      await refused([{ ...kind, total: '10000.01' }], 'total', 'hr.amount_out_of_range') // 185
    }
    await refused([{ ...TILL, operator_oib: WRONG_OIB }], 'operator_oib', 'hr.invalid_oib') // 179
    await refused([{ ...TILL, recipient_oib: WRONG_OIB }], 'recipient_oib', 'hr.invalid_oib') // 180
    const transfer = { ...TILL, payment_method: 'T', recipient_oib: PEOPLE[1] }
    await refused([transfer], 'payment_method', 'hr.invalid_payment_method') // 181
  },
)

row(
  'POST /v1/invoices: fiscalize a sale 3 | Restrictive errors',
  'what only the authority knows comes back as a failed sale',
  async () => {
    const known = { oib: OIBS[0], premisesCode: 'POSL1', registerMark: '101' }
    for (const [code, registry] of [
      [182, [{ ...known, premisesCode: 'OTHER' }]],
      [183, [{ ...known, registerMark: '999' }]],
      [
        184,
        [
          { ...known, registerMark: '999' },
          { ...known, premisesCode: 'OTHER' },
        ],
      ],
    ] as const) {
      gateway.cis.registry = [...registry]
      const sold = await gateway.sell()
      gateway.cis.registry = null
      expect(sold).toMatchObject({ status: 'failed', fiscal_error: { code: 'upstream_rejected' } })
      const { messages } = await gateway.invoice(sold.id)
      expect(messages).toMatchObject([{ error_message: expect.stringMatching(new RegExp(`s013.*${code}`)) }])
    }
  },
)

const RECEIPT_NUMBER = 'hr.invalid_receipt_number'
/** The check digit of the first of `PEOPLE`, one too high. */
const WRONG_OIB = '69435151531'

/** An optional amount: left out when it is not sent, and of the one form that money has. */
async function expectAmount(name: string, element: string): Promise<void> {
  for (const amount of ['1.01', '0.00', '-3.30']) expect(await field(element, { [name]: amount })).toBe(amount)
  expect(await field(element, {})).toBeNull()
  await refused(each(name, NO_MONEY), name)
}

async function expectOib(name: string): Promise<void> {
  const wrong = each(name, [WRONG_OIB, '6943515153', '069435151530', '6943515153X', ''])
  await refused(
    wrong.map((oib) => ({ ...TILL, ...oib })),
    name,
    'hr.invalid_oib',
  )
  await refused([{ ...TILL, [name]: 69435151530 }], name)
  await expectAttendedOnly(name, [PEOPLE[0]])
}

/** On an unattended sale the field is refused, not ignored. */
async function expectAttendedOnly(name: string, values: readonly unknown[]): Promise<void> {
  const sales = each(name, values)
  await refused([...sales, ...sales.map((sale) => ({ ...sale, sale_type: 'unattended' }))], name)
}
