import { beforeAll, expect, test } from 'vitest'
import type { PrinterListView } from '../../src/contract/admin/printers.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { startVirtualPrinter } from '../support/printer.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const printerOf = async () => (await gateway.admin<PrinterListView>('/admin/printers?look=true')).body.data[0]
const paperIs = (paper: string) => expect.poll(async () => (await printerOf())?.condition.paper).toBe(paper)

test('what receipts and pages take of a roll is counted until the roll is changed', async () => {
  const printer = await startVirtualPrinter()
  const body = { line: `serial:${printer.path}`, profile: 'epson-tm-t20' }
  await gateway.admin(`/admin/printers/${gateway.deviceId}`, { method: 'PATCH', body })
  await paperIs('ok')
  await gateway.admin(`/admin/printers/${gateway.deviceId}/test`, { method: 'POST' })
  const before = (await printerOf())?.roll?.printed_mm ?? 0
  expect(before).toBeGreaterThan(100)
  await gateway.sell()
  await expect.poll(async () => (await printerOf())?.roll?.printed_mm).toBeGreaterThan(before + 50)
  printer.runOutOfPaper()
  await paperIs('out')
  printer.loadPaper()
  await paperIs('ok')
  await expect.poll(async () => (await printerOf())?.roll).toEqual({ printed_mm: 0, receipts_left: null })
})
