import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { encodeReceipt } from '../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../src/receipts/escpos/printer-profiles.ts'
import { type PtyPrinter, startPtyPrinter } from '../../src/simulator/index.ts'
import { item, receipt } from '../../test/receipts/escpos/golden/sales.ts'
import { type DemoEnvironment, openDemoEnvironment } from '../demo/environment.ts'
import { reportReceiptSizes } from './receipt-sizes.ts'
import { median, quantile, round } from './statistics.ts'

/**
 * How long a buyer waits for the first byte of a receipt once the tax authority has answered, and whether a printer
 * keeps the response waiting: the real daemon, a simulated authority over TLS, a virtual printer on a pseudo terminal.
 * The last moment of the answer and the first byte of the receipt are seen by this process, by one clock. Machines with
 * native QR code, with a raster and without a printer sell in turn, so that a noisy machine is noisy to all of them.
 */
const ROUNDS = Number(process.argv[2] ?? 40)
const ITEMS = 10
const ENCODINGS = 200
const LIMIT_MS = 10
const ENCODING_LIMIT_MS = 20
const ESC_AT = Buffer.from([0x1b, 0x40])
/** The first word that stands on the receipt. */
const FIRST_WORD = 'TEST'
const OIB = '02994650199'

interface Lane {
  name: string
  deviceId: string
  /** Null: it prints nothing. */
  printer: PtyPrinter | null
  /** Milliseconds after the authority's answer. */
  response: number[]
  firstByte: number[]
  firstWord: number[]
}

let answeredAt = 0
let firstByteAt = 0
let firstWordAt = 0
subscribe('http.server.response.finish', (message) => {
  const { request } = message as { request: { url?: string } }
  if (request.url?.startsWith('/Fiskalizacija')) answeredAt = performance.now()
})

const items = Array.from({ length: ITEMS }, (_, n) => {
  return { name: `Čokoladica s lješnjacima ${n + 1}`, quantity: '1', unit_price: '0.50', amount: '0.50' }
})

const goods = items.map(({ name }) => item(name, '1', '0.50', '0.50'))

const house = await openDemoEnvironment()
const second = await startPtyPrinter()
try {
  for (const printer of [house.printer, second]) watch(printer)
  const { key, lanes } = await setUp(house)
  // What is loaded by the first sale of each is no part of the others.
  for (const lane of lanes) await sell(house, key, { ...lane, response: [], firstByte: [], firstWord: [] })
  for (let turn = 0; turn < ROUNDS; turn++) for (const lane of lanes) await sell(house, key, lane)
  report(lanes)
} finally {
  await house.close()
  second.close()
}
encoding()
reportReceiptSizes()

function watch(printer: PtyPrinter): void {
  const receive = printer.receive.bind(printer)
  printer.receive = (bytes) => {
    if (firstByteAt === 0 && Buffer.from(bytes).includes(ESC_AT)) firstByteAt = performance.now()
    if (firstWordAt === 0 && Buffer.from(bytes).includes(FIRST_WORD)) firstWordAt = performance.now()
    receive(bytes)
  }
}

async function setUp({ fisk, cis, dir, printer }: DemoEnvironment): Promise<{ key: string; lanes: Lane[] }> {
  const { p12, passphrase } = await cis.pki.issueCompany({ oib: OIB, name: 'Samoposluga d.o.o.' })
  await writeFile(join(dir, 'certificate.p12'), p12)
  await writeFile(join(dir, 'passphrase'), passphrase, { mode: 0o600 })
  await fisk('trust', 'add', '--mode', 'test', join(dir, 'authority-ca.pem'))
  await fisk('company', 'add', '--oib', OIB, '--name', 'Samoposluga d.o.o.', '--vat-rate', '25.00')
  const file = ['--file', join(dir, 'certificate.p12'), '--passphrase-file', join(dir, 'passphrase')]
  await fisk('cert', 'add', '--company', OIB, ...file)
  const printers = { native: printer, raster: second, 'no printer': null }
  const lanes: Lane[] = []
  for (const [name, its] of Object.entries(printers)) {
    const isu = String(lanes.length + 1)
    const add = ['device', 'add', '--company', OIB, '--premises', `P${isu}`, '--label', name, '--isu', isu]
    const { id } = await fisk(...add)
    lanes.push({ name, deviceId: String(id), printer: its, response: [], firstByte: [], firstWord: [] })
    const line = ['--line', `serial:${its?.path}`, '--profile', 'epson-tm-t20', '--qr', name]
    if (its) await fisk('printer', 'set', name, ...line)
  }
  const { key } = await fisk('key', 'create', '--mode', 'test')
  return { key: String(key), lanes }
}

async function sell(
  { v1 }: DemoEnvironment,
  key: string,
  { deviceId, printer, response, firstByte, firstWord }: Lane,
): Promise<void> {
  const sale = { device_id: deviceId, occurred_at: new Date().toISOString(), total: '5.00', payment_method: 'G', items }
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  firstByteAt = 0
  firstWordAt = 0
  const { status, text } = await v1({ method: 'POST', path: '/v1/invoices', headers, body: JSON.stringify(sale) })
  const respondedAt = performance.now()
  if (status !== 200) throw new Error(text)
  response.push(respondedAt - answeredAt)
  if (printer) {
    const { zki } = JSON.parse(text)
    while (!printer.papers.some((paper) => paper.cut && paper.text.replace(/\s+/g, '').includes(zki))) await delay(5)
    firstByte.push(firstByteAt - answeredAt)
    firstWord.push(firstWordAt - answeredAt)
  }
  // Customers come at any moment between two looks at the printer.
  await delay(300 + Math.random() * 700)
}

function report(lanes: Lane[]): void {
  const of = (values: number[]) => {
    return `median ${round(median(values))} ms, 95 % ${round(quantile(values, 0.95))} ms, worst ${round(Math.max(...values))} ms`
  }
  const without = lanes.find(({ printer }) => printer === null)
  console.log(`${ROUNDS} sales each, ${ITEMS} items; milliseconds after the tax authority's answer`)
  for (const { name, printer, response, firstByte, firstWord } of lanes) {
    console.log(`${name}: response ${of(response)}`)
    if (!printer) continue
    console.log(`  response, compared to no printer: ${round(median(response) / median(without?.response ?? []))}`)
    console.log(`  first byte on the line: ${of(firstByte)}; wanted: under ${LIMIT_MS} ms`)
    console.log(`  first word of the receipt: ${of(firstWord)}`)
  }
}

/** In this process, the first one after the start included. */
function encoding(): void {
  for (const qr of ['native', 'raster'] as const) {
    const settings = settingsOf('epson-tm-t20', { qr })
    const times = Array.from({ length: ENCODINGS }, () => {
      const sold = receipt({ items: goods, jir: randomUUID() })
      const startedAt = performance.now()
      encodeReceipt(sold, settings)
      return performance.now() - startedAt
    })
    const [first = 0, ...others] = times
    console.log(
      `encoding, 48 columns, ${ITEMS} items, ${qr} QR code: median ${round(median(others))} ms, ` +
        `worst ${round(Math.max(...others))} ms, the first one ${round(first)} ms; wanted: under ${ENCODING_LIMIT_MS} ms`,
    )
  }
}
