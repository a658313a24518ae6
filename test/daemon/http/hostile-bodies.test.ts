import { execFile } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { LISTENER_LIMITS, type ListenerLimits } from '../../../src/daemon/http/listener-limits.ts'
import { listenTls } from '../../../src/daemon/http/listeners.ts'
import { type Gateway, startEmptyGateway, startSharedGateway } from '../../support/gateway.ts'
import { pki } from '../../support/pki.ts'
import { skipWithout } from '../../support/tools.ts'

const run = promisify(execFile)

/** 350,001 bytes of nested objects. */
const NESTED = `${'{"a":'.repeat(58_333)}1${'}'.repeat(58_333)}`.padEnd(350_001)

/** Writes all of a body before it reads, as Python's `requests` and most firmware do. */
const WRITES_FIRST = `
import http.client, json, ssl, sys
given = json.load(sys.stdin)
context = ssl.create_default_context(cafile=given['ca'])
for _ in range(20):
    connection = http.client.HTTPSConnection('127.0.0.1', given['port'], context=context, timeout=20)
    try:
        connection.request('POST', given['path'], body=given['body'].encode(), headers=given['headers'])
        answer = connection.getresponse()
        print(json.dumps([answer.status, json.loads(answer.read())['error']['code']]))
    except Exception as error:
        print(json.dumps([0, repr(error)]))
    connection.close()
`

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

async function writeFirst(house: Gateway, path: string, headers: Record<string, string>): Promise<unknown[]> {
  const child = run('python3', ['-c', WRITES_FIRST])
  const ca = join(house.dataDir, 'tls', 'ca.pem')
  child.child.stdin?.end(JSON.stringify({ ca, port: Number(new URL(house.url).port), path, headers, body: NESTED }))
  return (await child).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const TOO_LARGE = Array(20).fill([413, 'request_too_large'])

const asFirmware = test.skipIf(skipWithout('python3'))

asFirmware('a sale of 350,001 bytes of nested objects is told that it is too large, 20 times of 20', async () => {
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${gateway.key}`, 'Idempotency-Key': 'large' }
  expect(await writeFirst(gateway, '/v1/invoices', headers)).toEqual(TOO_LARGE)
  expect(await writeFirst(gateway, '/v1/invoices', { ...headers, Connection: 'close' })).toEqual(TOO_LARGE)
})

asFirmware('a gateway that wants to enrol with such a body is told the same', async () => {
  const server = await startEmptyGateway({ FISKD_ROLE: 'server' })
  expect(await writeFirst(server, '/sync/v1/enroll', JSON_TYPE)).toEqual(TOO_LARGE)
})

function open(house: Pick<Gateway, 'url' | 'socketPath'>, listener: 'TLS' | 'socket'): Promise<Socket> {
  // Like most callers, it may write on when the other end has closed its side.
  const options = { allowHalfOpen: true, rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    const socket: Socket =
      listener === 'TLS'
        ? connectTls({ ...options, host: '127.0.0.1', port: Number(new URL(house.url).port) }, () => resolve(socket))
        : connectSocket({ ...options, path: house.socketPath }, () => resolve(socket))
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}

const chunk = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`
const pieces = (body: string) => body.match(/[\s\S]{1,20000}/g) ?? []
const head = (path: string, type: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${more}\r\n\r\n`
const announced = (bytes: number) => `Content-Length: ${bytes}`
const FORM = 'application/x-www-form-urlencoded'
const FILE = 'multipart/form-data; boundary=b'
const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(900_000)}\r\n--b--\r\n`

test.each([
  ['a sale', 'TLS', head('/v1/invoices', 'application/json', announced(NESTED.length)), pieces(NESTED)],
  [
    'chunks',
    'TLS',
    head('/v1/invoices', 'application/json', 'Transfer-Encoding: chunked'),
    [...pieces(NESTED).map(chunk), '0\r\n\r\n'],
  ],
  ['a file', 'TLS', head('/v1/certificates', FILE, announced(part.length)), pieces(part)],
  ['a sign-in page', 'TLS', head('/dashboard/sign-in', FORM, announced(NESTED.length)), pieces(NESTED)],
  ['a sign-in', 'TLS', head('/dashboard/session', 'application/json', announced(NESTED.length)), pieces(NESTED)],
  ['a key', 'socket', head('/admin/keys', 'application/json', announced(NESTED.length)), pieces(NESTED)],
  ['a sale', 'socket', head('/v1/invoices', 'application/json', announced(NESTED.length)), pieces(NESTED)],
] as const)(
  'whoever writes %s slowly and to the end over %s reads 413 after it',
  async (_what, listener, start, parts) => {
    const key = await gateway.createKey({ scopes: ['invoices:write', 'certificates:write'] })
    const socket = await open(gateway, listener)
    socket.pause()
    socket.write(start.replace('Host:', `Authorization: Bearer ${key}\r\nIdempotency-Key: k\r\nHost:`))
    for (const one of parts) {
      await sleep(10)
      expect(socket.destroyed).toBe(false)
      socket.write(one)
    }
    socket.end()
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /)
  },
)

test('who asks whether to send a body that is too large is told 413 and never "continue"', async () => {
  const socket = await open(gateway, 'TLS')
  const key = await gateway.createKey()
  const headers = `Authorization: Bearer ${key}\r\nIdempotency-Key: k\r\nExpect: 100-continue\r\n${announced(350_001)}`
  socket.write(head('/v1/invoices', 'application/json', headers))
  const said = text(socket)
  const start = performance.now()
  expect(await said).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*request_too_large/i)
  expect(performance.now() - start).toBeLessThan(25_000)
})

test('who asks whether to send a body that is not too large is told "continue", and then the answer', async () => {
  const socket = await open(gateway, 'TLS')
  const sale = JSON.stringify(gateway.sale())
  const more = `Authorization: Bearer ${gateway.key}\r\nIdempotency-Key: asked-first\r\nExpect: 100-continue\r\n${announced(sale.length)}`
  socket.write(head('/v1/invoices', 'application/json', more))
  await new Promise<void>((resolve) =>
    socket.once('data', (said: Buffer) => {
      expect(String(said)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
      resolve()
    }),
  )
  socket.write(sale)
  await new Promise<void>((resolve) =>
    socket.once('data', (said: Buffer) => {
      expect(String(said)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i)
      resolve()
    }),
  )
})

const REFUSALS = { plainHttp: () => '{}', malformedHttp: () => '{}' }

/** A listener that refuses every body by its headers. */
async function refusing(
  limits: Partial<ListenerLimits>,
  closing: boolean,
): Promise<Pick<Gateway, 'url' | 'socketPath'>> {
  const pair = { certPem: pki.tls.certPem, keyPem: pki.tls.keyPem }
  const handler: RequestListener = (_, answer) => {
    answer.writeHead(413, { ...(closing && { connection: 'close' }) }).end('too large')
  }
  const all = { ...LISTENER_LIMITS, ...limits }
  const listener = await listenTls({ host: '127.0.0.1', port: 0 }, pair, handler, REFUSALS, all)
  onTestFinished(() => listener.close())
  return { url: listener.url, socketPath: '' }
}

/** Sends without end, and says how much was taken and how long it took until the other end had closed. */
async function flood(house: Pick<Gateway, 'url' | 'socketPath'>, bytes: number, everyMs: number) {
  const socket = await open(house, 'TLS')
  const start = performance.now()
  let sent = 0
  socket.on('error', () => {})
  socket.resume().write(head('/', 'text/plain', announced(1e12)))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const timer = setInterval(() => {
    if (!socket.writable || socket.writableNeedDrain) return
    sent += bytes
    socket.write(Buffer.alloc(bytes))
  }, everyMs)
  await closed
  clearInterval(timer)
  return { sent, tookMs: performance.now() - start }
}

test('who drips a body on after the answer is cut off after the time for it', async () => {
  const { tookMs } = await flood(await refusing({ lingerMs: 400 }, true), 10, 20)
  expect(tookMs).toBeGreaterThan(350)
  expect(tookMs).toBeLessThan(20_000)
})

test.each([true, false])(
  'who floods on after the answer is cut off after the bytes for it (it closes: %s)',
  async (closing) => {
    const { sent } = await flood(await refusing({ lingerBytes: 1_000_000 }, closing), 100_000, 1)
    expect(sent).toBeGreaterThan(900_000)
    expect(sent).toBeLessThan(12_000_000)
  },
)

test('out of the box, five seconds and 16 MB are thrown away after an answer', () => {
  expect(LISTENER_LIMITS).toMatchObject({ lingerMs: 5000, lingerBytes: 16 * 1024 * 1024 })
})
