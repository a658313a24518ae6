import { beforeAll, describe, expect, test } from 'vitest'
import type { InvoiceCheckView } from '../../src/contract/admin/queue.ts'
import { FORGERIES, HEARSAYS, OUTAGES, WRAPPINGS } from '../../src/simulator/misbehaviours.ts'
import { startGatewayOfBothModes } from '../contract/support-fields.ts'
import { fisk } from '../support/fisk.ts'
import { addCompany, type Gateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

let gateway: Gateway
beforeAll(async () => {
  ;({ gateway } = await startGatewayOfBothModes())
})

const vat = (base: string, amount: string, rate = '25.00') => [{ rate, base, amount }]
const fee = (amount: string) => [{ name: 'Povratna naknada', amount }]
const RIGHT = { vat: vat('2.00', '0.50') }
const pnp = (rate: string, base: string, amount: string) => ({ consumption_tax: [{ rate, base, amount }] })
const outside = { vat_registered: false }

const check = async (id: string) =>
  (await gateway.admin<InvoiceCheckView>(`/admin/invoices/${id}/check`, { method: 'POST' })).body

/** Sales with what is to be found in them: by the table of fiskd, and by the one of the simulated authority. */
test.each<[string[], object]>([
  [[], RIGHT],
  [[], { total: '0.00', vat: [] }],
  [['v166'], { total: '2.60', ...RIGHT }],
  [['v166'], { total: '1.50', vat: vat('1.20', '0.30'), fees: fee('0.10') }],
  [[], { total: '1.50', vat: vat('1.12', '0.28'), fees: fee('0.10') }],
  [['v106'], { ...RIGHT, number: '99999999' }],
  [['v112', 'v160', 'v166'], { total: '2.00', vat: vat('100.00', '3.00') }],
  [['v113', 'v161', 'v166'], { total: '-2.00', vat: vat('-100.00', '-3.00') }],
  [['v114', 'v166'], { total: '-2.00', vat: vat('2.00', '0.50') }],
  [['v120', 'v166'], { total: '2.50', ...RIGHT, ...pnp('3.00', '4.00', '0.12') }],
  [['v121'], { ...outside, vat: [], total: '-2.50', ...pnp('3.00', '-3.00', '-0.09') }],
  [['v122'], { ...outside, vat: [], total: '-2.50', ...pnp('3.00', '3.00', '0.09') }],
  [['v162'], { total: '2.50', vat: vat('2.00', '0.50'), ...pnp('3.00', '9.99', '0.00') }],
  [['v163', 'v166'], { total: '2.50', vat: vat('2.00', '0.50'), ...pnp('3.00', '0.00', '0.11') }],
  [['v125'], { ...RIGHT, other_taxes: [{ name: 'Porez', rate: '1.00', base: '0.00', amount: '0.00' }] }],
  [['v126', 'v166'], { ...RIGHT, vat_exempt_amount: '3.00' }],
  [['v128', 'v166'], { ...RIGHT, vat_exempt_amount: '-3.00' }],
  [['v132', 'v166'], { ...RIGHT, non_taxable_amount: '3.00' }],
  [['v134', 'v166'], { ...RIGHT, non_taxable_amount: '-3.00' }],
  [['v129', 'v166'], { total: '2.50', vat: [], margin_amount: '3.00' }],
  [['v131', 'v166'], { total: '2.50', vat: [], margin_amount: '-3.00' }],
  [['v141'], { ...RIGHT, special_purpose: 'ručak' }],
  [['v142'], { ...outside, ...RIGHT }],
  [['v143'], { ...outside, vat: [], vat_exempt_amount: '1.00' }],
  [['v144'], { ...outside, vat: [], margin_amount: '1.00' }],
  [['v145'], { ...outside, vat: [], non_taxable_amount: '1.00' }],
  [['v164'], { total: '137.50', ...RIGHT, fees: fee('135.01') }],
  [['v165', 'v166'], { total: '137.50', ...RIGHT, fees: fee('-135.01') }],
  [['v167'], { total: '150000.01', payment_method: 'O', vat: [], non_taxable_amount: '150000.01' }],
])('the authority finds %o, and so does fiskd', async (codes, sale) => {
  const sold = await gateway.sell({ vat: [], ...sale })
  const { authority, ...found } = await check(sold.id)
  expect({ found, codes: authority?.map(({ code }) => code) }).toEqual({
    codes: [...codes],
    found: { invoice: sold.id, ours: [...codes], agree: true, problem: null, claimed: [] },
  })
})

test('what depends on time is found by the time of the check: three days after the sale it is late', async () => {
  const sold = await gateway.sell({ ...RIGHT, occurred_at: new Date(Date.now() - 3 * 86_400_000).toISOString() })
  expect(await check(sold.id)).toMatchObject({ ours: ['v152'], authority: [{ code: 'v152' }], agree: true })
  gateway.clock.setMs = -7 * 3_600_000
  try {
    // The daemon asks first whether the machine synchronises its clock.
    await expect.poll(() => check(sold.id)).toMatchObject({ ours: ['v101', 'v152'], agree: true })
  } finally {
    gateway.clock.setMs = 0
  }
})

test('nothing is delivered by a check: a sale without a JIR still has none, and the authority knows no message of it', async () => {
  await gateway.cis.goDown()
  const waiting = await gateway.sell(RIGHT)
  await gateway.cis.comeBack()
  expect(await check(waiting.id)).toMatchObject({ agree: true })
  expect(await gateway.invoice(waiting.id)).toMatchObject({ status: 'retrying', jir: null })
  expect(gateway.cis.received.filter(({ zki }) => zki === waiting.zki)).toEqual([])
})

test('the command shows both, says that they are those of a delivery now, and has a difference reported', async () => {
  const sold = await gateway.sell({ total: '2.60', ...RIGHT })
  const socket = gateway.socketPath
  const alike = await fisk(['invoice', 'check', sold.id], { socket })
  expect(alike).toMatchObject({ code: 0, stderr: '' })
  expect(alike.stdout.replace(/\s+/g, ' ')).toMatch(
    /as if it were delivered now fiskd finds v166 VAT bases.* authority says v166 .* they agree/,
  )
  gateway.cis.misbehave({ error: 'v110', message: 'Stopa nije propisana.' })
  const differing = await fisk(['invoice', 'check', sold.id], { socket })
  expect(differing.code).toBe(1)
  expect(differing.stdout.replace(/\s+/g, ' ')).toMatch(/v110 Stopa nije propisana\. result they differ\. Report it/)
  const shown = await fisk(['invoice', 'show', sold.id], { socket })
  expect(shown.stdout).toMatch(/finding v166 +VAT bases/)
})

describe('an answer to a check is believed as little as one to a sale', () => {
  const kinds = [
    ...[...OUTAGES, ...HEARSAYS, ...FORGERIES].filter((kind) => kind !== 'timeout' && kind !== 'bad-jir'),
    ...WRAPPINGS.map((wrapped) => ({ wrapped })),
  ]
  test.each(kinds.map((kind) => [kind]))('%o', async (kind) => {
    const sold = await gateway.sell({ total: '2.60', ...RIGHT })
    gateway.cis.misbehave(kind)
    await gateway.cis.prepared()
    const found = await check(sold.id)
    expect(found).toMatchObject({ ours: ['v166'], authority: null, agree: null })
    expect(found.problem).toMatch(/^The (answer cannot be believed|tax authority did not answer): /)
  })
})

test('a message that the authority refuses is shown with its reason, and nothing is compared', async () => {
  const sold = await gateway.sell(RIGHT)
  gateway.cis.misbehave({ error: 's004' })
  expect(await check(sold.id)).toMatchObject({ authority: [{ code: 's004' }], agree: null, problem: null })
})

test('there is no check of an unknown sale, nor of one in live mode, where the service has none', async () => {
  const at = (id: string) => gateway.admin<{ error: object }>(`/admin/invoices/${id}/check`, { method: 'POST' })
  expect(await at('inv_none')).toMatchObject({ status: 404, body: { error: { param: 'id' } } })
  const company_id = await addCompany(gateway, OIBS[1], { mode: 'live' })
  const device_id = await gateway.addDevice({ company_id, premises_code: 'LIVE1', isu_number: '9001' })
  const headers = { 'idempotency-key': 'in-live-mode' }
  const sold = await gateway.admin('/v1/invoices', { body: gateway.sale({ ...RIGHT, device_id }), headers })
  expect(sold.status).toBe(200)
  const refused = { status: 400, body: { error: { code: 'invalid_request', param: 'id' } } }
  expect(await at(String(sold.body.id))).toMatchObject(refused)
})
