import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Invoice, PrintJob } from '../../src/fiscal/ports/model.ts'
import { receiptOf } from '../../src/fiscal/printing/receipts.ts'
import { openLine } from '../../src/receipts/lines/open-line.ts'
import { createSpool } from '../../src/receipts/spool.ts'
import { type OpenStore, openStore } from '../../src/store/store.ts'
import { fileWith } from '../support/eventually.ts'
import { type Gateway, startGateway, startSharedGateway } from '../support/gateway.ts'
import { startVirtualPrinter, withoutBlanks } from '../support/printer.ts'
import { tamper } from '../support/tamper.ts'
import { tempDir } from '../support/temp-dir.ts'

const FAST = { answer_timeout_ms: 300, confirm_timeout_ms: 1000 }

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

let places = 0
async function place(on: Gateway = gateway) {
  const printer = await startVirtualPrinter()
  const label = `place ${places++}`
  const deviceId = await on.addDevice({ label, premises_code: `P${places}`, isu_number: String(5000 + places) })
  const set = (changes: object) => on.admin(`/admin/printers/${deviceId}`, { method: 'PATCH', body: changes })
  await set({ line: `serial:${printer.path}`, profile: 'epson-tm-t20', settings: FAST })
  await expect.poll(async () => (await on.admin('/admin/printers?look=true')).text).toContain('"state":"ready"')
  return { printer, deviceId, set }
}

const printOf = async (id: string, on: Gateway = gateway) =>
  ((await on.invoice(id)) as unknown as { receipt_print: { status: string; reason: string | null } | null })
    .receipt_print
const statusOf = async (id: string, on: Gateway = gateway) => (await printOf(id, on))?.status

test('a receipt says at once why it does not come out, also after it is given up', async () => {
  const { printer, deviceId, set } = await place()
  await set({ expire_after_s: 5 })
  printer.runOutOfPaper()
  await expect.poll(async () => (await gateway.admin('/admin/printers?look=true')).text).toContain('"paper":"out"')
  const { id } = await gateway.sell({ device_id: deviceId })
  expect(await printOf(id)).toMatchObject({ status: 'queued', reason: 'paper_out' })
  await expect.poll(() => printOf(id), { timeout: 15_000 }).toMatchObject({ status: 'expired', reason: 'paper_out' })
})

test('a receipt that stands for paper in the middle goes on while its printer is set anew, and comes out once', async () => {
  const { printer, deviceId, set } = await place()
  printer.at(printer.printedBytes + 500, () => printer.runOutOfPaper())
  const sold = await gateway.sell({ device_id: deviceId })
  await expect.poll(() => printer.condition.paper).toBe('out')
  const asked = performance.now()
  await set({ settings: { qr: 'raster' } })
  expect(performance.now() - asked).toBeLessThan(20_000)
  printer.loadPaper()
  await expect.poll(() => statusOf(sold.id)).toBe('printed')
  expect(printer.papers.filter(({ text }) => withoutBlanks(text).includes(sold.zki))).toHaveLength(1)
})

test('a receipt that was cut off does not swallow the next one, also when its printer was set anew meanwhile', async () => {
  const { printer, deviceId, set } = await place()
  await set({ settings: { qr: 'raster' } })
  const before = printer.printedBytes
  const whole = await gateway.sell({ device_id: deviceId })
  await expect.poll(() => statusOf(whole.id)).toBe('printed')
  // In the picture of the code, near the end.
  const length = printer.printedBytes - before
  printer.slowLine(8000)
  printer.at(printer.printedBytes + length - 500, () => printer.unplug())
  const cutOff = await gateway.sell({ device_id: deviceId })
  await expect.poll(() => statusOf(cutOff.id)).toBe('failed')
  await set({ settings: { qr: 'raster', answer_timeout_ms: 400 } })
  printer.slowLine(Number.POSITIVE_INFINITY)
  await printer.plugIn()
  const { id, zki } = await gateway.sell({ device_id: deviceId })
  await expect.poll(() => statusOf(id)).toBe('printed')
  const text = printer.papers.find((paper) => withoutBlanks(paper.text).includes(zki))?.text ?? ''
  // Both lie there, because nothing was cut between them.
  expect(text.match(/Samoposluga d\.o\.o\./g)).toHaveLength(2)
})

test('a receipt that waits for paper is not lost when its printer is set anew: it comes out of that', async () => {
  const { printer, deviceId, set } = await place()
  printer.runOutOfPaper()
  await expect.poll(async () => (await gateway.admin('/admin/printers?look=true')).text).toContain('"paper":"out"')
  const sold = await gateway.sell({ device_id: deviceId })
  await set({ settings: { qr: 'raster' } })
  printer.loadPaper()
  await expect.poll(() => statusOf(sold.id)).toBe('printed')
  expect(printer.papers.filter(({ text }) => withoutBlanks(text).includes(sold.zki))).toHaveLength(1)
})

test('a sale right after a printer was set is printed, whatever another printer is doing', async () => {
  const busy = await place()
  busy.printer.at(busy.printer.printedBytes + 500, () => busy.printer.runOutOfPaper())
  await gateway.sell({ device_id: busy.deviceId })
  await expect.poll(() => busy.printer.condition.paper).toBe('out')
  const dir = await tempDir()
  const deviceId = await gateway.addDevice({ label: 'fresh', premises_code: 'FRESH', isu_number: '6000' })
  const line = `file:${join(dir, 'paper.bin')}`
  const setting = [
    busy.set({ settings: { qr: 'raster' } }),
    gateway.admin(`/admin/printers/${deviceId}`, {
      method: 'PATCH',
      body: { line, settings: { columns: 32, small_font_dots: 9 } },
    }),
  ]
  await expect.poll(async () => (await gateway.admin('/admin/printers')).text).toContain(line)
  const sold = await gateway.sell({ device_id: deviceId })
  await fileWith(join(dir, 'paper.bin'), sold.zki)
  busy.printer.loadPaper()
  await Promise.all(setting)
})

test('a line to a file among the files of fiskd is refused', async () => {
  const line = `file:${gateway.dataDir}/fiskd.db`
  const refused = await gateway.admin(`/admin/printers/${gateway.deviceId}`, { method: 'PATCH', body: { line } })
  expect(refused).toMatchObject({ status: 400, body: { error: { param: 'line' } } })
})

/** A spool of its own on the database of a gateway that has stopped, with one receipt in the queue. */
async function spoolOn(changed: (store: OpenStore) => OpenStore, timeIsKnown = true) {
  const own = await startGateway()
  const dir = await tempDir()
  const paper = join(dir, 'paper.bin')
  const line = `file:${paper}`
  await own.admin(`/admin/printers/${own.deviceId}`, { method: 'PATCH', body: { line } })
  const sold = await own.sell()
  await expect.poll(() => statusOf(sold.id, own)).toBe('unconfirmed')
  await own.stop()
  const database = join(own.dataDir, 'fiskd.db')
  tamper(database, `UPDATE print_jobs SET status = 'queued', begun_at = NULL, ended_at = NULL`)
  const store = await openStore(database, 1)
  const faults: unknown[] = []
  const spool = createSpool({
    store: changed(store),
    openLine,
    receiptOf: (invoice, copy) => receiptOf(store, invoice, copy),
    clock: { now: Date.now, elapsed: () => performance.now() },
    timeIsKnown: () => timeIsKnown,
    ended: () => {},
    conditionChanged: () => {},
    reportFault: (error) => faults.push(error),
  })
  onTestFinished(async () => {
    await spool.close()
    await store.close()
  })
  await spool.start()
  const job = async () => (await store.printJobs.get(sold.id, 0)) as PrintJob
  return { job, faults, spool, store, paper, database }
}

/** Fails once, as a full disk does. */
function once<T extends unknown[], R>(work: (...args: T) => Promise<R>): (...args: T) => Promise<R> {
  let failed = false
  return (...args) => {
    if (failed) return work(...args)
    failed = true
    return Promise.reject(new Error('SQLITE_FULL: database or disk is full'))
  }
}

test.each<[string, (store: OpenStore) => OpenStore]>([
  [
    'as it looks for its printers',
    (store) => ({ ...store, printers: { ...store.printers, all: once(store.printers.all) } }),
  ],
  [
    'as a receipt begins',
    (store) => ({ ...store, printJobs: { ...store.printJobs, begin: once(store.printJobs.begin) } }),
  ],
  ['as a receipt ends', (store) => ({ ...store, transaction: once(store.transaction) as OpenStore['transaction'] })],
  [
    'as it looks for receipts',
    (store) => ({ ...store, printJobs: { ...store.printJobs, open: once(store.printJobs.open) } }),
  ],
])('a disk that fails %s is asked again, and the receipt is printed', async (_when, changed) => {
  const { job, faults } = await spoolOn(changed)
  await expect.poll(async () => (await job()).status).toBe('unconfirmed')
  expect(faults).toHaveLength(1)
})

test('a receipt that was begun while its sale was sent comes out once, however often the disk is full then', async () => {
  const failing = (store: OpenStore) => {
    const begin = once(once(store.printJobs.begin))
    return { ...store, printJobs: { ...store.printJobs, begin } }
  }
  const { job, faults, spool, store, paper, database } = await spoolOn(failing, false)
  const { invoiceId } = await job()
  const invoice = (await store.invoices.get(invoiceId)) as Invoice
  const before = (await readFile(paper)).length
  spool.prepare(invoice)
  await setTimeout(50)
  tamper(database, "UPDATE print_jobs SET status = 'queued', ended_at = NULL, expires_at = expires_at + 60000")
  spool.wake({ job: await job(), invoice })
  await expect.poll(async () => (await job()).status).toBe('unconfirmed')
  expect(faults).toHaveLength(2)
  expect(await readFile(paper)).toHaveLength(2 * before)
})

test('where nobody knows the time, what was queued before the start has nobody waiting for it', async () => {
  const { job } = await spoolOn((store) => store, false)
  expect(await job()).toMatchObject({ status: 'expired', detail: 'fiskd did not run while somebody waited for it.' })
})
