import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { inDatabase } from '../../support/database.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

/** Writes bytes, given as Latin 1, and reads until the connection is closed. @returns the status of every answer */
async function send(bytes: string): Promise<{ statuses: number[]; said: string }> {
  const { port } = new URL(gateway.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false })
  onTestFinished(() => void socket.destroy())
  socket.write(bytes, 'latin1')
  const said = await text(socket)
  return { said, statuses: [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)) }
}

let sales = 0
/** The headers and the body of a sale that is good by itself. */
function sale(): { headers: string; body: string; whole: string } {
  const body = JSON.stringify(gateway.sale())
  const key = `Authorization: Bearer ${gateway.key}\r\nIdempotency-Key: raw-${sales++}`
  const headers = `Host: localhost\r\nContent-Type: application/json\r\n${key}\r\n`
  return {
    headers,
    body,
    whole: `POST /v1/invoices HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
  }
}

const post = (more: (good: ReturnType<typeof sale>) => string) => () => {
  const good = sale()
  return `POST /v1/invoices HTTP/1.1\r\n${good.headers}${more(good)}`
}
const length = ({ body }: { body: string }) => `Content-Length: ${body.length}\r\n`
const chunks = ({ body }: { body: string }) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

/** Whatever hides a second request from one of two readers, and is refused here with a connection that is closed. */
const malformed: [string, () => string][] = [
  ['a length and chunks', post((good) => `${length(good)}${CHUNKED}\r\n${chunks(good)}${sale().whole}`)],
  ['chunks and a length', post((good) => `${CHUNKED}${length(good)}\r\n${chunks(good)}${sale().whole}`)],
  ['two lengths', post((good) => `${length(good)}Content-Length: 0\r\n\r\n${good.body}${sale().whole}`)],
  ['the same length twice', post((good) => `${length(good)}${length(good)}\r\n${good.body}${sale().whole}`)],
  ['a list of lengths', post(({ body }) => `Content-Length: ${body.length}, 0\r\n\r\n${body}`)],
  ['a length with a sign', post(({ body }) => `Content-Length: +${body.length}\r\n\r\n${body}`)],
  ['a negative length', post(({ body }) => `Content-Length: -1\r\n\r\n${body}`)],
  ['a length in hexadecimal', post(({ body }) => `Content-Length: 0x${body.length.toString(16)}\r\n\r\n${body}`)],
  ['a length beyond 64 bits', post(({ body }) => `Content-Length: 18446744073709551617\r\n\r\n${body}`)],
  ['a coding before chunked that nobody knows', post((good) => `Transfer-Encoding: xchunked\r\n\r\n${chunks(good)}`)],
  ['chunked that is not last', post((good) => `Transfer-Encoding: chunked, identity\r\n\r\n${chunks(good)}`)],
  ['two codings', post((good) => `${CHUNKED}Transfer-Encoding: identity\r\n\r\n${chunks(good)}`)],
  ['a chunk with a sign', post(({ body }) => `${CHUNKED}\r\n+${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)],
  ['a negative chunk', post(({ body }) => `${CHUNKED}\r\n-1\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk beyond 64 bits', post(({ body }) => `${CHUNKED}\r\n10000000000000001\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk that ends elsewhere', post(({ body }) => `${CHUNKED}\r\n5\r\n${body}\r\n0\r\n\r\n`)],
  [
    'a header that goes on in the next line',
    post(({ body }) => `X-A: b\r\n Content-Length: 5\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  ],
  ['lines that end with LF', post(({ body }) => `Content-Length: ${body.length}\n\n${body}`)],
  [
    'a lone CR in a header',
    post(({ body }) => `X-A: b\rContent-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  ],
  ['a space before a colon', post(({ body }) => `Content-Length : ${body.length}\r\n\r\n${body}`)],
  ['NUL in a header', post((good) => `X-A: a\0b\r\n${length(good)}\r\n${good.body}`)],
  ['NUL in the name of a header', post((good) => `X-\0A: b\r\n${length(good)}\r\n${good.body}`)],
  ['a header without a name', post((good) => `: b\r\n${length(good)}\r\n${good.body}`)],
  ['a header of 100 KB', post((good) => `X-A: ${'a'.repeat(100_000)}\r\n${length(good)}\r\n${good.body}`)],
  ['2,000 headers', post((good) => `${'X-Another: one\r\n'.repeat(2000)}${length(good)}\r\n${good.body}`)],
  ['an address of 100 KB', () => `GET /v1/invoices?q=${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['HTTP/0.9', () => 'GET /v1/health\r\n'],
  ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/9.9', () => `GET /v1/health HTTP/9.9\r\nHost: localhost\r\n\r\n`],
  ['a method that nobody knows', () => `SELL /v1/invoices HTTP/1.1\r\n${sale().headers}\r\n`],
  ['NUL in the address', () => `GET /v1/health\0 HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['a body that ends too early', post(({ body }) => `Content-Length: ${body.length + 1}\r\n\r\n${body}`)],
]

const stored = async () => (await inDatabase(gateway, 'SELECT id FROM invoices')).length

/** What came before has been done when a sale of later is. */
async function expectNextSale(expected: number) {
  await gateway.sell()
  expect(await stored()).toBe(expected + 1)
}

test.each(malformed)('%s is refused once, and a sale behind it is none', async (_what, bytes) => {
  const before = await stored()
  const { statuses, said } = await send(`${bytes()}${sale().whole}`)
  expect(statuses, said).toEqual([400])
  expect(said).toMatch(/\r\nConnection: close\r\n/i)
  await expectNextSale(before)
})

const CLOSE = 'Host: localhost\r\nConnection: close\r\n'
const auth = () => `Authorization: Bearer ${gateway.key}\r\n`

test.each<[string, () => string, number[]]>([
  ['an address of another host', () => `GET https://evil.example/v1/nothing HTTP/1.1\r\n${CLOSE}${auth()}\r\n`, [404]],
  ['an address that climbs', () => `POST /v1/../admin/keys HTTP/1.1\r\n${CLOSE}\r\n`, [404]],
  ['an address that climbs encoded', () => `GET /v1/%2e%2e/admin/keys HTTP/1.1\r\n${CLOSE}${auth()}\r\n`, [404]],
  ['two slashes before an address', () => `GET //admin/keys HTTP/1.1\r\n${CLOSE}${auth()}\r\n`, [404]],
  ['no address', () => `OPTIONS * HTTP/1.1\r\n${CLOSE}${auth()}\r\n`, [404]],
  ['TRACE', () => `TRACE /v1/health HTTP/1.1\r\n${CLOSE}Cookie: secret\r\n\r\n`, [404]],
  ['CONNECT', () => `CONNECT evil.example:443 HTTP/1.1\r\n${CLOSE}\r\n`, []],
  [
    'an upgrade to a websocket',
    () => `GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    [404],
  ],
  [
    'an upgrade to HTTP/2',
    () =>
      `GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
    [404],
  ],
  [
    'another method in a header',
    () => `GET /v1/invoices HTTP/1.1\r\n${CLOSE}${auth()}X-HTTP-Method-Override: POST\r\n\r\n`,
    [200],
  ],
  [
    'a sale in the body of what is too large',
    post(() => `Content-Length: 300000\r\n\r\n${sale().whole.repeat(3).padEnd(300_000)}`),
    [413],
  ],
])('%s is answered as it deserves and makes no sale', async (_what, bytes, expected) => {
  const before = await stored()
  const { statuses, said } = await send(bytes())
  expect(statuses, said).toEqual(expected)
  expect(said).not.toContain('secret')
  await expectNextSale(before)
})

test('sales one behind the other are as many sales, each with its answer', async () => {
  const before = await stored()
  const lastOne = sale().whole.replace('Host:', 'Connection: close\r\nHost:')
  const { statuses } = await send(`${sale().whole}${sale().whole}${lastOne}`)
  expect(statuses).toEqual([200, 200, 200])
  await expectNextSale(before + 3)
})

test.each([
  ['NUL', '\0'],
  ['a letter', 'x'],
  ['half a request that is malformed', 'POST /v1/invoices HTTP/1.1\r\n: x\r\n\r\n'],
])('a sale with %s behind it is answered as the sale that it is, and the connection closed', async (_what, behind) => {
  const before = await stored()
  const { statuses, said } = await send(`${sale().whole}${behind}`)
  expect(statuses, said).toEqual([200])
  expect(said).toMatch(/\r\nConnection: close\r\n/i)
  await expectNextSale(before + 1)
})
