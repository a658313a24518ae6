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
type Invoice = paths['/v1/invoices/{id}']['get']['responses'][200]['content']['application/json']
/** What both the answer to a sale and a search say of it. */
type Sold = Pick<Invoice, 'id' | 'number' | 'status' | 'jir' | 'qr_payload'>

/** What must survive a power cut: the same key and the same bytes are the same sale. */
interface Sale {
  name: string
  key: string
  /** An Idempotency-Key belongs to the API key that it was first sent with. */
  apiKey: string
  createdAt: number
  body: string
}

/** fiskd may take 9 s. */
const TIMEOUT_MS = 15_000
const LONGEST_WAIT_S = 30
/** fiskd remembers a key for 24 h. */
const KEY_LIFETIME_MS = 23 * 3_600_000
/** Every other status but 200 says nothing about the sale. */
const REFUSALS = [400, 401, 403, 404, 409, 413]

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

/** No goods and no money: somebody has to look whether fiskd has the sale. */
async function leaveToPerson(sale: Sale): Promise<void> {
  console.error('a person has to look what became of', sale)
  await rename(OPEN_SALE, join(STATE, `left-${sale.key}.json`))
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
      headers: { Authorization: `Bearer ${sale.apiKey}` },
      // Another address is no fiskd.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    console.error('no answer:', error)
    return undefined
  }
}

/** What fiskd asks for, else a second, doubling. */
function waits(): (response: Response | undefined) => Promise<void> {
  let backoff = 1
  return async (response) => {
    const asked = Number(response?.headers.get('retry-after') ?? 0)
    const wait = asked > 0 ? asked : backoff
    if (wait !== asked) backoff = Math.min(backoff * 2, LONGEST_WAIT_S)
    console.error(`answer ${response?.status ?? 'missing'}: again in ${wait} s`)
    await sleep(wait * 1000)
  }
}

/** Sends a stored sale until fiskd has decided; then the goods, or the money back. */
async function settle(sale: Sale, mayBeStored = false): Promise<void> {
  const wait = waits()
  for (;;) {
    // Sent again under a key that is forgotten, it could become a second sale.
    if (Date.now() - sale.createdAt > KEY_LIFETIME_MS) return lookFor(sale, sendAnew)
    const answer = await post(sale)
    const status = answer?.response.status ?? 0
    if (status === 200 && answer?.data) return complete(sale, answer.data)
    if (answer?.error?.error?.code === 'idempotency_key_reused') return lookFor(sale, refuse)
    // 401 and 403 say nothing about the attempts before.
    const isDoubtful = mayBeStored && (status === 401 || status === 403)
    if (REFUSALS.includes(status) && !isDoubtful) {
      // The request or the set-up is wrong: sent again as it is, it would be refused again.
      console.error(answer?.error)
      return refuse(sale)
    }
    // The sale may be stored. The same bytes with the same key are safe.
    mayBeStored ||= status !== 429
    await wait(answer?.response)
  }
}

/** Searches for a sale by its moment and its total. */
async function lookFor(sale: Sale, ifNotThere: (sale: Sale) => Promise<void>): Promise<void> {
  const sold = JSON.parse(sale.body) as NewInvoice
  const second = Math.floor(Date.parse(sold.occurred_at) / 1000) * 1000
  const moment = (ms: number) => new Date(ms).toISOString()
  const query = { device_id: sold.device_id, from: moment(second), to: moment(second + 1000) }
  const wait = waits()
  for (;;) {
    const answer = await fiskd
      .GET('/v1/invoices', { params: { query }, signal: AbortSignal.timeout(TIMEOUT_MS) })
      .catch(() => undefined)
    if (REFUSALS.includes(answer?.response.status ?? 0)) return leaveToPerson(sale)
    if (answer?.data) {
      const found = answer.data.data.filter(
        ({ occurred_at, total }) => occurred_at === sold.occurred_at && total === sold.total,
      )
      if (found.length > 1) return leaveToPerson(sale)
      return found[0] ? complete(sale, found[0]) : ifNotThere(sale)
    }
    await wait(answer?.response)
  }
}

/** fiskd does not have it: it becomes a sale now, under a new key. */
async function sendAnew(sale: Sale): Promise<void> {
  const anew = { ...sale, key: randomUUID(), apiKey: setting('FISKD_KEY'), createdAt: Date.now() }
  await store(anew)
  await settle(anew)
}

/** A 200 is a valid sale, whether there is a JIR yet or not. */
async function complete(sale: Sale, invoice: Sold): Promise<void> {
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
  const keys = { key: randomUUID(), apiKey: setting('FISKD_KEY') }
  const sale = { name, ...keys, createdAt: now.getTime(), body: JSON.stringify(invoice) }
  await store(sale)
  await settle(sale)
}

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

if (existsSync(OPEN_SALE)) await settle(JSON.parse(readFileSync(OPEN_SALE, 'utf8')), true)
for await (const line of createInterface({ input: process.stdin })) {
  const [, name, total, method, item = ''] = /^sell (\S+) (\S+) (\S+)(?: (.+))?$/.exec(line) ?? []
  if (name && total && method) await press(name, total, method, item)
  else console.error('not understood:', line)
}
