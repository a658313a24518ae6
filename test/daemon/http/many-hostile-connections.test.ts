import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { LISTENER_LIMITS } from '../../../src/daemon/http/listener-limits.ts'
import { call } from '../../support/call.ts'
import { type DaemonProcess, runDaemon } from '../../support/daemon-process.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'

/** What a full listener may cost, with what is left of those that were cut: all 10,000 would cost several times that. */
const MAX_GROWTH_MB = 200
/** Files that the test itself needs beside its sockets. */
const OWN_FILES = 1000

let gateway: Gateway
let daemon: DaemonProcess

beforeAll(async () => {
  gateway = await startSharedGateway()
  daemon = await runDaemon(gateway, atTheEndOfFile)
  for (let i = 0; i < 20; i++) expect((await daemon.post()).body.status).toBe('confirmed')
}, 60_000)

/** As many as were asked for, or as the limit of open files allows. */
function affordable(wanted: number): number {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  const count = Math.min(wanted, limit - OWN_FILES)
  if (count < wanted) console.warn(`only ${count} sockets instead of ${wanted}: ${limit} open files are allowed`)
  return count
}

/** Sockets that come and never ask anything; the daemon may cut them. */
class Crowd {
  readonly sockets = new Set<Socket>()

  /** Opens a socket, says the beginning of something, and resolves when it stands or has been turned away. */
  open(start: Buffer | string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(daemon.port, '127.0.0.1')
      socket.on('error', () => socket.destroy()).on('close', () => this.forget(socket, resolve))
      socket.on('connect', () => {
        if (start.length > 0) socket.write(start)
        resolve()
      })
      this.sockets.add(socket.resume())
    })
  }

  /** A whole handshake, then the beginning of a request. */
  openTls(start: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = tlsConnect({ port: daemon.port, host: '127.0.0.1', ca: daemon.ca })
      socket.on('error', () => socket.destroy()).on('close', () => this.forget(socket, resolve))
      socket.on('secureConnect', () => {
        socket.write(start)
        resolve()
      })
      this.sockets.add(socket.resume())
    })
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  private forget(socket: Socket, resolve: () => void): void {
    this.sockets.delete(socket)
    resolve()
  }
}

/** Runs `open` as often as told, `width` at a time. */
async function times(count: number, width: number, open: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let i = next++; i < count; i = next++) await open(i)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Posts a sale over the one connection of an agent. @returns its status, and the local port it went through */
function sellKept(agent: Agent): Promise<{ status: string; localPort: number | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'idempotency-key': `kept-${Math.random()}`,
    }
    const asked = request(`${daemon.url}/v1/invoices`, { method: 'POST', agent, ca: daemon.ca, headers }, (answer) => {
      const { localPort } = answer.socket
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      answer.on('end', () => resolve({ status: JSON.parse(text).status, localPort }))
    })
    asked.on('error', reject).end(JSON.stringify(gateway.sale()))
  })
}

/** The first bytes of a ClientHello that never goes on. */
const HALF_A_HANDSHAKE = Buffer.from('16030102000100', 'hex')

test('10,000 sockets, silent or in the middle of a handshake, do not keep a sale waiting and cost little', async () => {
  const count = affordable(10_000)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const crowd = new Crowd()
  const before = { files: daemon.openFiles(), memory: daemon.memory().now }
  daemon.forgetPeak()
  const kept = await sellKept(agent)
  expect(kept.status).toBe('confirmed')

  const flooding = times(count, 200, (i) => crowd.open(i % 2 === 0 ? '' : HALF_A_HANDSHAKE))
  const took: number[] = []
  let flooded = false
  void flooding.then(() => {
    flooded = true
  })
  do {
    const start = performance.now()
    expect((await daemon.post()).body.status).toBe('confirmed')
    took.push(performance.now() - start)
    expect(await sellKept(agent)).toEqual(kept)
  } while (!flooded)
  expect(Math.max(...took)).toBeLessThan(5000)
  expect(daemon.openFiles()).toBeLessThanOrEqual(before.files + LISTENER_LIMITS.connections + 10)
  expect(daemon.memory().peak - before.memory).toBeLessThan(MAX_GROWTH_MB)

  crowd.leave()
  agent.destroy()
  await expect.poll(() => daemon.openFiles()).toBeLessThanOrEqual(before.files + 2)
  expect((await daemon.post()).body.status).toBe('confirmed')
}, 60_000)

test('a listener full of whole handshakes and half requests costs little, and a sale finds its place', async () => {
  const crowd = new Crowd()
  const before = { files: daemon.openFiles(), memory: daemon.memory().now }
  daemon.forgetPeak()
  const requests = [
    'GET /v1/health HTTP/1.1\r\n',
    'POST /v1/invoices HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf',
  ]
  await times(1100, 50, (i) => crowd.openTls(requests[i % 2] ?? ''))
  await expect.poll(() => crowd.sockets.size).toBeLessThanOrEqual(LISTENER_LIMITS.connections)
  expect((await daemon.post()).body.status).toBe('confirmed')
  expect(daemon.memory().peak - before.memory).toBeLessThan(MAX_GROWTH_MB)
  crowd.leave()
  await expect.poll(() => daemon.openFiles()).toBeLessThanOrEqual(before.files + 2)
  expect((await daemon.post()).body.status).toBe('confirmed')
})

test('headers of 20 KB are refused with the body of the specification', async () => {
  const headers = { 'x-padding': 'a'.repeat(20_000) }
  const { status, body } = await call({ base: daemon.url, ca: daemon.ca }, { path: '/v1/health', headers })
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: { type: 'validation_error', code: 'invalid_request', param: 'request' } })
  expect((await daemon.post()).body.status).toBe('confirmed')
})
