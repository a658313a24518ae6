import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import type { Defect } from './defects.ts'

/** The firmware of the tests: all that docs/firmware.md wants, and the planted mistakes that the command line names. */
const has = (defect: Defect) => String(process.argv[2]).split(',').includes(defect)

const { FISKD_URL = '', FISKD_CA = '', FISKD_KEY = '', FISKD_DEVICE = '', FISKD_STATE = '' } = process.env
const ca = readFileSync(FISKD_CA)

interface StoredSale {
  n: number
  word: string
  key: string
  apiKey: string
  /** Epoch milliseconds. */
  madeAt: number
  body: string
  done: 'no' | 'goods' | 'refused'
}

interface Answer {
  status: number
  replayed: boolean
  retryAfterS: number | null
  body: Record<string, unknown>
}

const REFUSALS = [400, 401, 403, 404, 409, 413]
const KEY_LIFE_MS = 23 * 3_600_000

const say = (line: string) => void process.stdout.write(`${line}\n`)
const fileOf = ({ n }: StoredSale) => join(FISKD_STATE, `sale-${n}.json`)

function store(sale: StoredSale): void {
  writeFileSync(`${fileOf(sale)}.new`, JSON.stringify(sale), { flush: true })
  renameSync(`${fileOf(sale)}.new`, fileOf(sale))
}

const stored: StoredSale[] = readdirSync(FISKD_STATE)
  .filter((name) => name.endsWith('.json'))
  .map((name): StoredSale => JSON.parse(readFileSync(join(FISKD_STATE, name), 'utf8')))
  .sort((a, b) => a.n - b.n)
/** How many sales were there before this start. */
const known = stored.length
if (has('key-lost-at-restart')) for (const sale of stored) sale.key = randomUUID()

const queue = has('forgets-open-sales')
  ? []
  : stored.filter(({ done }) => has('goods-again-after-restart') || done === 'no')
let wake = () => {}
let ended = false

createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (has('ignores-button')) return
    const [, word = '', total = '', method = ''] = /^sell (\S+) (\S+) (\S+)/.exec(line) ?? []
    const said = { n: stored.length, word, key: keyOf(), apiKey: FISKD_KEY, madeAt: Date.now() }
    const sale = { ...said, body: bodyOf(total, method), done: 'no' as const }
    stored.push(sale)
    store(sale)
    if (has('reorders')) queue.unshift(sale)
    else queue.push(sale)
    wake()
  })
  .on('close', () => {
    ended = true
    wake()
  })

function keyOf(): string {
  return has('one-key-for-all') ? `machine-${FISKD_DEVICE}` : randomUUID()
}

function bodyOf(total: string, method: string, at = new Date()): string {
  const occurred = has('no-offset') ? at.toISOString().slice(0, 19) : at.toISOString()
  return JSON.stringify({
    device_id: FISKD_DEVICE,
    occurred_at: occurred,
    total: has('float-total') ? Number(total) : has('short-total') ? String(Number(total)) : total,
    payment_method: has('always-cash') ? 'G' : method,
  })
}

for (;;) {
  const sale = queue.shift()
  if (sale) await sell(sale)
  else if (ended) break
  else await new Promise<void>((resolve) => (wake = resolve))
}
if (has('ends-badly')) process.exitCode = 3

async function sell(sale: StoredSale): Promise<void> {
  if (has('goods-before-answer')) say(`goods ${sale.word}`)
  let waitS = has('hammers') ? 0.02 : 1
  let mayBeStored = stored.indexOf(sale) < known
  for (let tries = 1; ; tries++) {
    if (Date.now() - sale.madeAt > KEY_LIFE_MS && !has('no-23-hour-rule')) return lookFor(sale)
    const answer = await post(sale, tries)
    const refusesAll = has('gives-up-on-503') && answer?.status === 503
    const isDoubtful = mayBeStored && [401, 403].includes(Number(answer?.status)) && !has('money-back-on-401')
    if (answer?.status === 409 && !has('money-back-on-409') && !has('other-bytes')) return lookFor(sale)
    if (refusesAll || (answer && !isDoubtful && REFUSALS.includes(answer.status))) {
      if (await refused(sale, tries)) return
      continue
    }
    mayBeStored ||= answer?.status !== 429
    if (answer?.status === 200 && isRight(answer)) return finished(sale, answer)
    if (has('no-retry')) return
    const asked = has('ignores-retry-after') ? null : (answer?.retryAfterS ?? null)
    await delay((asked ?? waitS) * 1000)
    if (!has('hammers')) waitS = Math.min(2 * waitS, 30)
  }
}

/** Looks among the invoices of the machine: what is there was sold. */
async function lookFor(sale: StoredSale): Promise<void> {
  const isSold = await isStored(sale)
  sale.done = isSold ? 'goods' : 'refused'
  store(sale)
  say(`${sale.done} ${sale.word}`)
}

/** @returns whether that is the end of it */
async function refused(sale: StoredSale, tries: number): Promise<boolean> {
  if (has('retries-refusal') && tries < 3) {
    await delay(1000)
    return false
  }
  if (has('goods-on-refusal')) say(`goods ${sale.word}`)
  else if (!has('keeps-money')) say(`refused ${sale.word}`)
  sale.done = 'refused'
  store(sale)
  return true
}

function isStored(sale: StoredSale): Promise<boolean> {
  const { total } = JSON.parse(sale.body)
  const headers = { authorization: `Bearer ${FISKD_KEY}` }
  return new Promise((resolve, reject) => {
    request(`${FISKD_URL}/v1/invoices?device_id=${FISKD_DEVICE}`, { ca, agent: false, headers }, async (incoming) => {
      const list: { data: { total: string }[] } = JSON.parse(Buffer.concat(await incoming.toArray()).toString())
      resolve(list.data.some((invoice) => invoice.total === total))
    })
      .on('error', reject)
      .end()
  })
}

function isRight({ body }: Answer): boolean {
  return !(has('fails-on-new-fields') && 'another_new_field' in body)
}

async function finished(sale: StoredSale, answer: Answer): Promise<void> {
  if (has('fails-on-replay') && answer.replayed) return
  if (has('no-goods-without-jir') && answer.body.jir === null) return
  if (has('keeps-goods') && !answer.replayed) return
  if (has('hands-out-late')) await delay(6000)
  sale.done = 'goods'
  store(sale)
  if (!has('goods-before-answer')) say(`goods ${sale.word}`)
  if (has('goods-twice')) say(`goods ${sale.word}`)
  if (!has('no-screen')) say(`screen ${sale.word} ${has('jir-on-screen') ? answer.body.jir : answer.body.qr_payload}`)
  if (has('sends-after-answer')) await post(sale, 2)
}

/** @returns null where no whole answer came */
function post(sale: StoredSale, tries: number, path = '/v1/invoices'): Promise<Answer | null> {
  const again = tries > 1
  if (again && has('new-key-per-try')) sale.key = randomUUID()
  let { body } = sale
  if (has('moment-of-sending') || (again && has('moment-of-retry')))
    body = JSON.stringify({ ...JSON.parse(body), occurred_at: new Date().toISOString() })
  if (again && (has('other-bytes') || has('other-bytes-found-by-search'))) {
    const { device_id, ...rest } = JSON.parse(body)
    body = JSON.stringify({ ...rest, device_id })
  }
  return new Promise((resolve) => {
    const outgoing = request(`${FISKD_URL}${path}`, {
      method: 'POST',
      ca,
      agent: false,
      rejectUnauthorized: !has('no-tls-verification'),
      checkServerIdentity: identify,
      headers: {
        ...(!has('no-authorization') && { authorization: `Bearer ${has('takes-new-key') ? FISKD_KEY : sale.apiKey}` }),
        ...(!has('no-key') && { 'idempotency-key': sale.key }),
        'content-type': has('text-body') ? 'text/plain' : 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
    })
    const trustsPiece = has('reads-first-piece')
    const stalled = () => outgoing.destroy(new Error('no answer'))
    const waiting = has('no-time-outs') ? undefined : setTimeout(stalled, has('impatient') ? 4000 : 10_000)
    outgoing.on('error', () => resolve(null))
    outgoing.on('close', () => clearTimeout(waiting))
    outgoing.on('response', async (incoming) => {
      if (has('time-out-ends-with-headers')) clearTimeout(waiting)
      try {
        if (has('follows-redirects') && incoming.headers.location)
          return resolve(await post(sale, tries, incoming.headers.location))
        let text = ''
        for await (const chunk of incoming.setEncoding('utf8')) {
          text += chunk
          if (trustsPiece) break
        }
        const retryAfter = incoming.headers['retry-after']
        const isJson = String(incoming.headers['content-type']).includes('json')
        resolve({
          status: incoming.statusCode ?? 0,
          replayed: incoming.headers['idempotent-replayed'] === 'true',
          retryAfterS: retryAfter === undefined ? null : Number(retryAfter),
          body: isJson ? JSON.parse(has('takes-half-for-whole') ? wholeOf(text) : text) : {},
        })
      } catch {
        resolve(null)
      }
    })
    outgoing.end(body)
  })
}

/** A firmware that closes what is open in an answer. */
function wholeOf(text: string): string {
  return text.trimEnd().endsWith('}') ? text : `${text.slice(0, text.lastIndexOf(','))}}`
}

/** A firmware that pins the certificate that it has seen first. */
function identify(host: string, certificate: PeerCertificate): Error | undefined {
  if (has('no-name-check')) return undefined
  if (!has('pins-certificate')) return checkServerIdentity(host, certificate)
  const print = createHash('sha256').update(certificate.raw).digest('hex')
  const pin = join(FISKD_STATE, 'pin')
  if (!existsSync(pin)) writeFileSync(pin, print)
  return readFileSync(pin, 'utf8') === print ? undefined : new Error('another certificate')
}
