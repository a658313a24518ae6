import { beforeAll, expect } from 'vitest'
import { storeConfig } from '../support/database.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { deviceOf, elementIn, expectRefused, messageOf, PEOPLE, refusal, TILL } from './support-sale.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const line = (rate: string, base: string) => ({ rate, base, amount: '0.07' })
const written = ({ rate, base, amount }: ReturnType<typeof line>) =>
  `<tns:Stopa>${rate}</tns:Stopa><tns:Osnovica>${base}</tns:Osnovica><tns:Iznos>${amount}</tns:Iznos>`
const vat = (rate: string) => ({
  value: [line(rate, '1.00')],
  xml: `<tns:Porez>${written(line(rate, '1.00'))}</tns:Porez>`,
})
const tax = (name: string) => ({
  value: [{ name, ...line('5.00', '2.00') }],
  xml: `<tns:Porez><tns:Naziv>${name}</tns:Naziv>${written(line('5.00', '2.00'))}</tns:Porez>`,
})
const fee = (name: string) => ({
  value: [{ name, amount: '0.10' }],
  xml: `<tns:Naknada><tns:NazivN>${name}</tns:NazivN><tns:IznosN>0.10</tns:IznosN></tns:Naknada>`,
})
const as = (value: string | boolean) => ({ value, xml: String(value) })

/**
 * Every key that is read from a configuration but `sale_type`, which decides about the others: its element, what each
 * level says in the tests, and what stands in the message when no level says anything; `required` when it may not.
 */
const KEYS = {
  sequence_mark: { element: 'OznSlijed', company: as('N'), device: as('P'), request: as('N'), none: 'P' },
  register_mark: { element: 'OznNapUr', company: as('11'), device: as('22'), request: as('33'), none: 'required' },
  operator_oib: {
    element: 'OibOper',
    company: as(PEOPLE[0]),
    device: as(PEOPLE[1]),
    request: as(PEOPLE[2]),
    none: 'required',
  },
  recipient_oib: {
    element: 'OibPrimateljaRacuna',
    company: as(PEOPLE[1]),
    device: as(PEOPLE[2]),
    request: as(PEOPLE[0]),
    none: null,
  },
  paragon_number: { element: 'ParagonBrRac', company: as('c-1'), device: as('d-1'), request: as('r-1'), none: null },
  special_purpose: {
    element: 'SpecNamj',
    company: as('company'),
    device: as('device'),
    request: as('sale'),
    none: null,
  },
  payment_method: { element: 'NacinPlac', company: as('K'), device: as('O'), request: as('G'), none: 'required' },
  late_delivery: { element: 'NakDost', company: as(true), device: as(false), request: as(true), none: 'false' },
  vat_registered: { element: 'USustPdv', company: as(false), device: as(true), request: as(false), none: 'true' },
  vat: { element: 'Pdv', company: vat('5.00'), device: vat('13.00'), request: vat('25.00'), none: null },
  consumption_tax: { element: 'Pnp', company: vat('1.00'), device: vat('2.00'), request: vat('3.00'), none: null },
  other_taxes: { element: 'OstaliPor', company: tax('Prvi'), device: tax('Drugi'), request: tax('Treći'), none: null },
  fees: { element: 'Naknade', company: fee('Boca'), device: fee('Limenka'), request: fee('Čaša'), none: null },
  vat_exempt_amount: {
    element: 'IznosOslobPdv',
    company: as('1.11'),
    device: as('1.22'),
    request: as('1.33'),
    none: null,
  },
  margin_amount: { element: 'IznosMarza', company: as('2.11'), device: as('2.22'), request: as('2.33'), none: null },
  non_taxable_amount: {
    element: 'IznosNePodlOpor',
    company: as('3.11'),
    device: as('3.22'),
    request: as('3.33'),
    none: null,
  },
} as const

type Key = keyof typeof KEYS
type Level = 'company' | 'device' | 'request'
type Values = Record<string, unknown>

const NAMES = Object.keys(KEYS) as Key[]
const REQUIRED = NAMES.filter((key) => KEYS[key].none === 'required')

/** Per key, values of a type that is not the key's. */
const WRONG: Record<Key, unknown[]> = {
  sequence_mark: [1, true, ['N'], {}],
  register_mark: [44, true, ['44'], {}],
  operator_oib: [69435151530, true, [PEOPLE[0]], {}],
  recipient_oib: [69435151530, false, [PEOPLE[0]], {}],
  paragon_number: [7, true, ['7'], {}],
  special_purpose: [7, true, ['text'], {}],
  payment_method: [1, true, ['G'], {}],
  late_delivery: ['true', 1, 'yes', {}],
  vat_registered: ['false', 0, 'no', {}],
  vat: ['25.00', 25, line('25.00', '1.00'), [{ ...line('25.00', '1.00'), rate: 25 }]],
  consumption_tax: ['3.00', 3, line('3.00', '1.00'), [{ rate: '3.00' }]],
  other_taxes: ['Porez', 3, { name: 'Porez', ...line('3.00', '1.00') }, [line('3.00', '1.00')]],
  fees: ['0.10', 0.1, { name: 'Boca', amount: '0.10' }, [{ name: 'Boca', amount: 0.1 }]],
  vat_exempt_amount: [1.11, 1, '1.1', {}],
  margin_amount: [2.11, true, '2', {}],
  non_taxable_amount: [3.11, ['3.11'], '3,11', {}],
}

row('Configuration chain, omitted versus null | Field absent', 'the company speaks when nobody else does', async () => {
  expect(await resolved({ company: all('company') })).toEqual(spokenBy('company'))
})

row('Configuration chain, omitted versus null | Field absent', 'the device goes before the company', async () => {
  expect(await resolved({ company: all('company'), device: all('device') })).toEqual(spokenBy('device'))
  expect(await resolved({ device: all('device') })).toEqual(spokenBy('device'))
})

row('Configuration chain, omitted versus null | Field absent', 'the request goes before both', async () => {
  const levels = { company: all('company'), device: all('device'), request: all('request') }
  expect(await resolved(levels)).toEqual(spokenBy('request'))
})

row(
  'Configuration chain, omitted versus null | Field absent',
  'when no level speaks, the default of the specification holds',
  async () => {
    expect(await resolved({ request: required('request') })).toEqual(none('request'))
    await expectRequired({})
  },
)

row(
  'Configuration chain, omitted versus null | Field absent',
  'a device speaks for some fields, its company for the others',
  async () => {
    const isDevices = (key: Key) => NAMES.indexOf(key) % 2 === 1
    const device = Object.fromEntries(Object.entries(all('device')).filter(([key]) => isDevices(key as Key)))
    const expected = NAMES.map((key) => [key, KEYS[key][isDevices(key) ? 'device' : 'company'].xml])
    expect(await resolved({ company: all('company'), device })).toEqual(Object.fromEntries(expected))
  },
)

row(
  'Configuration chain, omitted versus null | Field absent',
  'a stored value of the wrong type is ignored, and the next level speaks',
  async () => {
    for (const round of [0, 1, 2, 3]) {
      const wrong = wrongValues(round)
      expect(await resolved({ company: all('company'), device: wrong }), `device ${round}`).toEqual(spokenBy('company'))
      expect(await resolved({ company: wrong, device: wrong, request: required('request') })).toEqual(none('request'))
      await expectRequired({ company: wrong, device: wrong })
    }
  },
)

row(
  'Configuration chain, omitted versus null | Field absent',
  'a value of the wrong type is refused where it is set, and what was stored stays',
  async () => {
    const isu_number = newMark()
    const device = `/v1/devices/${await gateway.addDevice({ isu_number, device_config: all('device') })}`
    const company = `/v1/companies/${gateway.companyId}`
    await storeConfig(gateway, gateway, {})
    for (const key of NAMES) {
      for (const value of WRONG[key]) {
        const [fiscal_config, device_config] = [{ [key]: value }, { ...all('device'), [key]: value }]
        const path = new RegExp(`^device_config\\.${key}`)
        const said = `${key} ${JSON.stringify(value)}`
        const patched = await gateway.admin(device, { method: 'PATCH', body: { device_config } })
        expect(patched, said).toMatchObject(refusal('invalid_request', expect.stringMatching(path)))
        const ofCompany = await gateway.admin(company, { method: 'PATCH', body: { fiscal_config } })
        expect(ofCompany, said).toMatchObject(
          refusal('invalid_request', expect.stringContaining(`fiscal_config.${key}`)),
        )
      }
    }
    expect(await deviceOf(gateway, device.split('/').at(-1) ?? '')).toMatchObject({ device_config: all('device') })
    const free = { ...allNull(), x: 1, vat: null, Vat: [7], total: 9 }
    expect((await gateway.admin(device, { method: 'PATCH', body: { device_config: free } })).status).toBe(200)
  },
)

row(
  'Configuration chain, omitted versus null | Field absent',
  'a value of the wrong type in the request is refused, not replaced',
  async () => {
    const device_id = await configured({ company: all('company'), device: all('device') })
    for (const key of NAMES) {
      for (const value of [WRONG[key][0], WRONG[key][1]]) {
        expect(
          await gateway.post({ sale_type: 'attended', payment_method: undefined, device_id, [key]: value }),
          key,
        ).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: key } } })
      }
    }
  },
)

row('Configuration chain, omitted versus null | Field absent', 'sale_type comes down the chain, too', async () => {
  const kind = async (company: Values, device: Values, sale: Values = {}) => {
    await storeConfig(gateway, gateway, { ...TILL, ...company })
    const device_id = await gateway.addDevice({ isu_number: newMark() })
    await storeConfig(gateway, { deviceId: device_id }, device)
    const { isu_number } = (await deviceOf(gateway, device_id)) ?? {}
    const mark = elementIn(await messageOf(gateway, { device_id, ...sale }), 'OznNapUr')
    return mark === isu_number ? 'unattended' : mark === TILL.register_mark ? 'attended' : mark
  }
  const [attended, unattended] = [{ sale_type: 'attended' }, { sale_type: 'unattended' }]
  const nothing = { sale_type: undefined }
  expect(await kind(nothing, {})).toBe('unattended')
  expect(await kind(attended, {})).toBe('attended')
  expect(await kind(attended, unattended)).toBe('unattended')
  expect(await kind(unattended, attended)).toBe('attended')
  expect(await kind(attended, attended, unattended)).toBe('unattended')
  expect(await kind(unattended, unattended, attended)).toBe('attended')
  expect(await kind(attended, { sale_type: 7 })).toBe('attended')
  expect(await kind({ sale_type: true }, { sale_type: ['attended'] })).toBe('unattended')
  expect(await kind(attended, { sale_type: null })).toBe('unattended')
  expect(await kind(attended, attended, { sale_type: null })).toBe('unattended')
})

row(
  'Configuration chain, omitted versus null | Field absent',
  'the default VAT rate is the one of the device, else of the company',
  async () => {
    const rate = async (levels: { company?: Values; device?: Values }) => {
      const device_id = await configured(levels)
      return elementIn(await messageOf(gateway, { device_id }), 'Stopa')
    }
    const [at25, at13] = [{ default_vat_rate: '25.00' }, { default_vat_rate: '13.00' }]
    expect(await rate({})).toBeNull()
    expect(await rate({ company: at25 })).toBe('25.00')
    expect(await rate({ device: at13 })).toBe('13.00')
    expect(await rate({ company: at25, device: at13 })).toBe('13.00')
    expect(await rate({ company: at25, device: { default_vat_rate: null } })).toBeNull()
    for (const wrong of [13, '13', '13.0', true, ['13.00'], {}]) {
      expect(await rate({ company: at25, device: { default_vat_rate: wrong } }), JSON.stringify(wrong)).toBe('25.00')
      expect(await rate({ company: { default_vat_rate: wrong } }), JSON.stringify(wrong)).toBeNull()
    }
    expect(await rate({ company: at25, device: { vat: [] } })).toBeNull()
    expect(await rate({ company: { ...at25, vat: KEYS.vat.company.value } })).toBe('5.00')
  },
)

row(
  'Configuration chain, omitted versus null | Field absent',
  'the sequence mode of a company is for attended sales that no mark was given for',
  async () => {
    const mark = async (company: Values, device: Values = {}, sale: Values = {}) => {
      const device_id = await configured({ company, device })
      return elementIn(await messageOf(gateway, { device_id, ...TILL, ...sale }), 'OznSlijed')
    }
    const byRegister = { sequence_mode: 'N' }
    expect(await mark(byRegister)).toBe('N')
    expect(await mark({ ...byRegister, sequence_mark: 'P' })).toBe('P')
    expect(await mark(byRegister, { sequence_mark: 'P' })).toBe('P')
    expect(await mark(byRegister, {}, { sequence_mark: 'P' })).toBe('P')
    expect(await mark(byRegister, {}, { sequence_mark: null })).toBe('P')
    expect(await mark(byRegister, { sequence_mark: null })).toBe('P')
    expect(await mark({ sequence_mode: 'n' })).toBe('P')
    expect(await mark({}, byRegister)).toBe('P')
  },
)

row(
  'Configuration chain, omitted versus null | Field absent',
  'what belongs to attended sales is ignored on an unattended one when it is configured',
  async () => {
    const { vat_registered, special_purpose } = all('device')
    const device_id = await configured({
      company: all('company'),
      device: { ...all('device'), sale_type: 'unattended' },
    })
    const xml = await messageOf(gateway, { device_id })
    expect(elementIn(xml, 'OznSlijed')).toBe('P')
    expect(elementIn(xml, 'OznNapUr')).toBe((await deviceOf(gateway, device_id))?.isu_number)
    expect(elementIn(xml, 'OibOper')).toBe(OIBS[0])
    expect(elementIn(xml, 'OibPrimateljaRacuna')).toBeNull()
    expect(elementIn(xml, 'ParagonBrRac')).toBeNull()
    expect(elementIn(xml, 'USustPdv')).toBe(String(vat_registered))
    expect(elementIn(xml, 'SpecNamj')).toBe(special_purpose)
  },
)

row('Configuration chain, omitted versus null | Field absent', 'other keys are stored and ignored', async () => {
  const others = {
    number: '777',
    total: '9.99',
    currency: 'USD',
    occurred_at: '2020-01-01T00:00:00Z',
    items: [1],
    x: null,
  }
  const device_id = await configured({ company: others, device: others })
  const sold = await gateway.sell({ device_id })
  expect(sold).toMatchObject({ status: 'confirmed', number: '1', total: '2.50', currency: 'EUR' })
  expect(await deviceOf(gateway, device_id)).toMatchObject({ device_config: others })
})

row('Configuration chain, omitted versus null | Field null', 'nothing configured is consulted', async () => {
  const levels = { company: all('company'), device: all('device') }
  const request = { ...allNull(), ...required('request') }
  expect(await resolved({ ...levels, request })).toEqual(none('request'))
})

row('Configuration chain, omitted versus null | Field null', 'in a device_config it masks the company', async () => {
  const device = { ...allNull(), ...required('device') }
  expect(await resolved({ company: all('company'), device })).toEqual(none('device'))
})

row('Configuration chain, omitted versus null | Field null', 'in a fiscal_config it is none, too', async () => {
  const company = { ...allNull(), ...required('company') }
  expect(await resolved({ company })).toEqual(none('company'))
  expect(await resolved({ company, device: all('device') })).toEqual(spokenBy('device'))
})

row(
  'Configuration chain, omitted versus null | Field null',
  'a value goes before the null of a level below it',
  async () => {
    expect(await resolved({ company: allNull(), device: all('device') })).toEqual(spokenBy('device'))
    const levels = { company: all('company'), device: allNull(), request: all('request') }
    expect(await resolved(levels)).toEqual(spokenBy('request'))
  },
)

row(
  'Configuration chain, omitted versus null | Field null',
  'what the message cannot do without is missing then, whoever says null',
  async () => {
    for (const key of REQUIRED) {
      const masked = { ...all('device'), [key]: null }
      await expectMissing(key, { company: all('company'), device: masked })
      await expectMissing(key, { company: all('company'), device: all('device'), request: { [key]: null } })
    }
  },
)

interface Levels {
  company?: Values
  device?: Values
  request?: Values
}

let marks = 600
const newMark = () => String(marks++)

/** Stores what the company and a new device of it are configured with, the device at a premises of its own, for a premises has one numbering level. */
async function configured({ company = {}, device = {} }: Levels): Promise<string> {
  await storeConfig(gateway, gateway, company)
  const isu_number = newMark()
  const deviceId = await gateway.addDevice({ isu_number, premises_code: `P${isu_number}` })
  await storeConfig(gateway, { deviceId }, device)
  return deviceId
}

/** Makes an attended sale with these levels. @returns what the message says of each key */
async function resolved(levels: Levels): Promise<Values> {
  const device_id = await configured(levels)
  const sale = { sale_type: 'attended', payment_method: undefined, ...levels.request, device_id }
  const xml = await messageOf(gateway, sale)
  return Object.fromEntries(NAMES.map((key) => [key, elementIn(xml, KEYS[key].element)]))
}

/** What a level says about every key. */
function all(level: Level): Values {
  return Object.fromEntries(NAMES.map((key) => [key, KEYS[key][level].value]))
}

function allNull(): Values {
  return Object.fromEntries(NAMES.map((key) => [key, null]))
}

/** What a level says about the keys that no sale can do without. */
function required(level: Level): Values {
  return Object.fromEntries(REQUIRED.map((key) => [key, KEYS[key][level].value]))
}

function wrongValues(round: number): Values {
  return Object.fromEntries(NAMES.map((key) => [key, WRONG[key][round]]))
}

/** What the message says when a level has spoken for every key. */
function spokenBy(level: Level): Values {
  return Object.fromEntries(NAMES.map((key) => [key, KEYS[key][level].xml]))
}

/** What the message says when a level has spoken for the required keys and nobody for the others. */
function none(level: Level): Values {
  return Object.fromEntries(NAMES.map((key) => [key, REQUIRED.includes(key) ? KEYS[key][level].xml : KEYS[key].none]))
}

/** Each of the required keys is missing when these levels do not give it. */
async function expectRequired(levels: Levels): Promise<void> {
  for (const key of REQUIRED) {
    await expectMissing(key, { ...levels, request: { ...required('request'), [key]: undefined } })
  }
}

async function expectMissing(key: Key, levels: Levels): Promise<void> {
  const device_id = await configured(levels)
  const sale = { sale_type: 'attended', payment_method: undefined, ...levels.request, device_id }
  await expectRefused(gateway, [sale], 'invalid_request', key)
}
