import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Machine } from '../../src/simulator/index.ts'
import type { Call } from '../support/call.ts'
import { fileWith } from '../support/eventually.ts'
import { type Gateway, type InvoiceBody, startGateway, startSharedGateway } from '../support/gateway.ts'
import { codesIn, withoutBlanks } from '../support/printer.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const ITEMS = [{ name: 'Čokolada', quantity: '1', unit_price: '2.50', amount: '2.50' }]

let gateway: Gateway
/** A device that prints nothing. */
let bare: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  bare = await gateway.addDevice({ isu_number: '202' })
})

const sell = (changes: object = {}) => gateway.sell({ device_id: bare, items: ITEMS, ...changes })
const get = (id: string, headers: Call['headers'] = {}, query = '', by = gateway) =>
  by.v1(`/invoices/${id}/receipt${query}`, { headers })
const printOf = async (id: string, by = gateway) =>
  ((await by.invoice(id)) as unknown as { receipt_print: { status: string } | null }).receipt_print

const isCopy = ({ text }: { text: string }) => text.includes('KOPIJA')

async function withFilePrinter(device_id: string, settings = {}): Promise<string> {
  const file = join(await tempDir(), 'paper.bin')
  const body = { line: `file:${file}`, ...settings }
  expect((await gateway.admin(`/admin/printers/${device_id}`, { method: 'PATCH', body })).status).toBe(200)
  return file
}

describe('the original', () => {
  test('goes to whoever asks first, and everybody later gets a copy that says so', async () => {
    const sold = await sell()
    expect(await printOf(sold.id)).toBeNull()
    const [first, later] = [await get(sold.id), await get(sold.id)]
    expect(first).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'Accept', 'cache-control': 'no-store' },
    })
    expect(withoutBlanks(first.text)).toContain(sold.zki)
    expect([first, later].map(isCopy)).toEqual([false, true])
    expect(await printOf(sold.id)).toMatchObject({ status: 'unconfirmed', printed_at: null })
  })

  test('is one, however many ask at once', async () => {
    const sold = await sell()
    const answers = await Promise.all(Array.from({ length: 12 }, () => get(sold.id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(answers.filter((answer) => !isCopy(answer))).toHaveLength(1)
  })

  test('comes again to the same idempotency key with the same bytes, also after the JIR came', async () => {
    await gateway.cis.goDown()
    const sold = await sell()
    const headers = { 'idempotency-key': `receipt-${sold.id}`, accept: 'application/vnd.escpos' }
    const first = await get(sold.id, headers)
    await gateway.cis.comeBack()
    await gateway.sweep()
    const again = await get(sold.id, headers)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.bytes.equals(first.bytes)).toBe(true)
    const copy = await get(sold.id)
    expect(withoutBlanks(copy.text)).toContain((await gateway.invoice(sold.id)).jir)
    expect(isCopy(copy)).toBe(true)
  })

  test('is not another form for the same idempotency key', async () => {
    const sold = await sell()
    const headers = { 'idempotency-key': `receipt-${sold.id}` }
    expect((await get(sold.id, headers)).status).toBe(200)
    expect(await get(sold.id, { ...headers, accept: 'image/png' })).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_key_reused', param: 'Idempotency-Key' } },
    })
  })

  test('survives a crash of the daemon as given out', async () => {
    const own = await startGateway()
    const sold = await own.sell()
    expect(isCopy(await get(sold.id, {}, '', own))).toBe(false)
    await own.restart()
    expect(isCopy(await get(sold.id, {}, '', own))).toBe(true)
  })

  test('is not used up by HEAD', async () => {
    const sold = await sell()
    const head = await gateway.v1(`/invoices/${sold.id}/receipt`, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
    const first = await get(sold.id)
    expect(Number(head.headers['content-length'])).toBe(first.bytes.length)
    expect(isCopy(first)).toBe(false)
  })

  test('is not used up by a refusal', async () => {
    const footer = Array.from({ length: 20 }, () => 'x'.repeat(200))
    const device_config = { receipt: { footer, header: footer } }
    const device = await gateway.addDevice({ isu_number: '205', device_config })
    const items = Array.from({ length: 100 }, () => ({ ...ITEMS[0], name: 'Ž'.repeat(200), amount: '0.02' }))
    const sold = await gateway.sell({ device_id: device, items, total: '2.00' })
    expect(await get(sold.id, { accept: 'image/png' })).toMatchObject({ status: 400 })
    expect(await get(sold.id, { accept: 'text/html' })).toMatchObject({ status: 406 })
    expect(isCopy(await get(sold.id))).toBe(false)
  })

  test('stays for the firmware when somebody else reads', async () => {
    const sold = await sell()
    const authorization = `Bearer ${await gateway.createKey({ scopes: ['invoices:read'] })}`
    expect(isCopy(await get(sold.id, { authorization }))).toBe(true)
    expect((await gateway.admin(`/v1/invoices/${sold.id}/receipt`)).text).toContain('KOPIJA')
    expect((await gateway.admin(`/admin/invoices/${sold.id}/receipt`)).status).toBe(200)
    expect(isCopy(await get(sold.id))).toBe(false)
  })

  test.each([
    ['failed', [{ error: 's001' }]],
    ['retrying', ['s006', 's006']],
  ] as const)('of a sale that is %s has no JIR', async (status, troubles) => {
    gateway.cis.misbehave(...troubles)
    const sold = await sell()
    expect(sold.status).toBe(status)
    const { text } = await get(sold.id)
    expect(withoutBlanks(text)).toContain(sold.zki)
    expect(text).not.toMatch(/KOPIJA|JIR:? [0-9a-f]{8}/)
  })
})

describe('of a device with a printer', () => {
  test('is a copy, for the original is on paper', async () => {
    const device = await gateway.addDevice({ isu_number: '203' })
    const file = await withFilePrinter(device, { settings: { columns: 32, small_font_dots: 9 } })
    const sold = await gateway.sell({ device_id: device })
    expect(isCopy(await get(sold.id))).toBe(true)
    await fileWith(file, sold.zki)
    expect(isCopy(await get(sold.id))).toBe(true)
  })

  test('is the original where it expired before its first byte, and the printer never prints it any more', async () => {
    const device = await gateway.addDevice({ isu_number: '204' })
    await withFilePrinter(device)
    const occurred_at = new Date(Date.now() - 6 * 60_000).toISOString()
    const sold = await gateway.sell({ device_id: device, occurred_at })
    expect(await printOf(sold.id)).toMatchObject({ status: 'expired' })
    expect([await get(sold.id), await get(sold.id)].map(isCopy)).toEqual([false, true])
    expect(await printOf(sold.id)).toMatchObject({ status: 'unconfirmed' })
    const copied = await gateway.admin(`/admin/invoices/${sold.id}/copies`, { method: 'POST' })
    expect(copied.body).toMatchObject({ copy: 1 })
  })
})

test('ESC/POS is what its content type says, also where the printer of the device has other commands', async () => {
  const device = await gateway.addDevice({ isu_number: '206' })
  await withFilePrinter(device, { profile: 'star-tsp100' })
  const sold = await gateway.sell({ device_id: device })
  const { bytes } = await get(sold.id, { accept: 'application/vnd.escpos' })
  const machine = new Machine({ dots: 576, dpi: 203, bufferBytes: 1 << 20 })
  machine.receive(bytes)
  const { papers, unknownCommands } = machine
  await machine.close()
  expect({ unknownCommands, papers: papers.length }).toEqual({ unknownCommands: [], papers: 1 })
})

test('a key of one device gets no receipt of another', async () => {
  const sold = await sell()
  const key = await gateway.createKey({ device_id: gateway.deviceId })
  const refused = await get(sold.id, { authorization: `Bearer ${key}` })
  expect(refused).toMatchObject({ status: 404, body: { error: { code: 'invalid_request', param: 'id' } } })
  expect(isCopy(await get(sold.id))).toBe(false)
})

test('what fiskd cannot write is refused with what it can', async () => {
  const refused = await get((await sell()).id, { accept: 'text/html, image/jpeg' })
  expect(refused).toMatchObject({
    status: 406,
    headers: { vary: 'Accept' },
    body: { error: { type: 'validation_error', code: 'invalid_request', param: 'Accept' } },
  })
  expect(refused.text).toContain('application/vnd.escpos')
})

test('the width of the paper can be chosen', async () => {
  const sold = await sell()
  const widest = async (query: string) =>
    Math.max(...(await get(sold.id, {}, query)).text.split('\n').map((line) => line.replace(/[█▀▄ ]+$/, '').length))
  expect([await widest(''), await widest('?columns=32')]).toEqual([48, 32])
  const refused = await get(sold.id, {}, '?columns=33')
  expect(refused).toMatchObject({ status: 400, body: { error: { param: 'columns' } } })
})

describe.skipIf(skipWithout('pdftotext', 'zbarimg'))('in every form', () => {
  let sold: InvoiceBody
  const words = (text: string) => text.split(/[\s█▀▄]+/).filter(Boolean)
  beforeAll(async () => {
    sold = await sell()
    await get(sold.id)
  })

  test('PDF has the words of the text, as a stranger reads it', async () => {
    const file = join(await tempDir(), 'receipt.pdf')
    writeFileSync(file, (await get(sold.id, { accept: 'application/pdf' })).bytes)
    const { stdout } = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
    const unaccented = (text: string) => text.replaceAll('€', 'EUR')
    expect(words(unaccented(stdout))).toEqual(words(unaccented((await get(sold.id)).text)))
  })

  test('PNG has the QR code of the invoice', async () => {
    const { bytes, headers } = await get(sold.id, { accept: 'image/png' })
    expect(headers['content-type']).toBe('image/png')
    expect(codesIn(bytes)).toEqual([sold.qr_payload])
  })

  test('ESC/POS prints on a printer that knows nothing special', async () => {
    const { bytes } = await get(sold.id, { accept: 'application/vnd.escpos' })
    const machine = new Machine({ dots: 576, dpi: 203, bufferBytes: 1 << 20 })
    machine.receive(bytes)
    const { papers, unknownCommands, refused } = machine
    await machine.close()
    expect({ unknownCommands, refused, papers: papers.length }).toEqual({ unknownCommands: [], refused: [], papers: 1 })
    expect(papers[0]?.cut).toBe(true)
    expect(codesIn(papers[0]?.png() ?? Buffer.alloc(0))).toEqual([sold.qr_payload])
  })
})
