import { connect as connectPlain, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

let sales = 0
/** The bytes of a sale, with the lines that a client of this connection adds. */
function sale(more = ''): string {
  const body = JSON.stringify(gateway.sale())
  const key = `Authorization: Bearer ${gateway.key}\r\nIdempotency-Key: half-closed-${sales++}\r\n`
  const head = `Host: localhost\r\nContent-Type: application/json\r\n${key}${more}Content-Length: ${body.length}\r\n`
  return `POST /v1/invoices HTTP/1.1\r\n${head}\r\n${body}`
}

/** A connection to the gateway on which the client may close its sending side alone. */
function plainSocket(): Socket {
  const socket = connectPlain({ host: '127.0.0.1', port: Number(new URL(gateway.url).port), allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  return socket
}

function tlsSocket(socket: Socket, maxVersion: 'TLSv1.2' | 'TLSv1.3') {
  const over = connect({ socket, rejectUnauthorized: false, maxVersion })
  over.allowHalfOpen = true
  over.on('error', () => {})
  return over
}

const confirmed = expect.stringMatching(/^HTTP\/1\.1 200 .*"status":"confirmed"/s)

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a client that ends its %s session behind a sale gets its answer',
  async (version) => {
    const over = tlsSocket(plainSocket(), version)
    over.end(sale())
    expect(await text(over)).toEqual(confirmed)
  },
)

test('a client that closes its connection for sending, and the session not, gets its answer', async () => {
  const socket = plainSocket()
  const over = tlsSocket(socket, 'TLSv1.3')
  await new Promise((resolve) => over.write(sale(), resolve))
  socket.end()
  expect(await text(over)).toEqual(confirmed)
})

test('two sales before the end of what a client sends are both answered, and a broken third is not a sale', async () => {
  const over = tlsSocket(plainSocket(), 'TLSv1.3')
  over.end(`${sale()}${sale()}${sale().slice(0, -20)}`)
  const said = await text(over)
  expect(said.match(/"status":"confirmed"/g)).toHaveLength(2)
})

test('a client of the admin socket that closes its sending side gets its answer', async () => {
  const socket = connectPlain({ path: gateway.socketPath, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.end('GET /admin/doctor HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
})

test('a connection without a request ends when its client has closed its sending side', async () => {
  const over = tlsSocket(plainSocket(), 'TLSv1.3')
  over.end()
  expect(await text(over)).toBe('')
})
