/**
 * Vending firmware that sells through fiskd, with types made from its OpenAPI document (Node 22.19 or newer).
 *
 * Each line on standard input is a press of the button: `sell SALE TOTAL METHOD [ITEM]`. See ../README.md for the rest.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { setDefaultCACertificates } from 'node:tls'
import createClient from 'openapi-fetch'
import type { paths } from './fiskd.d.ts'

type NewInvoice = paths['/v1/invoices']['post']['requestBody']['content']['application/json']
type Invoice = paths['/v1/invoices']['post']['responses'][200]['content']['application/json']

/** What must survive a power cut: the same key and the same bytes are the same sale. */
interface Sale {
  name: string
  key: string
  createdAt: number
  body: string
}

/** fiskd may take 9 s. */
const TIMEOUT_MS = 15_000
const LONGEST_WAIT_S = 30
/** fiskd remembers a key for 24 h. */
const KEY_LIFETIME_MS = 23 * 3_600_000

const STATE = setting('FISKD_STATE')
const OPEN_SALE = join(STATE, 'open-sale.json')

// Only the CA of this fiskd is trusted, and none of the system.
setDefaultCACertificates([readFileSync(setting('FISKD_CA'), 'utf8')])
const fiskd = createClient<paths>({
  baseUrl: setting('FISKD_URL'),
  headers: { Authorization: `Bearer ${setting('FISKD_KEY')}` },
})

/** Resolves when the sale is on the disk: the file is there whole, or not at all. */
async function store(sale: Sale): Promise<void> {
  const file = await open(`${OPEN_SALE}.new`, 'w')
  await file.writeFile(JSON.stringify(sale))
  await file.sync()
  await file.close()
  await rename(`${OPEN_SALE}.new`, OPEN_SALE)
  await syncState()
}

async function forget(): Promise<void> {
  await unlink(OPEN_SALE)
  await syncState()
}

/** A new name, or one less, is on the disk only when the folder is. */
async function syncState(): Promise<void> {
  const folder = await open(STATE)
  await folder.sync()
  await folder.close()
}

/** Sends a stored sale once. @returns undefined when there was no whole answer */
async function post(sale: Sale) {
  try {
    return await fiskd.POST('/v1/invoices', {
      params: { header: { 'Idempotency-Key': sale.key } },
      body: JSON.parse(sale.body) as NewInvoice,
      // The stored bytes go out, not what another version of this program would make of them.
      bodySerializer: () => sale.body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    console.error('no answer:', error)
    return undefined
  }
}

/** Sends a stored sale until fiskd has decided; then the goods, or the money back. */
async function settle(sale: Sale): Promise<void> {
  for (let backoff = 1; ; ) {
    if (Date.now() - sale.createdAt > KEY_LIFETIME_MS) {
      // Sent again, it could become a second sale. A person looks whether fiskd has it: GET /v1/invoices.
      console.error('nobody knows what became of', sale)
      return refuse(sale)
    }
    const answer = await post(sale)
    const status = answer?.response.status ?? 0
    if (answer?.data) return complete(sale, answer.data)
    if (status >= 400 && status < 500 && status !== 429) {
      // The request or the set-up is wrong: sent again as it is, it would be refused again.
      console.error(answer?.error)
      return refuse(sale)
    }
    // 429, 5xx or no answer: the sale may be stored. The same bytes with the same key are safe.
    const asked = Number(answer?.response.headers.get('retry-after') ?? 0)
    const wait = asked > 0 ? asked : backoff
    if (wait !== asked) backoff = Math.min(backoff * 2, LONGEST_WAIT_S)
    console.error(`answer ${status}: again in ${wait} s`)
    await sleep(wait * 1000)
  }
}

/** A 200 is a valid sale, whether there is a JIR yet or not. */
async function complete(sale: Sale, invoice: Invoice): Promise<void> {
  console.error(`sold as number ${invoice.number}, ${invoice.status}, JIR ${invoice.jir}`)
  console.log(`screen ${sale.name} ${invoice.qr_payload}`)
  // Stored before the motor turns: a power cut in between never gives the goods out twice.
  // A machine with a sensor that sees the goods fall forgets the sale after it has seen them.
  await forget()
  console.log(`goods ${sale.name}`)
  const { FISKD_RECEIPT: file } = process.env
  if (file) await show(invoice.id, file)
}

async function refuse(sale: Sale): Promise<void> {
  await forget()
  console.log(`refused ${sale.name}`)
}

/** The receipt as a picture in a file, for a machine with a display; the goods did not wait for it. */
async function show(id: string, file: string): Promise<void> {
  try {
    const { data } = await fiskd.GET('/v1/invoices/{id}/receipt', {
      params: { path: { id }, header: { 'Idempotency-Key': `receipt-${id}` } },
      headers: { Accept: 'image/png' },
      parseAs: 'arrayBuffer',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (data) writeFileSync(file, Buffer.from(data))
  } catch (error) {
    console.error('no picture:', error)
  }
}

/** The button is pressed and paid for. Money stays text. */
async function press(name: string, total: string, method: string, item: string): Promise<void> {
  const now = new Date()
  const invoice: NewInvoice = {
    device_id: setting('FISKD_DEVICE'),
    occurred_at: now.toISOString(),
    total,
    payment_method: method as NonNullable<NewInvoice['payment_method']>,
    ...(item && { items: [{ name: item, quantity: '1', unit_price: total, amount: total }] }),
  }
  const sale = { name, key: randomUUID(), createdAt: now.getTime(), body: JSON.stringify(invoice) }
  await store(sale)
  await settle(sale)
}

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

if (existsSync(OPEN_SALE)) await settle(JSON.parse(readFileSync(OPEN_SALE, 'utf8')))
for await (const line of createInterface({ input: process.stdin })) {
  const [, name, total, method, item = ''] = /^sell (\S+) (\S+) (\S+)(?: (.+))?$/.exec(line) ?? []
  if (name && total && method) await press(name, total, method, item)
  else console.error('not understood:', line)
}
