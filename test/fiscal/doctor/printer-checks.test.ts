import { beforeAll, expect, test } from 'vitest'
import type { PtyPrinter } from '../../../src/simulator/index.ts'
import type { Gateway } from '../../support/gateway.ts'
import { broken, brokenInTable, sharedHealthyGateway, verdicts } from '../../support/healthy.ts'
import { startVirtualPrinterForFile } from '../../support/printer.ts'

const ITEMS = [{ name: 'Kava', quantity: '1', unit_price: '2.50', amount: '2.50' }]

let gateway: Gateway
let paper: PtyPrinter
beforeAll(async () => {
  paper = await startVirtualPrinterForFile()
  gateway = await sharedHealthyGateway()
  const patch = (path: string, body: object) => gateway.admin(path, { method: 'PATCH', body })
  await patch(`/v1/companies/${gateway.companyId}`, {
    address: { street: 'Ilica 1', city: 'Zagreb' },
    fiscal_config: { default_vat_rate: '25.00', default_vat_base: 'taxable' },
  })
  await patch(`/v1/devices/${gateway.deviceId}`, { premises_address: 'Trg 1, Zagreb' })
  const line = `serial:${paper.path}`
  const body = { line, profile: 'epson-tm-t20', settings: { answer_timeout_ms: 150 } }
  expect((await patch(`/admin/printers/${gateway.deviceId}`, body)).status).toBe(200)
})

test('printer: one without paper is found', async () => {
  await gateway.sell({ items: ITEMS })
  await expect.poll(() => paper.papers.length).toBeGreaterThan(0)
  const found = await broken(
    gateway,
    () => paper.runOutOfPaper(),
    () => paper.loadPaper(),
  )
  expect(verdicts(found)).toEqual(['printer machine fail'])
  expect(found[0]?.fix).not.toBeNull()
})

test('printer receipts: one that did not come out is a warning', async () => {
  const lost = "UPDATE print_jobs SET status = 'expired', detail = 'the printer was not ready in time'"
  const found = await brokenInTable(gateway, 'print_jobs', lost)
  expect(verdicts(found)).toEqual(['printer machine, receipts warn'])
  expect(found[0]).toMatchObject({ fix: expect.stringContaining('fisk receipt print ID') })
})

test('receipt: one that cannot say what the law wants is a warning', async () => {
  const found = await brokenInTable(gateway, 'devices', 'UPDATE devices SET premises_address = NULL')
  expect(verdicts(found)).toEqual(['receipt machine warn'])
  expect(found[0]).toMatchObject({ fix: 'fisk device set machine --address TEXT' })
})
