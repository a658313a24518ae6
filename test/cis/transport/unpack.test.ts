import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { CIS_BOUNDS } from '../../../src/cis/bounds.ts'
import { createTransport } from '../../../src/cis/transport/transport.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pki } from '../../support/pki.ts'
import { tlsServer } from '../support/tls-server.ts'

const ANSWER = Buffer.from(`<greška>${'x'.repeat(1000)}</greška>`)
const MOST = CIS_BOUNDS.answer.most
const TOO_LARGE = { arrived: false, status: 200, reason: { en: 'the answer is too large', hr: 'odgovor je prevelik' } }

/** What the transport makes of an answer with these headers. */
async function replyTo(body: Buffer, encoding: string | string[]) {
  const { url } = await tlsServer((_, response) => response.setHeader('content-encoding', encoding).end(body))
  const urls = { test: url, live: 'https://127.0.0.1:1/' }
  const transport = createTransport({ urls, bundle: () => pki.bundlePem, timeoutMs: PATIENCE_MS })
  onTestFinished(() => transport.close())
  return transport.post('test', { 'content-type': 'text/xml' }, Buffer.from('<x/>'))
}

test.each([
  ['identity', ANSWER],
  ['gzip', gzipSync(ANSWER)],
  ['GZIP', gzipSync(ANSWER)],
  ['x-gzip', gzipSync(ANSWER)],
  ['deflate', deflateSync(ANSWER)],
  ['deflate', deflateRawSync(ANSWER)],
])('an answer that a proxy has compressed is read as it was signed: %s', async (encoding, body) => {
  expect(await replyTo(body, encoding)).toMatchObject({ arrived: true, status: 200, body: ANSWER })
})

test('an empty body is empty, whatever is said of it', async () => {
  expect(await replyTo(Buffer.alloc(0), 'gzip')).toMatchObject({ arrived: true, body: Buffer.alloc(0) })
})

test.each([
  ['gzip', gzipSync(Buffer.alloc(MOST + 1))],
  ['gzip', gzipSync(Buffer.alloc(32 * 1024 * 1024))],
  ['gzip', Buffer.concat([gzipSync(Buffer.alloc(MOST)), gzipSync(Buffer.alloc(MOST))])],
  ['deflate', deflateSync(Buffer.alloc(32 * 1024 * 1024))],
  ['deflate', deflateRawSync(Buffer.alloc(32 * 1024 * 1024))],
])('an answer that becomes too large is no answer, and is not unpacked to its end: %s', async (encoding, body) => {
  const before = process.memoryUsage().arrayBuffers
  expect(await replyTo(body, encoding)).toEqual(TOO_LARGE)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
})

test('an answer of the largest size is read, compressed or not', async () => {
  const largest = Buffer.alloc(MOST, 'x')
  for (const [encoding, body] of [['identity', largest] as const, ['gzip', gzipSync(largest)] as const])
    expect(await replyTo(body, encoding)).toMatchObject({ arrived: true, body: largest })
})

test.each<[what: string, encoding: string | string[], body: Buffer, why: string]>([
  ['cut short', 'gzip', gzipSync(ANSWER).subarray(0, -20), 'it is not gzip, or not whole (Z_BUF_ERROR)'],
  ['cut short', 'deflate', deflateSync(ANSWER).subarray(0, -8), 'it is not deflate, or not whole (Z_BUF_ERROR)'],
  ['plain', 'gzip', ANSWER, 'it is not gzip, or not whole (Z_DATA_ERROR)'],
  ['of the other kind', 'gzip', deflateSync(ANSWER), 'it is not gzip, or not whole (Z_DATA_ERROR)'],
  ['of the other kind', 'deflate', gzipSync(ANSWER), 'it is not deflate, or not whole (Z_DATA_ERROR)'],
  ['compressed twice', 'gzip, gzip', gzipSync(gzipSync(ANSWER)), '"gzip, gzip" is not read; nobody asked for it'],
  ['with two headers', ['gzip', 'deflate'], gzipSync(ANSWER), '"gzip, deflate" is not read; nobody asked for it'],
  ['of a newer kind', 'br', brotliCompressSync(ANSWER), '"br" is not read; nobody asked for it'],
  ['of no kind', `<b>${'x'.repeat(99)}`, ANSWER, `"?b?${'x'.repeat(37)}" is not read; nobody asked for it`],
])('an answer that is %s (%s) is refused, and the reason says why', async (_what, encoding, body, why) => {
  expect(await replyTo(body, encoding)).toMatchObject({
    arrived: false,
    status: 200,
    reason: { en: `a proxy has compressed the answer, and it cannot be unpacked: ${why}` },
  })
})
