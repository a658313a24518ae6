import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Agent, request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { clientNetwork } from '../../../src/daemon/http/connection-limit.ts'
import { LISTENER_LIMITS, type ListenerLimits } from '../../../src/daemon/http/listener-limits.ts'
import { listenTls } from '../../../src/daemon/http/listeners.ts'
import { pki } from '../../support/pki.ts'

const REFUSALS = { plainHttp: () => '{"refused":"plain"}', malformedHttp: () => '{"refused":"malformed"}' }
const TICK_MS = 50
const SHORT = { firstByteMs: 200, handshakeMs: 200, headersMs: 200, requestMs: 400, checkEveryMs: TICK_MS }
/** Over the limit by the interval of the checks and what a busy machine takes. */
const SLACK_MS = 8000

/** A listener of the test's own; `ok` is the answer unless told otherwise. */
async function listen(
  limits: Partial<ListenerLimits> = {},
  handler: RequestListener = (asked, answer) => asked.resume().on('end', () => answer.end('ok')),
) {
  const pair = { certPem: pki.tls.certPem, keyPem: pki.tls.keyPem }
  const all = { ...LISTENER_LIMITS, ...limits }
  const listener = await listenTls({ host: '127.0.0.1', port: 0 }, pair, handler, REFUSALS, all)
  onTestFinished(() => listener.close())
  return { url: listener.url, port: Number(new URL(listener.url).port) }
}

/** How long it takes until the other end is done with a socket. */
function cut(socket: Socket, start = performance.now()): Promise<number> {
  return new Promise((resolve) => socket.once('close', () => resolve(performance.now() - start)))
}

function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket))
    socket.on('error', reject).resume()
    onTestFinished(() => void socket.destroy())
  })
}

function openTls(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ port, host: '127.0.0.1', ca: pki.bundlePem }, () => resolve(socket))
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}

/** One request; `localPort` tells whether two took the same connection. */
function ask(url: string, { agent, localAddress = '127.0.0.1' }: { agent?: Agent; localAddress?: string } = {}) {
  return new Promise<{ status: number | undefined; localPort: number | undefined }>((resolve, reject) => {
    const options = { ca: pki.bundlePem, agent: agent ?? false, localAddress }
    const asked = request(url, options, (answer) => {
      const { localPort } = answer.socket
      answer.resume().on('end', () => resolve({ status: answer.statusCode, localPort }))
    })
    asked.on('error', reject).end()
  })
}

function keptAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return agent
}

/** Writes a little every now and then, for as long as the other end takes it. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.writable && socket.write(text), 20)
  socket.on('error', () => undefined).on('close', () => clearInterval(timer))
}

test('out of the box, a caller has ten seconds for headers and thirty for a request', () => {
  expect(LISTENER_LIMITS).toMatchObject({ firstByteMs: 10_000, handshakeMs: 10_000, headersMs: 10_000 })
  expect(LISTENER_LIMITS).toMatchObject({ requestMs: 30_000, connections: 1000 })
  expect(LISTENER_LIMITS.checkEveryMs).toBeLessThanOrEqual(5000)
})

test('who says nothing is cut off: before the handshake, in the middle of it, and after it', async () => {
  const { port } = await listen(SHORT)
  const start = performance.now()
  const silent = await open(port)
  const halfway = await open(port)
  halfway.write(Buffer.from('16030102000100', 'hex'))
  const mute = await openTls(port)
  mute.resume()
  for (const ms of await Promise.all([silent, halfway, mute].map((socket) => cut(socket, start)))) {
    expect(ms).toBeGreaterThan(190)
    expect(ms).toBeLessThan(200 + SLACK_MS)
  }
})

test('headers that drip are cut off, and never become a request', async () => {
  let requests = 0
  const { port } = await listen(SHORT, () => requests++)
  const socket = await openTls(port)
  socket.resume().write('GET / HTTP/1.1\r\nHost: x\r\n')
  drip(socket, 'X-A: b\r\n')
  expect(await cut(socket)).toBeLessThan(200 + SLACK_MS)
  expect(requests).toBe(0)
})

test('a body that drips is cut off', async () => {
  const { port } = await listen(SHORT)
  const socket = await openTls(port)
  socket.resume().write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n')
  drip(socket, 'x')
  const ms = await cut(socket)
  expect(ms).toBeGreaterThan(200)
  expect(ms).toBeLessThan(400 + SLACK_MS)
})

test('who does not read the answer is cut off', async () => {
  const closed: Promise<unknown>[] = []
  const { port } = await listen({ stallMs: 300 }, (_, answer) => {
    closed.push(new Promise((resolve) => answer.on('close', resolve)))
    answer.end(Buffer.alloc(32 * 1024 * 1024))
  })
  const socket = await openTls(port)
  socket.pause().on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  while (closed.length === 0) await sleep(10)
  const start = performance.now()
  await closed[0]
  expect(performance.now() - start).toBeLessThan(300 + SLACK_MS)
})

test('a request that takes longer to answer than to send, and a kept connection, are left alone', async () => {
  const { url } = await listen(SHORT, (_, answer) => void sleep(600).then(() => answer.end('ok')))
  const agent = keptAgent()
  const first = await ask(url, { agent })
  await sleep(600)
  const second = await ask(url, { agent })
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.localPort).toBe(first.localPort)
})

test('headers of more than 16 KB get the error body, many small ones too', async () => {
  let requests = 0
  const { port } = await listen({}, () => requests++)
  for (const headers of [`X-A: ${'a'.repeat(17_000)}`, 'X-Another: header\r\n'.repeat(3000), 'a'.repeat(1024 * 1024)]) {
    const socket = await openTls(port)
    socket.on('error', () => undefined).write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}`)
    let text = ''
    for await (const chunk of socket.setEncoding('utf8')) text += chunk
    expect(text).toMatch(/^HTTP\/1.1 400 /)
    expect(text).toContain('{"refused":"malformed"}')
  }
  expect(requests).toBe(0)
})

test('a header without an end is cut off long before its time is up', async () => {
  const { port } = await listen()
  const socket = await openTls(port)
  socket.resume().write('GET / HTTP/1.1\r\nHost: x\r\nX-A: ')
  drip(socket, 'a'.repeat(2048))
  expect(await cut(socket)).toBeLessThan(3000)
})

test('a full listener gives the place of the longest silence to the newcomer, and keeps what was answered', async () => {
  const { url, port } = await listen({ connections: 5 })
  const agent = keptAgent()
  const { localPort } = await ask(url, { agent })
  const silent: Socket[] = []
  for (let i = 0; i < 4; i++) silent.push(await open(port))
  const gone = silent.map((socket, i) => cut(socket).then(() => i))
  expect(await ask(url)).toMatchObject({ status: 200 })
  expect(await Promise.race(gone)).toBe(0)
  for (let i = 0; i < 20; i++) await open(port)
  await Promise.all(gone)
  expect(await ask(url, { agent })).toEqual({ status: 200, localPort })
})

test('who holds the most gives way, so one address does not push out another', async () => {
  const { url, port } = await listen({ connections: 20 })
  const neighbour = await open(port)
  const left = cut(neighbour)
  const flood: Socket[] = []
  for (let i = 0; i < 60; i++) flood.push(await open(port, '127.0.0.2'))
  await Promise.all(flood.slice(0, 40).map((socket) => socket.destroyed || cut(socket)))
  expect(await Promise.race([left, sleep(100).then(() => 'still there')])).toBe('still there')
  expect(await ask(url)).toMatchObject({ status: 200 })
  expect(flood.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(19)
})

test('what awaits its answer keeps its place; half a request does not', async () => {
  const waiting: [IncomingMessage, ServerResponse][] = []
  const { url, port } = await listen({ connections: 3 }, (...exchange) => waiting.push(exchange))
  const half = await openTls(port)
  half.resume().write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
  while (waiting.length < 1) await sleep(5)
  const [gone, ...asked] = [cut(half), ask(url), ask(url), ask(url)]
  await gone
  while (waiting.length < 4) await sleep(5)
  await expect(ask(url)).rejects.toThrow()
  for (const [, answer] of waiting.slice(1)) answer.end('ok')
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
  const later = ask(url)
  while (waiting.length < 5) await sleep(5)
  waiting[4]?.[1].end('ok')
  expect(await later).toMatchObject({ status: 200 })
})

test('an answer that nobody reads keeps no place', async () => {
  const { url, port } = await listen({ connections: 2 }, (asked, answer) => {
    answer.end(asked.url === '/big' ? Buffer.alloc(32 * 1024 * 1024) : 'ok')
  })
  const deaf = await Promise.all([openTls(port), openTls(port)])
  for (const socket of deaf) socket.on('error', () => undefined).write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n')
  await sleep(100)
  expect(await ask(url)).toMatchObject({ status: 200 })
})

test.each([
  ['192.168.1.20', '192.168.1.20'],
  ['::ffff:192.168.1.20', '192.168.1.20'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:2ff::5', '2001:db8:1:200'],
  ['2001:db8:1:2aa:1:2:3:4', '2001:db8:1:200'],
  ['2001:db8:1:3aa:1:2:3:4', '2001:db8:1:300'],
  ['fe80::1:2:3:4%eth0', 'fe80:0:0:0'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:0'],
])('%s is counted as %s', (address, neighbour) => {
  expect(clientNetwork(address)).toBe(neighbour)
})
