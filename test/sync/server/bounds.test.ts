import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { handleErrors } from '../../../src/api/errors.ts'
import { FiskError } from '../../../src/domain/errors.ts'
import type { GatewayRecord } from '../../../src/fiscal/ports/gateways.ts'
import type { SyncRecord, SyncRows } from '../../../src/fiscal/ports/outbox.ts'
import { newNonce } from '../../../src/sync/gateway/handshake.ts'
import { createBodyMemoryLimit } from '../../../src/sync/server/body.ts'
import { type CommandRoutesOptions, commandRoutes } from '../../../src/sync/server/commands-routes.ts'
import { SYNC_BOUNDS } from '../../../src/sync/wire/bounds.ts'
import { encodeRecord } from '../../../src/sync/wire/records.ts'
import { type Bring, TAKEN, testBounds } from '../../support/bounds.ts'
import type { Answer } from '../../support/call.ts'
import { HEARTBEAT } from '../../support/commands.ts'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { largestSale } from '../../support/large-rows.ts'
import { OIBS } from '../../support/pki.ts'
import { slowLine } from '../../support/slow-line.ts'
import { addGateway, enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

type Kiosk = Fleet & { gateway: Speaker }

let server: Gateway
/** One that has told of what it sells with, and of a sale. */
let shared: Kiosk & { sold: SyncRows['invoice'] }
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
  const made = await kiosk()
  shared = { ...made, sold: made.invoice(1) }
  expect(await told(shared, record('invoice', shared.sold))).toBe(TAKEN)
})

let kiosks = 0
async function kiosk(): Promise<Kiosk> {
  const own = `${++kiosks}`
  const made = fleet({ oib: OIBS[1], premisesCode: `B${own}`, label: `Bounds ${own}`, isuNumber: `${9000 + kiosks}` })
  const gateway = await enrolGateway(server)
  expect((await gateway.push(made.parents())).body.refused).toEqual([])
  return { ...made, gateway }
}

type Said = Pick<Answer<{ error?: { code: string } }>, 'status' | 'body'>
/** What becomes of a request that is right but for its size. */
const said = ({ status, body }: Said) => (status < 300 ? TAKEN : `${status} ${body.error?.code}`)

const refusalIn = ({ status, body }: Awaited<ReturnType<Speaker['push']>>) => {
  expect(status).toBe(200)
  return body.refused.length === 0 ? TAKEN : `the record is refused: ${body.refused[0]?.code}`
}
/** From the beginning, for what was refused as a whole moved no position. */
const pushAll = (gateway: Speaker, all: SyncRecord[]) => gateway.push(all, { after: 0 })
const told = async ({ gateway }: Kiosk, ...all: SyncRecord[]) => refusalIn(await pushAll(gateway, all))

/** A record with a field as it stands on the wire. */
async function toldRaw(one: SyncRecord, field: string, value: unknown): Promise<string> {
  const wire = encodeRecord(one)
  return refusalIn(
    await shared.gateway.pushRaw([{ ...wire, row: { ...(wire.row as object), [field]: value } }], { after: 0 }),
  )
}

const x = (count: number) => 'x'.repeat(count)
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

const UNPACKED = { headers: { 'content-encoding': undefined } }
const EMPTY_PUSH = '{"after":0,"position":0,"records":[]}'
const pushed = async (body: Buffer, options = {}) => said(await shared.gateway.ask('/push', body, options))

const polled = async (changes: object, { gateway }: Pick<Kiosk, 'gateway'> = shared) =>
  said(await gateway.ask('/poll', { wait_s: 0, heartbeat: HEARTBEAT, last_command: 0, ...changes }))
const beating = (changes: object) => polled({ heartbeat: { ...HEARTBEAT, ...changes } })
const greeted = async (changes: object) => said(await shared.gateway.hello(changes))
const sameOf = (...all: string[]) => {
  expect(new Set(all).size, all.join()).toBe(1)
  return all[0] ?? ''
}

async function commandFor({ id }: Speaker, type: string): Promise<string> {
  const sent = await server.admin<{ id: string }>(`/admin/gateways/${id}/commands`, { body: { type } })
  return sent.body.id
}

/** Asks while others of the same sender have begun and do not go on. */
async function beside(others: number, begin: () => ReturnType<typeof slowLine>, ask: () => Promise<Said>) {
  const lines = await Promise.all(Array.from({ length: others }, begin))
  await setTimeout(300)
  const answer = said(await ask())
  for (const line of lines) line.destroy()
  // They give back what they held.
  await expect.poll(async () => said(await ask())).toBe(TAKEN)
  return answer
}

/** Whether there is memory for a body of so many bytes. */
async function heldIn(takeRoom: ReturnType<ReturnType<typeof createBodyMemoryLimit>>, bytes: number): Promise<string> {
  const request = { headers: { 'content-length': String(bytes) } } as FastifyRequest
  const reply = { raw: { once: () => {} } } as unknown as FastifyReply
  const payload = { once: () => {}, pipe: () => payload } as never
  return takeRoom(request, reply, payload).then(
    () => TAKEN,
    (error) => (error instanceof FiskError ? `${error.status} ${error.code}` : String(error)),
  )
}
const oneBody = { bytes: Number.MAX_SAFE_INTEGER, bodies: 1, senderOf: () => 'somebody' }

/** gzip of `<a/>` with a name that makes it so many characters in base64. */
function zippedOf(characters: number): string {
  const zipped = gzipSync('<a/>')
  zipped[3] = 8
  const name = Buffer.alloc((Math.floor(characters / 4) * 3 - zipped.length) as number, 'n')
  name[name.length - 1] = 0
  const base64 = Buffer.concat([zipped.subarray(0, 10), name, zipped.subarray(10)]).toString('base64')
  return base64 + 'A'.repeat(characters % 4)
}

const invoice = (changes: Partial<SyncRows['invoice']>) => shared.invoice(++sales, changes)
let sales = 1
const line = { rate: '25.00', base: '2.00', amount: '0.50' }
const RECEIPT = {
  ...{ header: [], footer: [], language: 'hr', issuerName: 'x', issuerAddress: [], premisesAddress: null },
  ...{ machine: 'x', items: [] },
} as const
const item = { name: 'x', quantity: '1', unitPrice: '0.00', amount: '0.00' }
const printed = (receipt: object) =>
  told(shared, record('invoice', invoice({ receipt: { ...RECEIPT, ...receipt } as SyncRows['invoice']['receipt'] })))
const aMessage = (changes: Partial<SyncRows['message']> = {}) =>
  record('message', shared.message(shared.sold.id, { attemptNo: ++attempts, ...changes }))
let attempts = 0
function withLines(changes: Partial<SyncRows['invoice']['document']>): Promise<string> {
  const sale = invoice({})
  return told(shared, record('invoice', { ...sale, document: { ...sale.document, ...changes } }))
}
const withConfig = (deviceConfig: SyncRows['device']['deviceConfig']) =>
  told(shared, record('device', { ...shared.device, deviceConfig }))

/** Whether a sale with this number is stored, after one with a number before it. */
async function numbered(number: number, before?: number): Promise<string> {
  const made = await kiosk()
  if (before !== undefined) expect(await told(made, record('invoice', made.invoice(before)))).toBe(TAKEN)
  return told(made, record('invoice', made.invoice(number)))
}

const cases: Record<keyof typeof SYNC_BOUNDS, Bring> = {
  async small(bytes) {
    const body = (changes: object) => Buffer.from(JSON.stringify(changes).padEnd(bytes))
    const { gateway } = await kiosk()
    const hello = body({ protocol: 1, program: '1', last: 0, last_command: 0, premises: [], nonce: newNonce() })
    const poll = body({ wait_s: 0, heartbeat: HEARTBEAT, last_command: 0 })
    const result = body({ status: 'done', result: null })
    const id = await commandFor(gateway, 'doctor')
    const answers: string[] = []
    for (const [path, sent] of [
      ['/hello', hello],
      ['/poll', poll],
      [`/commands/${id}`, result],
    ] as const) {
      answers.push(said(await gateway.ask(path, sent, UNPACKED)), said(await gateway.ask(path, gzipSync(sent))))
    }
    const stranger = await addGateway(server)
    const enrolled = await stranger.ask('/enroll', gzipSync(Buffer.from('{}'.padEnd(bytes))))
    answers.push(enrolled.body.error?.code === 'invalid_request' ? TAKEN : said(enrolled))
    return sameOf(...answers)
  },
  push: (bytes) => pushed(Buffer.from(EMPTY_PUSH.padEnd(bytes)), UNPACKED),
  unpacked: (bytes) => pushed(gzipSync(EMPTY_PUSH.padEnd(bytes), { level: 1 })),
  values(count) {
    const [start, end] = ['{"after":0,"position":0,"records":[{"kind":"device","id":"x","version":1,"row":[0', ']}]}']
    const more = count - (start.match(/[[{,]/g)?.length ?? 0)
    return pushed(gzipSync(start + ',0'.repeat(more) + end))
  },
  async file(bytes) {
    const app = fastify()
    onTestFinished(() => app.close())
    handleErrors(app, () => '')
    app.decorateRequest('gateway')
    app.addHook('onRequest', async (request) => {
      request.gateway = { id: 'g' } as GatewayRecord
    })
    const options = {
      requireAttachable: async () => {},
      attach: async () => {},
      takeRoom: createBodyMemoryLimit()(oneBody),
    }
    await app.register(commandRoutes, options as unknown as CommandRoutesOptions)
    const headers = { 'content-type': 'application/octet-stream' }
    const payload = Buffer.alloc(bytes)
    const answer = await app.inject({ method: 'PUT', url: '/commands/c/attachment?name=x', headers, payload })
    return said({ status: answer.statusCode, body: answer.body === '' ? {} : answer.json() })
  },
  records: async (count) => said(await shared.gateway.push(times(count, record('alert', shared.alert())))),
  held: (bytes) => heldIn(createBodyMemoryLimit()(oneBody), bytes),
  async pushes(count) {
    const gateway = await enrolGateway(server)
    return beside(
      count - 1,
      () => slowLine(server, gateway, 'POST /sync/v1/push'),
      () => gateway.push([]),
    )
  },
  async files(count) {
    const gateway = await enrolGateway(server)
    const path = `/commands/${await commandFor(gateway, 'support_bundle')}/attachment?name=x`
    const headers = { 'content-type': 'application/octet-stream', 'content-encoding': undefined }
    const put = () => gateway.ask(path, Buffer.from('x'), { method: 'PUT', headers })
    return beside(count - 1, () => slowLine(server, gateway, `PUT /sync/v1${path}`), put)
  },
  strangersHeld: (bytes) => heldIn(createBodyMemoryLimit(SYNC_BOUNDS.strangersHeld.most)(oneBody), bytes),
  async strangers(count) {
    const stranger = await addGateway(server)
    const begin = () => slowLine(server, stranger, 'POST /sync/v1/enroll', 1000)
    return beside(count - 1, begin, () => stranger.enroll())
  },
  async waitS(seconds) {
    const gateway = await enrolGateway(server)
    // So that nothing is waited for.
    await commandFor(gateway, 'doctor')
    return polled({ wait_s: seconds }, { gateway })
  },

  namedPremises: (count) => greeted({ premises: times(count, { company_id: shared.companyId, premises_code: 'B1' }) }),
  skippedNumbers: async (count) => {
    const number = { company_id: shared.companyId, mode: 'test', premises_code: 'B1', year: 2026, register: '' }
    const numbers = times(count, { ...number, highest: '1', level: null })
    return said(await (await enrolGateway(server)).ask('/identity/numbers', { numbers }))
  },
  async claims(count) {
    const gateway = await enrolGateway(server)
    const own = `C${++kiosks}X`
    const premises = Array.from({ length: count }, (_, i) => ({
      company_id: shared.companyId,
      premises_code: `${own}${i}`,
    }))
    for (let start = 0; start < count - 1; start += 1000) {
      const named = premises.slice(start, Math.min(start + 1000, count - 1))
      expect((await gateway.hello({ premises: named })).body.taken).toEqual([])
    }
    return said(await gateway.enroll({ premises: premises.slice(-1) }))
  },
  host: async (length) => said(await (await addGateway(server)).enroll({ host: x(length) })),
  key: async (length) => said(await (await addGateway(server)).enroll({ public_key: x(length) })),
  program: async (length) => sameOf(await greeted({ program: x(length) }), await beating({ version: x(length) })),
  count: async (count) => {
    const queue = { ...HEARTBEAT.queue, pending: count }
    return sameOf(await beating({ queue }), await greeted({ last: count }), await greeted({ last_command: count }))
  },
  async ahead(positions) {
    const gateway = await enrolGateway(server)
    const { position, heard } = (await gateway.hello()).body
    return said(await gateway.pushRaw([], { after: position, position: Math.max(position, heard) + positions }))
  },
  async commandsAhead(count) {
    const gateway = await enrolGateway(server)
    await commandFor(gateway, 'doctor')
    const given = 1
    return polled({ last_command: given + count }, { gateway })
  },

  async depth(levels) {
    const { gateway } = shared
    const id = await commandFor(gateway, 'doctor')
    return sameOf(
      await beating({ newer: nested(levels - 1) }),
      said(await gateway.ask(`/commands/${id}`, { status: 'done', result: nested(levels - 1) })),
    )
  },
  heartbeatList: async (count) =>
    sameOf(
      await beating({ problems: times(count, { cause: 'x', subject: 'x' }) }),
      await beating({ printers: times(count, { device_id: 'x', state: 'x', paper: null, reason: null }) }),
    ),
  heartbeatWord: (length) => beating({ problems: [{ cause: x(length), subject: 'x' }] }),
  leftOut: (count) => beating({ disk: { free_bytes: null, left_out: times(count, 'x') } }),
  uptimeS: (seconds) => beating({ uptime_s: seconds }),
  offsetMs: async (ms) =>
    sameOf(
      await beating({ clock: { ...HEARTBEAT.clock, offset_ms: ms } }),
      await beating({ clock: { ...HEARTBEAT.clock, offset_ms: -ms } }),
    ),

  async row(bytes) {
    const sale = largestSale(shared, ++sales)
    if (sale.receipt) sale.receipt.machine += x(bytes - SYNC_BOUNDS.row.most)
    return told(shared, record('invoice', sale))
  },
  kind: async (length) => said(await shared.gateway.pushRaw([{ kind: x(length), id: 'x', version: 1, row: null }])),
  id: async (length) => said(await shared.gateway.pushRaw([{ kind: 'device', id: x(length), version: 1, row: null }])),
  config: (bytes) => withConfig({ note: x(bytes - '{"note":""}'.length) }),
  configDepth: (levels) => withConfig(nested(levels)),
  text: (length) => told(shared, record('device', { ...shared.device, label: x(length) })),
  word: (length) => told(shared, record('alert', shared.alert({ subject: x(length) }))),
  reason: (length) => told(shared, aMessage({ errorMessage: x(length) })),
  mark: async (length) =>
    sameOf(
      await told(shared, record('invoice', invoice({ jir: x(length) }))),
      await told(shared, record('invoice', invoice({ seal: x(length) }))),
    ),
  written: (length) => printed({ items: [{ ...item, quantity: x(length) }] }),
  logo: (characters) => toldRaw(record('company', shared.company), 'logo', 'A'.repeat(characters)),
  certificate: (characters) =>
    toldRaw(record('certificate', { ...shared.certificate, id: randomUUID() }), 'certificate', 'A'.repeat(characters)),
  intermediates: (count) =>
    told(
      shared,
      record('certificate', { ...shared.certificate, id: randomUUID(), intermediates: times(count, Buffer.of(1)) }),
    ),
  taxName: (length) => withLines({ fees: [{ name: x(length), amount: '0.00' }] }),
  specialPurpose: (length) => withLines({ specialPurpose: x(length) }),
  itemName: (length) => printed({ items: [{ ...item, name: x(length) }] }),
  receiptLine: (length) => printed({ header: [x(length)] }),
  certificateName: (length) =>
    told(shared, record('certificate', { ...shared.certificate, id: randomUUID(), issuer: x(length) })),
  lines: (count) => withLines({ vat: times(count, line) }),
  receiptLines: async (count) =>
    sameOf(await printed({ header: times(count, 'x') }), await printed({ issuerAddress: times(count, 'x') })),
  items: (count) => printed({ items: times(count, item) }),
  copies: (copy) => told(shared, record('print_job', shared.printJob(shared.sold.id, { copy }))),
  httpStatus: (httpStatus) => told(shared, aMessage({ httpStatus })),
  archived: (characters) => toldRaw(aMessage(), 'request_xml', zippedOf(characters)),
  archivedText: (bytes) => told(shared, aMessage({ requestXml: gzipSync(Buffer.alloc(bytes, 'a')) })),
  async messages(count) {
    const sold = invoice({})
    const bare = { requestXml: null, responseXml: null }
    expect(await told(shared, record('invoice', sold), record('message', shared.message(sold.id, bare)))).toBe(TAKEN)
    const id = 'lower(hex(randomblob(16)))'
    const same = 'duration_ms, created_at'
    await inDatabase(
      server,
      `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
       INSERT INTO messages (id, message_uuid, invoice_id, attempt_no, ${same})
       SELECT ${id}, ${id}, invoice_id, i, ${same} FROM messages, n WHERE invoice_id = '${sold.id}'`,
    )
    return told(shared, record('message', shared.message(sold.id, { ...bare, attemptNo: count })))
  },
  async messagesWithXml(count) {
    const sold = invoice({})
    const messages = Array.from({ length: count }, (_, i) =>
      record('message', shared.message(sold.id, { attemptNo: i + 1 })),
    )
    return told(shared, record('invoice', sold), ...messages)
  },
  reach: (numbers) => numbered(7 + numbers, 7),
  reachOfEmpty: (number) => numbered(number),
}

testBounds(SYNC_BOUNDS, cases)
