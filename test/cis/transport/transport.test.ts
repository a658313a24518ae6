import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import tls from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { HttpProxy } from '../../../src/cis/transport/proxy.ts'
import { createTransport, type Transport } from '../../../src/cis/transport/transport.ts'
import { pemOf } from '../../../src/x509/pem.ts'
import { startProxy } from '../../support/http-proxy.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pki } from '../../support/pki.ts'
import { tlsServer } from '../support/tls-server.ts'

const { root, issuing } = pki.toJSON()

function transportTo(
  url: string,
  { bundle = () => pki.bundlePem, timeoutMs = PATIENCE_MS, proxy = null as HttpProxy | null } = {},
): Transport {
  const urls = { test: url, live: 'https://127.0.0.1:1/' }
  const transport = createTransport({ urls, bundle, timeoutMs, proxy })
  onTestFinished(() => transport.close())
  return transport
}

const post = (transport: Transport) => transport.post('test', { 'content-type': 'text/xml' }, Buffer.from('<x/>'))

test('an answer is read whole, with its status', async () => {
  const { url } = await tlsServer((_, response) => response.writeHead(500).end('<greška/>'))
  expect(await post(transportTo(url))).toEqual({
    arrived: true,
    status: 500,
    body: Buffer.from('<greška/>'),
    framed: true,
    date: expect.any(Number),
    connection: expect.any(Number),
  })
})

test.each([
  ['before the certificate that was shown', -30 * 365],
  ['after it', 30 * 365],
])('a Date from %s is none', async (_when, days) => {
  const date = new Date(Date.now() + days * 86_400_000).toUTCString()
  const { url } = await tlsServer((_, response) => response.setHeader('date', date).end())
  expect(await post(transportTo(url))).toMatchObject({ arrived: true, date: null })
})

/** This second as RFC 9110 writes it, and in ways that are not that one. */
const NOW = new Date(Math.floor(Date.now() / 1000) * 1000)
const [WEEKDAY = '', DAY = '', MONTH = '', YEAR = '', TIME = ''] = NOW.toUTCString().split(/,? /)
const RIGHT = NOW.toUTCString()

test.each<[date: string, at: number | null]>([
  [RIGHT, NOW.getTime()],
  [RIGHT.replace(' GMT', ''), null],
  [RIGHT.replace('GMT', '+0200'), null],
  [RIGHT.replace(TIME, '28:16:01'), null],
  [RIGHT.replace(`${DAY} ${MONTH}`, '31 Jun'), null],
  [RIGHT.replace(WEEKDAY, WEEKDAY === 'Mon' ? 'Tue' : 'Mon'), null],
  [`${WEEKDAY}day, ${DAY}-${MONTH}-${YEAR.slice(2)} ${TIME} GMT`, null],
  [`${WEEKDAY} ${MONTH} ${DAY} ${TIME} ${YEAR}`, null],
  [NOW.toISOString(), null],
  [YEAR, null],
  ['Invalid Date', null],
  [`${RIGHT}, ${RIGHT}`, null],
])('the Date %j is read as %j: one form is a date, and nothing else', async (date, at) => {
  const { url } = await tlsServer((_, response) => response.writeHead(200, { date }).end('x'))
  expect(await post(transportTo(url))).toMatchObject({ arrived: true, date: at })
})

/** Connections whose TLS session the client could take up again. */
test.each(['TLSv1.3', 'TLSv1.2'] as const)(
  'every connection of %s brings the certificate of the service',
  async (version) => {
    const resumed: boolean[] = []
    const server = await tlsServer(
      (request, response) => {
        resumed.push((request.socket as tls.TLSSocket).isSessionReused())
        response.writeHead(200, { connection: 'close' }).end('x')
      },
      { minVersion: version, maxVersion: version },
    )
    const { port } = await startProxy()
    for (const proxy of [null, { host: '127.0.0.1', port, authorization: null }]) {
      const transport = transportTo(server.url, { proxy })
      for (const _ of ['first', 'second', 'third']) {
        expect(await post(transport)).toMatchObject({ date: expect.any(Number) })
        await setTimeout(50) // a session comes after the handshake of TLS 1.3
      }
    }
    expect(server.connections).toBe(6)
    expect(resumed).not.toContain(true)
  },
)

test('without a bundle nothing is sent, and the reason names the command that installs one', async () => {
  const server = await tlsServer((_, response) => response.end())
  const reply = await post(transportTo(server.url, { bundle: () => '' }))
  expect(reply).toMatchObject({
    arrived: false,
    status: null,
    reason: { en: expect.stringContaining('run `fisk doctor`') },
  })
  expect(server).toMatchObject({ connections: 0 })
})

test('a bundle that lacks the intermediate, the root, or both does not reach the service', async () => {
  const server = await tlsServer((_, response) => response.end())
  const other = await pki.issueSigner({ cn: 'other', fromOtherCa: true })
  for (const pem of [root.certPem, issuing.certPem, other.certPem]) {
    const reply = await post(transportTo(server.url, { bundle: () => pem }))
    expect(reply).toMatchObject({ arrived: false, reason: { en: expect.stringContaining('not trusted') } })
  }
  expect(server.requests).toBe(0)
})

test('a server of another authority is refused, even where the environment switches verification off', async () => {
  const other = await pki.issueSigner({ cn: 'localhost', fromOtherCa: true })
  const server = await tlsServer((_, response) => response.end(), { cert: other.certPem, key: other.keyPem })
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  onTestFinished(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })
  expect(await post(transportTo(server.url))).toMatchObject({ arrived: false, status: null })
  expect(server.requests).toBe(0)
})

test('a trusted certificate of another host is refused', async () => {
  const { signer } = pki
  const server = await tlsServer((_, response) => response.end(), { cert: signer.certPem, key: signer.keyPem })
  const reply = await post(transportTo(server.url))
  expect(reply).toMatchObject({
    arrived: false,
    reason: { en: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') },
  })
})

/** What a client agrees on that leaves it all to the runtime. */
function protocolOf(url: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ port: Number(new URL(url).port), host: '127.0.0.1', ca: pki.bundlePem }, () => {
      resolve(socket.getProtocol())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

test('TLS 1.1 is refused even where the runtime would take it, TLS 1.2 will do', async () => {
  const { DEFAULT_CIPHERS, DEFAULT_MIN_VERSION } = tls
  onTestFinished(() => void Object.assign(tls, { DEFAULT_CIPHERS, DEFAULT_MIN_VERSION }))
  Object.assign(tls, { DEFAULT_CIPHERS: 'DEFAULT@SECLEVEL=0', DEFAULT_MIN_VERSION: 'TLSv1' })
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const refused = await tlsServer((_, response) => response.end(), old)
  expect(await protocolOf(refused.url)).toBe('TLSv1.1')
  expect(await post(transportTo(refused.url))).toMatchObject({ arrived: false })
  const accepted = await tlsServer((_, response) => response.end('x'), { maxVersion: 'TLSv1.2' })
  expect(await post(transportTo(accepted.url))).toMatchObject({ arrived: true })
})

test.for(['http://127.0.0.1/', 'HTTP://cis.porezna-uprava.hr:8449/', 'cis.porezna-uprava.hr', ''])(
  'the address "%s" is refused before anything is sent',
  (url) => {
    expect(() => transportTo(url)).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'urls.test' }))
  },
)

test('a redirect is an answer, not a way to somewhere else', async () => {
  const elsewhere = await tlsServer((_, response) => response.end())
  const { url } = await tlsServer((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
  expect(await post(transportTo(url))).toMatchObject({ arrived: true, status: 307 })
  expect(elsewhere.requests).toBe(0)
})

test('one limit covers connecting, waiting and the whole answer', async () => {
  const mute = createServer(() => {})
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void mute.close())
  const noTls = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`
  const silent = (await tlsServer(() => {})).url
  const trickling = (
    await tlsServer((_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
  ).url
  for (const url of [noTls, silent, trickling]) {
    const start = performance.now()
    const reply = await post(transportTo(url, { timeoutMs: 300 }))
    expect(reply).toMatchObject({ arrived: false, reason: { en: 'no answer came within 0.3 seconds' } })
    expect(performance.now() - start).toBeLessThan(PATIENCE_MS)
  }
})

test('a connection that never comes to stand ends at the limit, and keeps nobody else waiting', async () => {
  const mute = createServer((socket) => void socket.on('error', () => {}))
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void mute.close())
  const transport = transportTo(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/`, { timeoutMs: 1500 })
  for (const _ of ['first', 'second']) {
    const start = performance.now()
    expect(await post(transport)).toEqual({
      arrived: false,
      status: null,
      reason: { en: 'no answer came within 1.5 seconds', hr: 'odgovor nije stigao za 1.5 s' },
    })
    // The second one has not waited for the first: both have their own limit.
    expect(performance.now() - start).toBeLessThan(PATIENCE_MS)
  }
})

test('an answer that is cut short has not arrived', async () => {
  const { url } = await tlsServer((_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('<half', () => response.destroy())
  })
  expect(await post(transportTo(url))).toMatchObject({ arrived: false, status: 200 })
})

test('an answer whose end only the end of the connection tells is marked, for it may be cut short', async () => {
  const unframed = tls.createServer({ cert: pki.tls.certPem, key: pki.tls.keyPem }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<half'))
  })
  await new Promise<void>((resolve) => unframed.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void unframed.close())
  const { port } = unframed.address() as AddressInfo
  expect(await post(transportTo(`https://127.0.0.1:${port}/`))).toEqual({
    arrived: true,
    status: 200,
    body: Buffer.from('<half'),
    framed: false,
    date: null,
    connection: expect.any(Number),
  })
})

test('nobody listening and a hung-up connection are replies that have not arrived', async () => {
  expect(await post(transportTo('https://127.0.0.1:1/'))).toMatchObject({
    reason: { en: expect.stringContaining('ECONNREFUSED') },
  })
  const { url } = await tlsServer((_, response) => void response.destroy())
  expect(await post(transportTo(url))).toMatchObject({ arrived: false, status: null })
})

test('connections are kept for the next message, until the bundle changes', async () => {
  let pem = pki.bundlePem
  const server = await tlsServer((_, response) => response.end('x'))
  const transport = transportTo(server.url, { bundle: () => pem })
  await post(transport)
  await setTimeout(50) // a connection is free again a moment after its answer
  await post(transport)
  expect(server.connections).toBe(1)
  pem = root.certPem
  expect(await post(transport)).toMatchObject({ arrived: true })
  transport.reload('test')
  expect(await post(transport)).toMatchObject({ arrived: false })
  pem = pemOf(pki.bundleDer)
  transport.reload('test')
  expect(await post(transport)).toMatchObject({ arrived: true })
})

test('each answer says which connection has brought it', async () => {
  const { url } = await tlsServer((_, response) => response.end('x'))
  const transport = transportTo(url)
  const numbers: unknown[] = []
  for (let i = 0; i < 3; i++) {
    const reply = await post(transport)
    numbers.push(reply.arrived && reply.connection)
    await setTimeout(50) // a connection is free again a moment after its answer
    if (i === 1) transport.reload('test')
  }
  expect(numbers).toEqual([expect.any(Number), numbers[0], expect.any(Number)])
  expect(numbers[2]).not.toBe(numbers[0])
})

test('of two free connections a message takes the one that has waited longer, so that both are kept', async () => {
  const taken: unknown[] = []
  const server = await tlsServer(async ({ socket }, response) => {
    taken.push(socket)
    await vi.waitFor(() => expect(server.connections).toBe(2), PATIENCE_MS)
    response.end('x')
  })
  const transport = transportTo(server.url)
  await Promise.all([post(transport), post(transport)])
  for (const _ of ['third', 'fourth', 'fifth']) {
    await setTimeout(50) // a connection is free again a moment after its answer
    await post(transport)
  }
  expect(server.connections).toBe(2)
  const [, , third, fourth, fifth] = taken
  expect(fourth).not.toBe(third)
  expect(fifth).toBe(third)
})

test('a message that has left is told of before its answer, one that cannot leave is not', async () => {
  let hasLeft: string[] = []
  const { url } = await tlsServer(
    (_, response) => void setTimeout(50).then(() => response.end([...hasLeft, 'answered'].join())),
  )
  const sent = () => void hasLeft.push('left')
  expect(await transportTo(url).post('test', {}, Buffer.from('<x/>'), sent)).toMatchObject({
    body: Buffer.from('left,answered'),
  })
  hasLeft = []
  await transportTo('https://127.0.0.1:1/').post('test', {}, Buffer.from('<x/>'), sent)
  expect(hasLeft).toEqual([])
})

test('a message that is expected finds its connection open, and says the same on it', async () => {
  const heard: string[][] = []
  const server = await tlsServer((request, response) => {
    heard.push(request.rawHeaders)
    response.end('x')
  })
  const transport = transportTo(server.url)
  transport.expect('test')
  transport.expect('test')
  await vi.waitFor(() => expect(server.connections).toBe(1), PATIENCE_MS)
  expect(heard).toEqual([])
  expect(await post(transport)).toMatchObject({ arrived: true, body: Buffer.from('x') })
  await setTimeout(50) // a connection is free again a moment after its answer
  transport.expect('test')
  expect(await post(transport)).toMatchObject({ arrived: true })
  expect(server.connections).toBe(1)
  expect(heard[0]).toEqual(heard[1])
})

test('a connection for a message that does not come is closed after 2 seconds', async () => {
  const server = await tlsServer((_, response) => response.end('x'))
  const transport = transportTo(server.url)
  transport.expect('test')
  await vi.waitFor(() => expect(server.connections).toBe(1), PATIENCE_MS)
  await vi.waitFor(() => expect(server.open).toBe(0), PATIENCE_MS)
  expect(await post(transport)).toMatchObject({ arrived: true })
  expect(server.connections).toBe(2)
})

test.each(['408 Request Timeout\r\nContent-Length: 0', '101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x'])(
  'an answer that nobody asked for ends a connection for a message that is expected: %j',
  async (answer) => {
    let connections = 0
    const server = tls.createServer({ cert: pki.tls.certPem, key: pki.tls.keyPem }, (socket) => {
      socket.on('error', () => {})
      connections++
      if (connections === 1) socket.write(`HTTP/1.1 ${answer}\r\n\r\n`)
      else socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const transport = transportTo(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    transport.expect('test')
    await vi.waitFor(() => expect(connections).toBe(1), PATIENCE_MS)
    await setTimeout(50)
    expect(await post(transport)).toMatchObject({ arrived: true, status: 200 })
  },
)

test('what is wrong with an expected connection is told to the message, which connects anew', async () => {
  const refused = transportTo('https://127.0.0.1:1/')
  refused.expect('test')
  await setTimeout(50)
  expect(await post(refused)).toMatchObject({ reason: { en: expect.stringContaining('ECONNREFUSED') } })
  const unknown = transportTo((await tlsServer((_, response) => response.end('x'))).url, { bundle: () => '' })
  unknown.expect('test')
  expect(await post(unknown)).toMatchObject({
    arrived: false,
    reason: { en: expect.stringContaining('no trust bundle') },
  })
})

test('a message on its way when the bundle changes still gets its answer', async () => {
  const { url } = await tlsServer((_, response) => void setTimeout(100).then(() => response.end('late')))
  const transport = transportTo(url)
  const waiting = post(transport)
  transport.reload('test')
  expect(await waiting).toMatchObject({ arrived: true, body: Buffer.from('late') })
})

test('every message says who sends it, and takes XML as it was signed', async () => {
  let headers: IncomingHttpHeaders = {}
  const server = await tlsServer((request, response) => {
    headers = request.headers
    response.end('x')
  })
  const transport = createTransport({
    ...{ urls: { test: server.url, live: server.url }, bundle: () => pki.bundlePem, timeoutMs: PATIENCE_MS },
    userAgent: 'fiskd/1.2.3',
  })
  onTestFinished(() => transport.close())
  await post(transport)
  expect(headers).toMatchObject({
    ...{ 'user-agent': 'fiskd/1.2.3', accept: 'text/xml', 'accept-encoding': 'identity' },
    ...{ 'content-type': 'text/xml', 'content-length': '4' },
  })
})

test('interim answers that nobody asked for are passed over', async () => {
  const server = await tlsServer((_, response) => {
    response.writeContinue()
    response.writeProcessing()
    response.end('x')
  })
  const transport = transportTo(server.url)
  for (const _ of ['first', 'on the same connection']) {
    expect(await post(transport)).toMatchObject({ arrived: true, status: 200, body: Buffer.from('x') })
  }
})

test('an answer that switches to another protocol has not arrived', async () => {
  const { url } = await tlsServer((_, response) => {
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')
  })
  // Nothing more comes, and the limit ends it.
  expect(await post(transportTo(url, { timeoutMs: 2000 }))).toMatchObject({ arrived: false })
})

test('what is not HTTP has not arrived', async () => {
  const { url } = await tlsServer((_, response) => void response.socket?.end('220 mail.example.hr ESMTP\r\n'))
  expect(await post(transportTo(url))).toMatchObject({
    arrived: false,
    reason: { en: expect.stringMatching(/^what came back is not HTTP \(HPE_/) },
  })
})
