import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { pemOf } from '../../src/cis/pem.ts'
import { reach } from '../../src/cis/reach.ts'
import { createTransport } from '../../src/cis/transport.ts'
import { type Simulator, startSimulator } from '../../src/simulator/index.ts'
import { pki } from '../support/pki.ts'
import { tlsServer } from './support/tls-server.ts'

let cis: Simulator
beforeAll(async () => {
  cis = await startSimulator({ pki })
})
afterAll(() => cis.close())

function go({ url = cis.url, bundle = pki.bundleDer, shown = Date.now, timeoutMs = 300 } = {}) {
  const transport = createTransport({ urls: { test: url, live: url }, bundle: () => pemOf(bundle), timeoutMs })
  onTestFinished(() => transport.close())
  return reach('test', { url, bundle, transport, shown, timeoutMs })
}

/** A server that does this with every connection. */
async function tcpServer(listener: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    listener(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('every step to a service that is well is told, with the time that the echo took and how the clocks differ', async () => {
  const { steps, aheadMs, closed } = await go({ shown: () => Date.now() + 90_000 })
  expect(steps.map(({ step, fix }) => [step, fix])).toEqual([
    ...[
      ['name', null],
      ['port', null],
      ['TLS', null],
      ['echo', null],
    ],
  ])
  expect(steps[2]?.detail).toMatch(/^TLSv1\.3, trusted; the certificate of the service is valid until 20\d\d-/)
  expect(steps[3]?.detail).toMatch(/^the same text came back in \d+ ms$/)
  expect(Math.abs((aheadMs ?? 0) - 90_000)).toBeLessThan(1500)
  expect(closed).toBe(false)
})

test('a name is looked up, an address is not', async () => {
  const port = new URL(cis.url).port
  const named = await go({ url: `https://localhost:${port}/FiskalizacijaServiceTest` })
  expect(named.steps[0]?.detail).toMatch(/^localhost is .*127\.0\.0\.1/)
  expect((await go()).steps[0]?.detail).toBe('127.0.0.1 is an address already')
})

test('without a bundle the way ends before TLS, and nothing is sent', async () => {
  const { steps } = await go({ bundle: [] })
  expect(steps.map(({ step }) => step)).toEqual(['name', 'port'])
})

test.each([
  ['says nothing', () => {}, 'no answer within 0.3 seconds'],
  ['hangs up', (socket: Socket) => socket.destroy(), /ECONNRESET|was cut/],
  [
    'speaks plain HTTP',
    (socket: Socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n'),
    'does not speak TLS',
  ],
])('what %s on the port is told as something on the way', async (_what, listener, says) => {
  const { steps } = await go({ url: await tcpServer(listener) })
  expect(steps.at(-1)).toMatchObject({ step: 'TLS', fix: expect.stringContaining('directly') })
  expect(steps.at(-1)?.detail).toMatch(says)
})

test('a service that takes the echo and never answers is given up', async () => {
  const { url } = await tlsServer(() => {})
  expect((await go({ url })).steps.at(-1)).toMatchObject({
    step: 'echo',
    detail: 'no echo came back: no answer came within 0.3 seconds',
    fix: expect.any(String),
  })
})
