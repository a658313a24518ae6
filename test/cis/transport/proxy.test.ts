import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseProxy } from '../../../src/cis/transport/proxy.ts'
import { createTransport } from '../../../src/cis/transport/transport.ts'
import { startProxy } from '../../support/http-proxy.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pki } from '../../support/pki.ts'
import { tlsServer } from '../support/tls-server.ts'

test.each([
  ['http://proxy:3128', { host: 'proxy', port: 3128, authorization: null }],
  ['http://proxy:3128/', { host: 'proxy', port: 3128, authorization: null }],
  ['http://10.0.0.1', { host: '10.0.0.1', port: 80, authorization: null }],
  ['http://[::1]:8080', { host: '::1', port: 8080, authorization: null }],
  ['http://ana:p%40ss%3Aword@proxy:3128', { host: 'proxy', port: 3128, authorization: 'Basic YW5hOnBAc3M6d29yZA==' }],
  ['https://proxy:3128', undefined],
  ['socks5://proxy:1080', undefined],
  ['proxy:3128', undefined],
  ['http://proxy:3128/path', undefined],
  ['http://ana:%E0%A4%A@proxy', undefined],
  ['', undefined],
])('the proxy %j is read as %j', (text, proxy) => {
  expect(parseProxy(text)).toEqual(proxy)
})

async function post(url: string, port: number, login = '', timeoutMs = PATIENCE_MS) {
  const proxy = parseProxy(`http://${login}127.0.0.1:${port}`) ?? null
  const transport = createTransport({
    ...{ urls: { test: url, live: url }, bundle: () => pki.bundlePem, timeoutMs, proxy },
  })
  onTestFinished(() => transport.close())
  return { transport, send: () => transport.post('test', { 'content-type': 'text/xml' }, Buffer.from('<x/>')) }
}

test('messages go through the proxy in a tunnel that is kept, and the certificate is still that of the service', async () => {
  const service = await tlsServer((_, response) => response.end('x'))
  const proxy = await startProxy()
  const { send } = await post(service.url, proxy.port, 'ana:lozinka@')
  const reply = await send()
  expect(reply).toMatchObject({ arrived: true, status: 200, body: Buffer.from('x') })
  expect(reply).toMatchObject({ date: expect.any(Number) })
  await send()
  const { host } = new URL(service.url)
  expect(proxy.asked).toEqual([{ target: host, authorization: 'Basic YW5hOmxvemlua2E=' }])
  expect(service).toMatchObject({ connections: 1, requests: 2 })
})

test('a tunnel is opened ahead for a message that is expected, and what is wrong with it is told to the message', async () => {
  const service = await tlsServer((_, response) => response.end('x'))
  const proxy = await startProxy()
  const { transport, send } = await post(service.url, proxy.port)
  transport.expect('test')
  transport.expect('test')
  await vi.waitFor(() => expect(service.connections).toBe(1), PATIENCE_MS)
  expect(await send()).toMatchObject({ arrived: true })
  expect(proxy.asked.length).toBe(1)
  const refused = await post(service.url, (await startProxy(() => 403)).port)
  refused.transport.expect('test')
  await setTimeout(50)
  expect(await refused.send()).toMatchObject({ arrived: false, reason: { en: expect.stringContaining('403') } })
})

test('a proxy may open the tunnel with any status of success', async () => {
  const service = await tlsServer((_, response) => response.end('x'))
  for (const status of [201, 204, 299]) {
    const { send } = await post(service.url, (await startProxy(() => status)).port)
    expect(await send()).toMatchObject({ arrived: true, status: 200, body: Buffer.from('x') })
  }
})

test('a service that is not trusted is not reached through a proxy either', async () => {
  const other = await pki.issueSigner({ cn: 'localhost', fromOtherCa: true })
  const service = await tlsServer((_, response) => response.end(), { cert: other.certPem, key: other.keyPem })
  const { send } = await post(service.url, (await startProxy()).port)
  expect(await send()).toMatchObject({ arrived: false, reason: { en: expect.stringContaining('not trusted') } })
  expect(service.requests).toBe(0)
})

test.each([
  ['refuses', 403, PATIENCE_MS, /^the proxy 127\.0\.0\.1:\d+ answered HTTP 403$/],
  ['wants a login', 407, PATIENCE_MS, /^the proxy 127\.0\.0\.1:\d+ answered HTTP 407$/],
  ['says nothing', 'nothing', 1500, /^no answer came within 1\.5 seconds$/],
] as const)('a proxy that %s is a reply that has not arrived', async (_what, status, timeoutMs, reason) => {
  const service = await tlsServer((_, response) => response.end())
  const { send } = await post(service.url, (await startProxy(() => status)).port, 'ana:lozinka@', timeoutMs)
  const reply = await send()
  expect(reply).toMatchObject({ arrived: false, status: null, reason: { en: expect.stringMatching(reason) } })
  expect(JSON.stringify(reply)).not.toContain('lozinka')
  expect(service.requests).toBe(0)
})

test('a proxy that is not there is a reply that has not arrived', async () => {
  const { send } = await post('https://127.0.0.1:8449/', 1)
  const reason = 'the proxy 127.0.0.1:1 is not reached: the connection failed or was cut (ECONNREFUSED)'
  expect(await send()).toMatchObject({ arrived: false, reason: { en: reason } })
})

test('a proxy whose name is not found is told as the proxy, not as the service', async () => {
  const proxy = { host: 'proxy.invalid', port: 3128, authorization: null }
  const urls = { test: 'https://127.0.0.1:8449/', live: 'https://127.0.0.1:8449/' }
  const transport = createTransport({ urls, bundle: () => pki.bundlePem, timeoutMs: 20_000, proxy })
  onTestFinished(() => transport.close())
  expect(await transport.post('test', {}, Buffer.from('<x/>'))).toMatchObject({
    arrived: false,
    reason: {
      en: expect.stringMatching(/^the proxy proxy\.invalid:3128 is not reached: its address could not be looked up \(/),
    },
  })
})
