import { beforeAll, expect, test } from 'vitest'
import { findingsOfInvoice, keptFindings } from '../../../src/domain/sale/findings.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../../support/gateway.ts'
import { storeOf } from '../../support/healthy.ts'

const HOUR_MS = 3_600_000
const VAT = [{ rate: '25.00', base: '2.00', amount: '0.50' }]

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
const kept = async ({ id }: InvoiceBody) => (await (await storeOf(gateway)).invoices.get(id))?.deliveryFindings

test.each([
  [1, null],
  [47, null],
  [49, 'v152'],
  [119, 'v152'],
  [121, 'v153'],
])('a sale of %i hours ago that gets its JIR now keeps %s', async (hours, codes) => {
  const sold = await gateway.sell({ vat: VAT, occurred_at: ago(hours) })
  const found = await gateway.invoice(sold.id)
  expect(found).toMatchObject({ status: 'confirmed', ...(codes && { findings: [codes] }) })
  expect(await kept(sold)).toBe(codes)
})

test('nothing of delivery is found before there is a JIR, however late the sale is by then', async () => {
  await gateway.cis.goDown()
  const waiting = await gateway.sell({ vat: VAT, total: '2.60', occurred_at: ago(60) })
  expect(await gateway.invoice(waiting.id)).toMatchObject({ status: 'retrying', findings: ['v166'] })
  expect(await kept(waiting)).toBeNull()
  await gateway.cis.comeBack()
  await gateway.sweep()
  expect(await gateway.invoice(waiting.id)).toMatchObject({ status: 'confirmed', findings: ['v152', 'v166'] })
  expect(await kept(waiting)).toBe('v152')
})

test('a clock that is seven hours behind that of the authority is found by the time that the authority tells', async () => {
  gateway.clock.setMs = -7 * HOUR_MS
  try {
    const { id } = await gateway.sell({ vat: VAT, occurred_at: ago(8) })
    expect(await gateway.invoice(id)).toMatchObject({ status: 'confirmed', findings: ['v101'] })
  } finally {
    gateway.clock.setMs = 0
  }
})

test('codes that only a newer gateway knows are kept, and not shown', async () => {
  const store = await storeOf(gateway)
  const { id } = await gateway.sell({ vat: VAT })
  const { document } = (await store.invoices.get(id)) ?? {}
  if (!document) throw new Error('the sale is not stored')
  expect(findingsOfInvoice({ document, deliveryFindings: 'v152 v199' })).toEqual(['v152'])
  expect(findingsOfInvoice({ document, deliveryFindings: null })).toEqual([])
  expect(keptFindings([])).toBeNull()
  expect(keptFindings(['v101', 'v152'])).toBe('v101 v152')
})
