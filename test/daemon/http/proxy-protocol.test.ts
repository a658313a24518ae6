import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { LISTENER_LIMITS } from '../../../src/daemon/http/listener-limits.ts'
import { listenTls } from '../../../src/daemon/http/listeners.ts'
import { pki } from '../../support/pki.ts'

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const REFUSALS = { plainHttp: () => '{"refused":"plain"}', malformedHttp: () => '{"refused":"malformed"}' }

function header(command: number, family: number, body: number[]): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length)
  return Buffer.concat([SIGNATURE, Buffer.from([command, family]), length, Buffer.from(body)])
}
/** 192.0.2.77:4711 to 192.0.2.1:8443 */
const IPV4 = header(0x21, 0x11, [192, 0, 2, 77, 192, 0, 2, 1, 0x12, 0x67, 0x20, 0xfb])
const V6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
const IPV6 = header(0x21, 0x21, [...V6, ...V6, 0x12, 0x67, 0x20, 0xfb])
const HEALTH_CHECK = header(0x20, 0, [])

/** A listener that answers with the address that it sees. */
async function listen(proxies: string[], limits = LISTENER_LIMITS): Promise<number> {
  const pair = { certPem: pki.tls.certPem, keyPem: pki.tls.keyPem }
  const listener = await listenTls(
    { host: '127.0.0.1', port: 0 },
    pair,
    ({ socket }, answer) => answer.end(`seen ${socket.remoteAddress} ${socket.remotePort}.`),
    REFUSALS,
    limits,
    proxies,
  )
  onTestFinished(() => listener.close())
  return Number(new URL(listener.url).port)
}

async function open(port: number, ...parts: Buffer[]): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.setNoDelay(true)
  for (const part of parts) {
    socket.write(part)
    await sleep(20)
  }
  return socket
}

async function seen(port: number, ...parts: Buffer[]): Promise<string> {
  const socket = await open(port, ...parts)
  const tls = tlsConnect({ socket, ca: pki.bundlePem, host: '127.0.0.1' })
  tls.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return /seen (.*)\./.exec(await text(tls))?.[1] ?? ''
}

test('a load balancer says where a connection comes from, in one piece or byte by byte', async () => {
  const port = await listen(['127.0.0.1'])
  expect(await seen(port, IPV4)).toBe('192.0.2.77 4711')
  expect(await seen(port, ...[...IPV4].map((byte) => Buffer.from([byte])))).toBe('192.0.2.77 4711')
  expect(await seen(port, IPV6)).toBe('2001:db8:0:0:0:0:0:7 4711')
  const mapped = [...Array(10).fill(0), 0xff, 0xff, 192, 0, 2, 7]
  expect(await seen(port, header(0x21, 0x21, [...mapped, ...mapped, 0x12, 0x67, 0x20, 0xfb]))).toBe(
    '::ffff:192.0.2.7 4711',
  )
})

test('its health checks and connections without a header come from itself', async () => {
  const port = await listen(['127.0.0.1'])
  expect(await seen(port, HEALTH_CHECK)).toMatch(/^127\.0\.0\.1 /)
  expect(await seen(port)).toMatch(/^127\.0\.0\.1 /)
})

test('nobody else is believed: the header is no TLS', async () => {
  const port = await listen(['192.0.2.1'])
  expect(await text(await open(port, IPV4))).toContain('{"refused":"plain"}')
})

test.each([
  ['of an unknown command', header(0x22, 0x11, [...IPV4.subarray(16)])],
  ['with too few bytes', header(0x21, 0x11, [192, 0, 2, 77])],
  ['of 60,000 bytes', header(0x21, 0x11, new Array(60_000).fill(1))],
  ['that never ends', SIGNATURE],
])('a header %s ends the connection', async (_, bytes) => {
  const port = await listen(['127.0.0.1'], { ...LISTENER_LIMITS, firstByteMs: 300 })
  const socket = await open(port)
  const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')))
  socket.on('error', () => {}).resume()
  socket.write(bytes)
  expect(await Promise.race([closed, sleep(5000, 'open')])).toBe('closed')
})
