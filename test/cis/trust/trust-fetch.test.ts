import { X509Certificate } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { getThrough } from '../../../src/cis/transport/proxy.ts'
import { fetchKnownAuthorities, KNOWN_AUTHORITIES } from '../../../src/cis/trust/trust-fetch.ts'
import { pki } from '../../support/pki.ts'

const { root } = pki.toJSON()
const [rootDer = Buffer.alloc(0), issuingDer = Buffer.alloc(0)] = pki.bundleDer

/** Publishes files over plain HTTP, and describes them as authorities with the fingerprint of the root or the issuer. */
async function publish(...files: [file: Buffer | RequestListener, certificate: Buffer][]) {
  const server = createServer((request, response) => {
    const [file] = files[Number(request.url?.slice(1))] ?? []
    if (typeof file === 'function') file(request, response)
    else response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return files.map(([, certificate], i) => ({
    name: `CA ${i}`,
    url: `http://127.0.0.1:${port}/${i}`,
    fingerprint: fingerprintOf(certificate),
  }))
}

/** A way through a proxy that answers so, and what it was asked for. */
async function through(listener: RequestListener, authorization: string | null = 'Basic YQ==') {
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
    listener(request, response)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  return { asked, get: getThrough({ host: '127.0.0.1', port, authorization }) }
}

const fingerprintOf = (certificate: Buffer) => new X509Certificate(certificate).fingerprint256.replaceAll(':', '')
/** The root, at a place that only the proxy knows. */
const authorities = [{ name: 'CA 0', url: 'http://ca.example.hr/0', fingerprint: fingerprintOf(rootDer) }]

test('where there is a proxy, files come through it', async () => {
  const { asked, get } = await through((_, response) => response.end(rootDer))
  expect(await fetchKnownAuthorities('test', { authorities, get })).toEqual([rootDer])
  expect(asked).toEqual(['GET http://ca.example.hr/0 Basic YQ=='])
})

test('a redirect is followed through the proxy, too', async () => {
  const places: Record<string, string> = { '/0': '/1', '/1': 'http://other.example.hr/2' }
  const { asked, get } = await through(({ url = '' }, response) => {
    const location = places[new URL(url).pathname]
    if (location) response.writeHead(302, { location }).end()
    else response.end(rootDer)
  })
  expect(await fetchKnownAuthorities('test', { authorities, get })).toEqual([rootDer])
  expect(asked).toEqual(
    ['http://ca.example.hr/0', 'http://ca.example.hr/1', 'http://other.example.hr/2'].map(
      (url) => `GET ${url} Basic YQ==`,
    ),
  )
})

const redirects = (location: string): RequestListener => {
  return (_, response) => response.writeHead(301, { location }).end()
}
const wantsLogin: RequestListener = (_, response) => response.writeHead(407).end()

test.for<[string, RequestListener, string | null, RegExp, number]>([
  ['leads to itself', redirects('/0'), null, /it was redirected more than 5 times;/, 6],
  [
    'leads to HTTPS',
    redirects('https://ca.example.hr/0'),
    null,
    /it leads to https:\/\/ca\.example\.hr, and only plain/,
    1,
  ],
  ['leads nowhere', redirects('http://['), null, /it answered HTTP 301;/, 1],
  ['wants a login', wantsLogin, null, /HTTP 407: set name and password: FISKD_CIS_PROXY=http:/, 1],
  ['wants another login', wantsLogin, 'Basic YQ==', /HTTP 407: check the name and password in FISKD_CIS_PROXY/, 1],
])('a download through a proxy that %s fails at once and says why', async ([, listener, login, says, times]) => {
  const { asked, get } = await through(listener, login)
  await expect(fetchKnownAuthorities('test', { authorities, get, pausesMs: [0, 0] })).rejects.toMatchObject({
    code: 'internal_error',
    message: expect.stringMatching(says),
  })
  expect(asked).toHaveLength(times)
})

test('each mode knows its root and its intermediate', () => {
  const all = [...KNOWN_AUTHORITIES.test, ...KNOWN_AUTHORITIES.live]
  expect(KNOWN_AUTHORITIES).toMatchObject({
    test: [{ name: 'Fina Demo Root CA' }, { name: 'Fina Demo CA 2020' }],
    live: [{ name: 'Fina Root CA' }, { name: 'Fina RDC 2020' }],
  })
  expect(all.every(({ fingerprint }) => /^[0-9A-F]{64}$/.test(fingerprint))).toBe(true)
})

test('published certificates are downloaded as DER, whichever form they are published in', async () => {
  const authorities = await publish([Buffer.from(root.certPem), rootDer], [issuingDer, issuingDer])
  expect(await fetchKnownAuthorities('test', { authorities })).toEqual([rootDer, issuingDer])
})

test('a redirect is followed; the fingerprint decides whether it led to the right file', async () => {
  const moved: RequestListener = (_, response) => response.writeHead(301, { location: '/1' }).end()
  const authorities = await publish([moved, rootDer], [rootDer, rootDer])
  expect(await fetchKnownAuthorities('test', { authorities })).toEqual([rootDer, rootDer])
  const wrong = await publish([moved, issuingDer], [rootDer, rootDer])
  await expect(fetchKnownAuthorities('test', { authorities: wrong })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a certificate with another fingerprint is refused, and so are all of them', async () => {
  const authorities = await publish([rootDer, rootDer], [rootDer, issuingDer])
  await expect(fetchKnownAuthorities('test', { authorities })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'mode',
    message: expect.stringMatching(/is not CA 1: its fingerprint is [0-9A-F]{64}, not [0-9A-F]{64}/),
  })
})

test.for<[string, RequestListener, RegExp]>([
  ['a missing file', (_, response) => response.writeHead(404).end(), /HTTP 404/],
  ['a redirect to itself', (_, response) => response.writeHead(302, { location: '/0' }).end(), /connection failed/],
  ['an endless file', (_, response) => response.end(Buffer.alloc(100_000)), /too large/],
  ['a hung-up connection', (_, response) => void response.destroy(), /connection failed/],
])('%s is a failed download that says how to do without', async ([, listener, reason]) => {
  const authorities = await publish([listener, rootDer], [rootDer, rootDer])
  const failed = fetchKnownAuthorities('test', { authorities, pausesMs: [0, 0] })
  await expect(failed).rejects.toMatchObject({ code: 'internal_error', message: expect.stringMatching(reason) })
  await expect(failed).rejects.toThrow('fisk trust add')
})

test.for<[string, RequestListener]>([
  ['a hung-up connection', (_, response) => void response.destroy()],
  ['a server in trouble', (_, response) => response.writeHead(503).end()],
])('%s is tried again, as often as there are pauses', async ([, fault]) => {
  let asked = 0
  const recovering: RequestListener = (request, response) => {
    asked++
    if (asked < 3) fault(request, response)
    else response.end(rootDer)
  }
  const authorities = await publish([recovering, rootDer])
  expect(await fetchKnownAuthorities('test', { authorities, pausesMs: [0, 0] })).toEqual([rootDer])
  asked = 0
  await expect(fetchKnownAuthorities('test', { authorities, pausesMs: [0] })).rejects.toThrow('fisk trust add')
  expect(asked).toBe(2)
})

test('a file that is not there, or is another one, is not asked for again', async () => {
  let asked = 0
  const missing: RequestListener = (_, response) => {
    asked++
    response.writeHead(404).end()
  }
  const wrong: RequestListener = (_, response) => {
    asked++
    response.end(issuingDer)
  }
  for (const listener of [missing, wrong]) {
    asked = 0
    const authorities = await publish([listener, rootDer])
    await expect(fetchKnownAuthorities('test', { authorities, pausesMs: [0, 0] })).rejects.toThrow()
    expect(asked).toBe(1)
  }
})
