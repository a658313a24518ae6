import { beforeAll, expect, test } from 'vitest'
import type { SaidCheck } from '../../../src/domain/check.ts'
import { receiptChecks } from '../../../src/fiscal/doctor/receipt-checks.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { diagnose, examine } from '../../support/diagnosis.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { storeOf } from '../../support/healthy.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

let gateway: Gateway
let store: OpenStore
beforeAll(async () => {
  gateway = await startSharedGateway()
  store = await storeOf(gateway)
  const body = { line: `file:${await makeTempDir(atTheEndOfFile)}/paper.bin` }
  await gateway.admin(`/admin/printers/${gateway.deviceId}`, { method: 'PATCH', body })
})

const patch = (path: string, body: object) => gateway.admin(path, { method: 'PATCH', body })
const company = (body: object) => patch(`/v1/companies/${gateway.companyId}`, body)
const device = (body: object) => patch(`/v1/devices/${gateway.deviceId}`, body)

async function checks(all = examine(receiptChecks(store))): Promise<Pick<SaidCheck, 'status' | 'detail'>[]> {
  const found = (await all).filter(({ name }) => name === 'receipt machine')
  expect(found.every(({ status, fix }) => (status === 'ok') === (fix === null))).toBe(true)
  return found.map(({ status, detail }) => ({ status, detail }))
}

test('what the law wants on a receipt and cannot be on it is told, one by one', async () => {
  await gateway.sell()
  expect(await checks(diagnose(gateway))).toEqual([
    { status: 'warn', detail: 'it lacks the address of Samoposluga d.o.o.' },
    { status: 'warn', detail: 'it lacks the place of sale: where machine stands' },
    { status: 'warn', detail: 'the last one named no goods' },
    { status: 'warn', detail: 'the last one said nothing about VAT, and the issuer is in the VAT system' },
  ])
  await company({ address: { city: 'Zagreb' } })
  expect((await checks())[0]?.detail).toContain('address')

  await company({ address: { street: 'Ilica 1', city: 'Zagreb' }, fiscal_config: { default_vat_rate: '25.00' } })
  await device({ premises_address: 'Trg 1, Čakovec' })
  expect(await checksOf({})).toEqual([FINE])
})

const FINE = { status: 'ok', detail: 'it says what the law wants' }
const ITEMS = [{ name: 'Voda 0,5 l', quantity: '1', unit_price: '2.50', amount: '2.50' }]
const FEES = [{ name: 'Povratna naknada', amount: '0.10' }]
const MORE = [{ name: 'Povratna naknada', amount: '5.00' }]
const NO_GOODS = 'the last one named no goods'
const NO_SUM = expect.stringContaining('do not add up to its total')
const NO_PROVISION = expect.stringContaining('names no provision that exempts it')
const VAT_OUTSIDE = 'the last one charged VAT, and the issuer is not in the VAT system'

/** Of the receipt of a sale that names its goods unless it says otherwise. */
async function checksOf(sale: object) {
  await gateway.sell({ items: ITEMS, ...sale })
  return checks()
}

test.each<[string, object, unknown]>([
  ['goods without a name', { items: [] }, NO_GOODS],
  ['a blank name', { items: [{ ...ITEMS[0], name: ' ' }] }, NO_GOODS],
  ['a deposit taxed with the whole total', { fees: FEES }, NO_SUM],
  ['VAT that is far too much', { vat: [{ rate: '25.00', base: '100.00', amount: '3.00' }] }, NO_SUM],
  [
    'VAT of an issuer outside the VAT system',
    { vat_registered: false, vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }] },
    VAT_OUTSIDE,
  ],
  ['fees above the total, of an issuer outside the VAT system', { vat_registered: false, vat: [], fees: MORE }, NO_SUM],
  ['an exempt amount without its provision', { vat: [], vat_exempt_amount: '2.50' }, NO_PROVISION],
])('%s is told of the last receipt, and nothing else', async (_what, sale, detail) => {
  expect(await checksOf(sale)).toEqual([{ status: 'warn', detail }])
  expect(await checksOf({})).toEqual([FINE])
})

test.each<[string, object]>([
  ['a deposit outside the VAT base', { fees: FEES, vat: [{ rate: '25.00', base: '1.92', amount: '0.48' }] }],
  [
    'a deposit alone, where nothing is taxable',
    { total: '0.10', fees: FEES, vat: [], items: [{ ...ITEMS[0], unit_price: '0.10', amount: '0.10' }] },
  ],
  ['an issuer outside the VAT system', { vat_registered: false, vat: [] }],
  ['a deposit of such an issuer', { vat_registered: false, vat: [], fees: FEES }],
  ['a margin, which the formula of the authority leaves out', { vat: [], margin_amount: '2.50' }],
  ['an exempt amount of zero', { vat_exempt_amount: '0.00' }],
  ['an amount not subject to tax', { vat: [], non_taxable_amount: '2.50' }],
])('%s is fine', async (_what, sale) => {
  expect(await checksOf(sale)).toEqual([FINE])
})

test('the setting of the company is changed where it is why the parts are not the total, and nowhere else', async () => {
  const fixOf = async (sale: object) => {
    await gateway.sell({ items: ITEMS, ...sale })
    return (await examine(receiptChecks(store))).find(({ name }) => name === 'receipt machine')?.fix
  }
  expect(await fixOf({ fees: FEES })).toMatch(/^fisk company set \d{11} --config default_vat_base=taxable$/)
  const vat = [{ rate: '25.00', base: '1.90', amount: '0.60' }]
  expect(await fixOf({ fees: FEES, vat })).toMatch(/^send and configure parts that add up/)
  await checksOf({})
})

test.each([
  ['čl. 39. st. 1. t. i) Zakona o PDV-u', true],
  ['Oslobođeno prema članku 40. Zakona o PDV-u', true],
  ['VAT exempt: art. 39(1) of the VAT act', true],
  ['Club 7, Smart. 5', false],
  ['Hvala na posjetu', false],
])('a footer "%s" names a provision: %s', async (footer, names) => {
  await device({ device_config: { receipt: { footer: [footer] } } })
  const found = await checksOf({ vat: [], vat_exempt_amount: '2.50' })
  expect(found).toEqual([names ? FINE : { status: 'warn', detail: NO_PROVISION }])
  await device({ device_config: {} })
  await checksOf({})
})
