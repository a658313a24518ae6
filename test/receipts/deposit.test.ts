import { beforeAll, expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'

const DAY_MS = 86_400_000
const FEES = [{ name: 'Povratna naknada', amount: '0.10' }]
const WATER = {
  total: '1.50',
  fees: FEES,
  items: [{ name: 'Voda', quantity: '1', unit_price: '1.50', amount: '1.50' }],
}

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const configure = (fiscal_config: object) =>
  gateway.admin(`/v1/companies/${gateway.companyId}`, { method: 'PATCH', body: { fiscal_config } })

/** A bottle with a deposit, as the authority gets it and as the customer sees it. */
async function sell(sale: object) {
  const { id, zki } = await gateway.sell(sale)
  const sold = await gateway.invoice(id)
  const message = gateway.cis.received.find((message) => message.zki === zki)?.requestXml ?? ''
  const { text } = await gateway.v1(`/invoices/${id}/receipt?columns=48`, { headers: { accept: 'text/plain' } })
  const amount = (name: string) => new RegExp(`<tns:${name}>([^<]*)<`).exec(message)?.[1]
  const sent = [amount('Osnovica'), amount('Iznos'), amount('IznosN'), amount('IznosUkupno')]
  return { sold, sent, paper: text.replace(/ +/g, ' ') }
}

test('a deposit under a default rate on the whole total is taxed, and that is told', async () => {
  await configure({ default_vat_rate: '25.00' })
  const { sold, sent, paper } = await sell(WATER)
  expect(sold).toMatchObject({ status: 'confirmed', findings: ['v166'] })
  expect(sent).toEqual(['1.20', '0.30', '0.10', '1.50'])
  expect(paper).toMatch(/PDV 25% od 1,20 0,30/)
  expect(paper).toMatch(/Povratna naknada 0,10/)
})

test('a deposit under a default rate on what is taxable bears no VAT, and the parts are the total', async () => {
  await configure({ default_vat_rate: '25.00', default_vat_base: 'taxable' })
  const { sold, sent, paper } = await sell(WATER)
  expect(sold).not.toHaveProperty('findings')
  expect(sent).toEqual(['1.12', '0.28', '0.10', '1.50'])
  expect(paper).toMatch(/PDV 25% od 1,12 0,28/)
  expect(paper).toMatch(/Povratna naknada 0,10/)
})

test('a deposit beside VAT that is sent stays as it was sent, whatever is configured', async () => {
  for (const config of [
    {},
    { default_vat_rate: '13.00' },
    { default_vat_rate: '25.00', default_vat_base: 'taxable' },
  ]) {
    await configure(config)
    const { sold, sent, paper } = await sell({ ...WATER, vat: [{ rate: '25.00', base: '1.12', amount: '0.28' }] })
    expect(sold).not.toHaveProperty('findings')
    expect(sent).toEqual(['1.12', '0.28', '0.10', '1.50'])
    expect(paper).toMatch(/PDV 25% od 1,12 0,28/)
  }
})

test('where a deposit is all that is sold or given back, there is no VAT line', async () => {
  await configure({ default_vat_rate: '25.00', default_vat_base: 'taxable' })
  for (const amount of ['0.10', '-0.10']) {
    const { sold, sent, paper } = await sell({ total: amount, fees: [{ name: 'Povratna naknada', amount }] })
    expect(sold).not.toHaveProperty('findings')
    expect(sent).toEqual([undefined, undefined, amount, amount])
    expect(paper).not.toContain('PDV')
  }
})

test.each([
  [{ total: '2.00', non_taxable_amount: '0.75' }, ['1.00', '0.25']],
  [{ total: '2.00', vat_exempt_amount: '0.75' }, ['1.00', '0.25']],
  [{ total: '1.28', consumption_tax: [{ rate: '3.00', base: '1.00', amount: '0.03' }] }, ['1.00', '0.25']],
])('what else bears no VAT is left out of the base as well: %o', async (sale, vat) => {
  await configure({ default_vat_rate: '25.00' })
  expect((await sell(sale)).sold).toMatchObject({ findings: expect.arrayContaining(['v166']) })
  await configure({ default_vat_rate: '25.00', default_vat_base: 'taxable' })
  const { sold, sent } = await sell(sale)
  expect(sold).not.toHaveProperty('findings')
  expect(sent.slice(0, 2)).toEqual(vat)
})

test('a closing shows fees apart from what VAT was taken out of', async () => {
  await configure({ default_vat_rate: '25.00', default_vat_base: 'taxable' })
  const premises_code = 'BOCE1'
  const device_id = await gateway.addDevice({ premises_code, isu_number: '777' })
  const key = await gateway.createKey()
  for (let bottle = 0; bottle < 3; bottle++) {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `bottle-${bottle}` }
    const sold = await gateway.v1('/invoices', { body: gateway.sale({ ...WATER, device_id }), headers })
    expect(sold.status).toBe(200)
  }
  gateway.clock.aheadMs += DAY_MS
  const argv = ['receipt', 'closing', '--close', '--premises', premises_code, '--json']
  const closed = await fisk(argv, { socket: gateway.socketPath })
  expect(closed).toMatchObject({ code: 0, stderr: '' })
  const [closing] = JSON.parse(closed.stdout).data
  expect(closing).toMatchObject({ invoices: 3, total: '4.50' })
  const text = closing.text.replace(/ +/g, ' ')
  expect(text).toMatch(/25% 3,36 0,84/)
  expect(text).toMatch(/(Naknade|Povratna naknada).* 0,30/)
})
