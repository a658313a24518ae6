import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { diagnose } from '../support/diagnosis.ts'
import { fileWith } from '../support/eventually.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { type Gateway, startGateway, startSharedGateway } from '../support/gateway.ts'
import { tamper } from '../support/tamper.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const ITEMS = [
  { name: 'Kava s mlijekom', quantity: '2', unit_price: '1.00', amount: '2.00' },
  { name: 'Čokolada', quantity: '1', unit_price: '0.50', amount: '0.50' },
]

/** A printer that is a file, takes all letters, and has each JIR and ZKI on one line; nobody knows what comes out of it. */
async function setFilePrinter(gateway: Gateway, deviceId = gateway.deviceId, changes: object = {}): Promise<string> {
  const file = join(papers, `${deviceId}.bin`)
  const settings = { encoding: 'windows1250', code_page: 45, columns: 32, small_font_dots: 9 }
  const body = { line: `file:${file}`, settings, ...changes }
  const set = await gateway.admin(`/admin/printers/${deviceId}`, { method: 'PATCH', body })
  expect(set.status).toBe(200)
  return file
}

const textOf = (file: string) => new TextDecoder('windows-1250').decode(readFileSync(file))
const receiptsIn = (file: string) => textOf(file).split('\x1b@').length - 1

async function printOf(gateway: Gateway, id: string) {
  return (await gateway.invoice(id)) as unknown as {
    receipt_print: { status: string; printed_at: string | null } | null
  }
}

let gateway: Gateway
let file: string
let papers: string
beforeAll(async () => {
  papers = await makeTempDir(atTheEndOfFile)
  gateway = await startSharedGateway()
  file = await setFilePrinter(gateway)
})

test('a sale prints its receipt after it is answered, and GET tells what became of it', async () => {
  const sold = await gateway.sell({ items: ITEMS })
  expect(sold).not.toHaveProperty('receipt_print')
  await fileWith(file, sold.zki)
  const paper = textOf(file)
  for (const word of ['Kava s mlijekom', 'Čokolada', String(sold.jir), `${sold.number}/POSL1/101`, 'novčanice']) {
    expect(paper).toContain(word)
  }
  await expect
    .poll(() => printOf(gateway, sold.id))
    .toMatchObject({ receipt_print: { status: 'unconfirmed', printed_at: null } })
})

test('the time on paper is that of Zagreb, whatever offset the machine sent', async () => {
  const at = Math.floor(Date.now() / 1000) * 1000 - 2000
  const sold = await gateway.sell({ occurred_at: `${new Date(at - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00` })
  await fileWith(file, sold.zki)
  const [date = '', time] = new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Zagreb' }).split(' ')
  expect(textOf(file)).toContain(`${date.split('-').reverse().join('.')} ${time}`)
})

test('neither a replay nor a retry prints anything', async () => {
  await gateway.cis.goDown()
  const body = gateway.sale()
  const post = () => gateway.v1('/invoices', { body, headers: { 'idempotency-key': 'the-same' } })
  const first = await post()
  await fileWith(file, first.body.zki)
  const before = receiptsIn(file)
  expect((await post()).headers['idempotent-replayed']).toBe('true')
  await gateway.cis.comeBack()
  const retried = await gateway.v1(`/invoices/${first.body.id}/retry`, { method: 'POST' })
  expect(retried.body.status).toBe('confirmed')
  const next = await gateway.sell()
  await fileWith(file, next.zki)
  expect(receiptsIn(file)).toBe(before + 1)
})

test('a sale that the sweep confirms later is not printed again', async () => {
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  await fileWith(file, sold.zki)
  const before = receiptsIn(file)
  await gateway.cis.comeBack()
  await gateway.sweep()
  expect((await gateway.invoice(sold.id)).status).toBe('confirmed')
  const next = await gateway.sell()
  await fileWith(file, next.zki)
  expect(receiptsIn(file)).toBe(before + 1)
})

test('a device without a printer prints nothing', async () => {
  const device = await gateway.addDevice({ isu_number: '202' })
  const sold = await gateway.sell({ device_id: device })
  expect(await printOf(gateway, sold.id)).toMatchObject({ receipt_print: null })
})

test('a sale that is delivered long after it was made has nobody waiting for paper', async () => {
  const sold = await gateway.sell({ occurred_at: new Date(Date.now() - 6 * 60_000).toISOString() })
  expect(await printOf(gateway, sold.id)).toMatchObject({ receipt_print: { status: 'expired', printed_at: null } })
  const next = await gateway.sell()
  await fileWith(file, next.zki)
  expect(textOf(file)).not.toContain(sold.zki)
})

test('a copy says so, is counted and audited, and says what was so when it was sold', async () => {
  const sold = await gateway.sell({ items: ITEMS })
  await fileWith(file, sold.zki)
  const renamed = { method: 'PATCH', body: { name: 'Druga tvrtka d.o.o.' } } as const
  await gateway.admin(`/v1/companies/${gateway.companyId}`, renamed)
  for (const copy of [1, 2]) {
    const printed = await gateway.admin(`/admin/invoices/${sold.id}/copies`, { method: 'POST' })
    expect(printed).toMatchObject({ status: 201, body: { copy, status: 'queued' } })
  }
  const path = `/admin/invoices/${sold.id}/copies/2`
  await expect.poll(async () => (await gateway.admin(path)).body.status).toBe('unconfirmed')
  await gateway.admin(`/v1/companies/${gateway.companyId}`, { ...renamed, body: { name: 'Samoposluga d.o.o.' } })
  const copies = textOf(file)
    .split('\x1b@')
    .filter((paper) => paper.includes('KOPIJA') && paper.includes(sold.zki))
  expect(copies).toHaveLength(2)
  expect(copies.every((paper) => paper.includes('Samoposluga') && paper.includes('Čokolada'))).toBe(true)
  const { body } = await gateway.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')
  const counted = body.data.filter(({ action }) => action === 'receipt.copied').map(({ detail }) => detail)
  expect(counted).toEqual([
    { id: sold.id, copy: 2 },
    { id: sold.id, copy: 1 },
  ])
})

test('a copy for a device without a printer is refused with what to do', async () => {
  const device = await gateway.addDevice({ isu_number: '203' })
  const sold = await gateway.sell({ device_id: device })
  const refused = await gateway.admin(`/admin/invoices/${sold.id}/copies`, { method: 'POST' })
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('fisk printer set') } },
  })
})

test.each([
  ['items[0].unit_price', { ...ITEMS[0], unit_price: '1' }],
  ['items[0].quantity', { ...ITEMS[0], quantity: '1,5' }],
  ['items[0].name', { ...ITEMS[0], name: '' }],
  ['items[0].name', { ...ITEMS[0], name: 'Kava\u0000' }],
  ['items[0].colour', { ...ITEMS[0], colour: 'brown' }],
])('an item that is malformed is refused by its path: %s', async (param, item) => {
  expect(await gateway.post({ items: [item] })).toMatchObject({ status: 400, body: { error: { param } } })
})

test('items that do not add up to the total are refused before a number is taken, and the key stays free', async () => {
  const before = await gateway.sell()
  const key = randomUUID()
  const refused = await gateway.post({ items: [{ ...ITEMS[0], amount: '2.49' }] }, key)
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: 'items' } } })
  const taken = await gateway.post({ items: ITEMS }, key)
  expect(taken).toMatchObject({ status: 200, body: { number: String(Number(before.number) + 1) } })
})

test('an amount that is not quantity times unit price is taken, and counted once however often it is posted', async () => {
  const counted = async () =>
    Number(/^fiskd_items_differing_total (\d+)$/m.exec((await gateway.admin('/metrics')).text)?.[1])
  const before = await counted()
  const key = randomUUID()
  const items = [{ name: 'Kava', quantity: '2', unit_price: '1.50', amount: '2.50' }]
  const sale = { items, occurred_at: new Date().toISOString() }
  for (const _ of [1, 2]) expect(await gateway.post(sale, key)).toMatchObject({ status: 200 })
  expect(await counted()).toBe(before + 1)
})

test('what is printed is sealed with what was issued: the doctor finds an item that was changed', async () => {
  const own = await startGateway()
  await own.sell({ items: ITEMS })
  await own.stop()
  tamper(join(own.dataDir, 'fiskd.db'), `UPDATE invoices SET receipt = replace(receipt, 'Kava', 'Voda')`)
  await own.restart()
  expect((await diagnose(own)).find(({ name }) => name === 'journal')).toMatchObject({ status: 'fail' })
})

test('what a kill left: never printed again what was being printed, printed what still has somebody waiting', async () => {
  const own = await startGateway()
  const paper = await setFilePrinter(own)
  const sold = [await own.sell(), await own.sell(), await own.sell()]
  for (const { zki } of sold) await fileWith(paper, zki)
  await expect.poll(async () => (await printOf(own, String(sold[2]?.id))).receipt_print?.status).toBe('unconfirmed')
  await own.stop()
  const [cut, waiting, gone] = sold.map(({ id }) => `WHERE invoice_id = '${id}'`)
  tamper(
    join(own.dataDir, 'fiskd.db'),
    `UPDATE print_jobs SET status = 'sending', ended_at = NULL, detail = NULL ${cut}`,
    `UPDATE print_jobs SET status = 'queued', ended_at = NULL, begun_at = NULL, detail = NULL ${waiting}`,
    `UPDATE print_jobs SET status = 'queued', ended_at = NULL, begun_at = NULL, expires_at = created_at ${gone}`,
  )
  const before = receiptsIn(paper)
  await own.restart()
  const statuses = async () => Promise.all(sold.map(async ({ id }) => (await printOf(own, id)).receipt_print?.status))
  await expect.poll(statuses).toEqual(['unconfirmed', 'unconfirmed', 'expired'])
  expect(receiptsIn(paper)).toBe(before + 1)
  expect(textOf(paper).split(String(sold[1]?.zki)).length - 1).toBeGreaterThan(1)
})

test('the store keeps one original per invoice, and an ended job is final, whoever writes', async () => {
  const own = await startGateway()
  await setFilePrinter(own)
  const sold = await own.sell()
  await expect.poll(async () => (await printOf(own, sold.id)).receipt_print?.status).toBe('unconfirmed')
  await own.stop()
  const store = await openStore(join(own.dataDir, 'fiskd.db'), 1)
  const job = await store.printJobs.get(sold.id, 0)
  if (!job) throw new Error('there is no job')
  await expect(store.printJobs.insert(job)).rejects.toThrow()
  expect(await store.printJobs.begin(sold.id, 0, 1)).toBe(false)
  expect(await store.printJobs.end(sold.id, 0, { status: 'printed', endedAt: 1, detail: null, reason: null })).toBe(
    false,
  )
  await store.close()
})

test('a copy has the header, footer and language that the original had', async () => {
  const own = await startGateway()
  const paper = await setFilePrinter(own)
  const configure = (receipt: object) =>
    own.admin(`/v1/devices/${own.deviceId}`, { method: 'PATCH', body: { device_config: { receipt } } })
  await configure({ header: ['Dobro došli'], language: 'en' })
  const sold = await own.sell()
  await fileWith(paper, sold.zki)
  await configure({ header: ['Nešto drugo'], language: 'hr' })
  await own.admin(`/admin/invoices/${sold.id}/copies`, { method: 'POST' })
  await fileWith(paper, 'KOPIJA')
  const copy = String(textOf(paper).split('KOPIJA')[1])
  expect(copy).toContain('Dobro došli')
  expect(copy).not.toContain('Nešto drugo')
  expect(copy).toContain('TOTAL')
})

test('a quantity of nothing is refused', async () => {
  for (const quantity of ['0', '-0', '0.000']) {
    expect((await gateway.post({ items: [{ ...ITEMS[0], quantity }] })).status).toBe(400)
  }
})
