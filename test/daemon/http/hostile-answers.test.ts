import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { FORGED_JIR, type Misbehaviour, WRAPPINGS } from '../../../src/simulator/index.ts'
import type { Answer } from '../../support/call.ts'
import { type DaemonProcess, runDaemon } from '../../support/daemon-process.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../../support/gateway.ts'
import { pki } from '../../support/pki.ts'

/** Two attempts of four seconds, and what a busy machine takes (docs/spec/interface.md, POST /v1/invoices). */
const WORST_CASE_MS = 30_000
/** What a sale may take when no attempt hangs. */
const QUICK_MS = 3900
/** What the answers below may cost: an answer read whole, or a bomb that goes off, costs more. */
const MAX_GROWTH_MB = 64

let gateway: Gateway
let daemon: DaemonProcess
const sold: { status: string; id: string; zki: string }[] = []

beforeAll(async () => {
  gateway = await startSharedGateway()
  daemon = await runDaemon(gateway, atTheEndOfFile)
  // What the first sale loads is no growth.
  expect((await daemon.post()).body.status).toBe('confirmed')
}, 60_000)

interface Expected {
  status: 'failed' | 'retrying'
  within: number
}

/** The sale stands, says truly that it has no JIR, and was answered in time; the memory stays where it was. */
async function expectStands(post: () => Promise<Answer<InvoiceBody>[]>, { status, within }: Expected) {
  daemon.forgetPeak()
  const before = daemon.memory().now
  const start = performance.now()
  const answers = await post()
  expect(performance.now() - start).toBeLessThan(within)
  const code = status === 'failed' ? 'upstream_signature_invalid' : 'upstream_unavailable'
  for (const { status: http, body } of answers) {
    expect(http).toBe(200)
    expect(body).toMatchObject({ status, jir: null, zki: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(body.fiscal_error).toMatchObject({ code, retry_scheduled: status === 'retrying' })
    sold.push(body)
  }
  expect(daemon.memory().peak - before).toBeLessThan(MAX_GROWTH_MB)
}

async function expectNextSaleConfirmed() {
  expect((await daemon.post()).body).toMatchObject({
    status: 'confirmed',
    jir: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
}

test.each<Misbehaviour>(['xml-bomb', 'external-entity', 'doctype', ...WRAPPINGS.map((wrapped) => ({ wrapped }))])(
  '%o is never a JIR, and the next sale works',
  async (misbehaviour) => {
    gateway.cis.misbehave(misbehaviour)
    await expectStands(async () => [await daemon.post()], { status: 'failed', within: QUICK_MS })
    await expectNextSaleConfirmed()
  },
)

test('answers of 100 MB are not read, and the next sale works', async () => {
  gateway.cis.misbehave('huge', 'huge')
  await expectStands(async () => [await daemon.post()], { status: 'retrying', within: QUICK_MS })
  await expectNextSaleConfirmed()
})

/** Something else at the authority's address; ended by the function that comes back, and the authority is there again. */
async function instead(server: Server): Promise<() => Promise<void>> {
  await gateway.cis.goDown()
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(Number(new URL(gateway.cis.url).port), '127.0.0.1')
  await once(server, 'listening')
  const comeBack = async () => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
    await gateway.cis.comeBack()
  }
  onTestFinished(comeBack)
  return comeBack
}

/** A TLS server with the authority's own certificate; `answer` writes whatever it likes once a request has come. */
function tlsServer(answer: (socket: TLSSocket) => void): Server {
  return createTlsServer({ cert: pki.tls.certPem, key: pki.tls.keyPem }, (socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
}

/** An answer on a connection that is not kept, so that each message finds the next one. */
const ok = (body: Buffer | string, headers = 'Content-Type: text/xml') =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nConnection: close\r\n${headers}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ])

test('redirects without end are not followed, not even once', async () => {
  let requests = 0
  const comeBack = await instead(
    tlsServer((socket) => {
      requests++
      socket.end(`HTTP/1.1 307 Again\r\nConnection: close\r\nLocation: ${gateway.cis.url}\r\nContent-Length: 0\r\n\r\n`)
    }),
  )
  await expectStands(async () => [await daemon.post()], { status: 'retrying', within: QUICK_MS })
  expect(requests).toBe(2)
  await comeBack()
  await expectNextSaleConfirmed()
})

test('an entity or a DTD of another machine is not fetched', async () => {
  let fetched = 0
  const elsewhere = createServer((socket) => {
    fetched++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const address = elsewhere.address() as { port: number }
  const url = `http://127.0.0.1:${address.port}/x.dtd`
  const doctypes = [`SYSTEM "${url}"`, `[<!ENTITY e SYSTEM "${url}">]`, `[<!ENTITY % e SYSTEM "${url}"> %e;]`]
  const answers = doctypes.map((doctype) =>
    ok(`<!DOCTYPE x ${doctype}><x><RacunOdgovor><Jir>x</Jir></RacunOdgovor>&e;</x>`),
  )
  let next = 0
  const comeBack = await instead(tlsServer((socket) => socket.write(answers[next++] ?? '')))
  const post = () => daemon.post()
  await expectStands(async () => [await post(), await post(), await post()], { status: 'failed', within: 3 * QUICK_MS })
  expect([next, fetched]).toEqual([3, 0])
  elsewhere.close()
  await comeBack()
  await expectNextSaleConfirmed()
})

test('a compressed bomb and headers beyond measure are no answers', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, '<'))
  expect(bomb.length).toBeLessThan(64 * 1024)
  const answers: (Buffer | string)[] = [
    ok(bomb, 'Content-Encoding: gzip'),
    ok('', `X-A: ${'a'.repeat(20_000)}`),
    `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(20_000)}`,
    ok('', 'X-A: b\r\n'.repeat(20_000)),
  ]
  let next = 0
  const comeBack = await instead(tlsServer((socket) => socket.write(answers[next++] ?? '')))
  const post = () => daemon.post()
  await expectStands(async () => [await post(), await post()], { status: 'retrying', within: 2 * QUICK_MS })
  expect(next).toBe(4)
  await comeBack()
  await expectNextSaleConfirmed()
})

/** Writes a piece every now and then, without end. */
function drip(socket: TLSSocket, start: string, piece: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(piece), 50)
  socket.on('close', () => clearInterval(timer))
}

test('whatever the authority stalls at, sales are answered after two attempts and leave nothing open', async () => {
  const stalls: ((socket: TLSSocket) => void)[] = [
    () => undefined,
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'),
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n', '<'),
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n<\r\n'),
    (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'),
    (socket) => drip(socket, 'HTTP/1.1 200 ', 'O'.repeat(32 * 1024)),
  ]
  const secure = tlsServer((socket) => stalls[next++ % stalls.length]?.(socket))
  let next = 0
  let connections = 0
  let open = 0
  const server = createServer((socket) => {
    open++
    socket.on('close', () => open--)
    // Every other one is accepted and never hears a word of the handshake.
    if (connections++ % 2 === 0) secure.emit('connection', socket)
    else socket.resume()
  })
  const filesBefore = daemon.openFiles()
  const comeBack = await instead(server)
  const post = () => Promise.all(Array.from({ length: 10 }, () => daemon.post()))
  await expectStands(post, { status: 'retrying', within: WORST_CASE_MS })
  expect(connections).toBeGreaterThanOrEqual(20)
  expect(next).toBeGreaterThanOrEqual(stalls.length)
  await expect.poll(() => open).toBe(0)
  await comeBack()
  await expectNextSaleConfirmed()
  // The connection that is kept for the next message is the only one that may be new.
  await expect.poll(() => daemon.openFiles()).toBeLessThanOrEqual(filesBefore + 2)
})

test('afterwards the sweep confirms whatever is retrying, with the same ZKI, and nothing carries a forged JIR', async () => {
  await daemon.stop()
  await gateway.restart()
  await gateway.sweep()
  expect(sold.map(({ status }) => status)).toEqual(expect.arrayContaining(['failed', 'retrying']))
  for (const { id, status, zki } of sold) {
    const invoice = await gateway.invoice(id)
    expect(invoice).toMatchObject({ zki, status: status === 'retrying' ? 'confirmed' : 'failed' })
    expect(invoice.jir).not.toBe(FORGED_JIR)
    const issued = gateway.cis.received.filter((message) => message.zki === zki).map(({ jir }) => jir)
    if (status === 'retrying') expect(issued).toContain(invoice.jir)
    else expect(invoice.jir).toBeNull()
  }
})
