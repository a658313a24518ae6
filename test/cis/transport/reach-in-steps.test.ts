import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { SERVICE_NAMES } from '../../../src/cis/answer/service-names.ts'
import { createSigners } from '../../../src/cis/answer/trusted-signers.ts'
import type { Sha1Answers } from '../../../src/cis/answer/verify-answer.ts'
import type { HttpProxy } from '../../../src/cis/transport/proxy.ts'
import { reach } from '../../../src/cis/transport/reach-in-steps.ts'
import { createTransport } from '../../../src/cis/transport/transport.ts'
import { loadPki, type Simulator, startSimulator } from '../../../src/simulator/index.ts'
import { pemOf } from '../../../src/x509/pem.ts'
import { presentAt } from '../../support/clocks.ts'
import { english } from '../../support/english.ts'
import { startProxy } from '../../support/http-proxy.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pki, withUnknownKey } from '../../support/pki.ts'
import { answer, F73, greske, inEnvelope } from '../support/answers.ts'
import { tlsServer } from '../support/tls-server.ts'

let cis: Simulator
beforeAll(async () => {
  cis = await startSimulator({ pki })
})
afterAll(() => cis.close())

interface Going {
  url?: string
  bundle?: Buffer[]
  shown?: () => number
  timeoutMs?: number
  sha1Answers?: Sha1Answers
  proxy?: HttpProxy | null
  given?: string | null
}

async function go(going: Going = {}) {
  const { url = cis.url, bundle = pki.bundleDer, shown = Date.now, timeoutMs = PATIENCE_MS, proxy = null } = going
  const { sha1Answers = 'accept', given = null } = going
  const transport = createTransport({ urls: { test: url, live: url }, bundle: () => pemOf(bundle), timeoutMs, proxy })
  onTestFinished(() => transport.close())
  const signers = createSigners({
    ...{ trust: { certificates: () => bundle }, chains: createChainValidator() },
    names: SERVICE_NAMES,
  })
  const judges = { signers, sha1Answers, present: () => presentAt(Date.now()) }
  return english(
    await reach('test', { url, bundle, given, transport, judges, proxy, shown, timeoutMs, hear: () => {} }),
  )
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
  const { steps, aheadMs, closed, signature, dateAheadOfSignedMs } = await go({ shown: () => Date.now() + 90_000 })
  expect(steps.map(({ step, fix }) => [step, fix])).toEqual([
    ...[
      ['name', null],
      ['port', null],
      ['TLS', null],
      ['echo', null],
      ['signature', null],
    ],
  ])
  expect(steps[2]?.detail).toMatch(
    /^TLSv1\.3, localhost issued by Simulator CA 2020, by Simulator Root CA; .* valid until 20\d\d-/,
  )
  expect(steps[3]?.detail).toMatch(/^the same text came back in \d+ ms$/)
  expect(Math.abs((aheadMs ?? 0) - 90_000)).toBeLessThan(30_000)
  expect(closed).toBe(false)
  expect(steps[4]?.detail).toMatch(
    /^answers are signed by fiskalcistest, issued by Simulator CA 2020, valid until 20.*; rsa-sha256, inclusive canonical form$/,
  )
  expect(signature).toBe('rsa-sha256')
  expect(Math.abs(dateAheadOfSignedMs ?? Number.NaN)).toBeLessThan(30_000)
})

/** The service as it is while a test runs. */
function cisIs(changes: Partial<Pick<Simulator, 'hash' | 'signsNothing' | 'dateAheadMs'>>): void {
  const { hash, signsNothing, dateAheadMs } = cis
  Object.assign(cis, changes)
  onTestFinished(() => void Object.assign(cis, { hash, signsNothing, dateAheadMs }))
}

test('a service that signs with SHA-1 is told as one, and where that is refused the fix is not the trust bundle', async () => {
  cisIs({ hash: 'sha1' })
  const { steps, signature } = await go()
  expect(steps.at(-1)).toMatchObject({ step: 'signature', fix: null })
  expect(steps.at(-1)?.detail).toContain('rsa-sha1 (SHA-1, accepted)')
  expect(signature).toBe('rsa-sha1')
  const refusing = await go({ sha1Answers: 'refuse' })
  expect(refusing).toMatchObject({ signature: null })
  expect(refusing.steps.at(-1)).toMatchObject({
    step: 'signature',
    detail: expect.stringContaining('it is signed with rsa-sha1'),
    fix: expect.stringMatching(/^set FISKD_CIS_SHA1_ANSWERS=accept in/),
  })
})

test('a service that does not sign what it answers to nothing leaves the first sale to show it', async () => {
  cisIs({ signsNothing: false })
  const { steps, signature } = await go()
  expect(steps.at(-1)).toEqual({
    step: 'signature',
    detail:
      'the service does not sign its answer to an empty message (HTTP 500): how its answers are signed shows with the first sale',
    fix: null,
  })
  expect(signature).toBeNull()
})

/** A service that answers an echo as it must, and an empty message with this. */
async function answering(status: number, body: string): Promise<string> {
  const server = createHttpsServer({ cert: pki.tls.certPem, key: pki.tls.keyPem }, async (request, response) => {
    const asked = await text(request)
    const echoed = /EchoRequest[^>]*>([^<]*)/.exec(asked)?.[1]
    const echo = inEnvelope(`<tns:EchoResponse xmlns:tns="${F73}">${echoed}</tns:EchoResponse>`)
    response.writeHead(echoed ? 200 : status).end(echoed ? echo : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const MALFORMED = inEnvelope(greske(['s006', 'x'])).replace('</soap:Body>', '')

test.each([
  ['a page', 200, '<html><body>Dobrodošli<br></body></html>'],
  ['nothing', 500, ''],
  ['something malformed', 500, MALFORMED],
  ['something malformed of a gateway', 502, MALFORMED],
  ['a document with a DOCTYPE', 200, '<!DOCTYPE html><html/>'],
  ['a fault', 500, inEnvelope('<soap:Fault/>')],
])('a service that answers nothing with %s leaves the first sale to show how it signs', async (_what, status, body) => {
  const { steps, signature } = await go({ url: await answering(status, body) })
  expect(steps.at(-1)).toMatchObject({
    step: 'signature',
    detail: expect.stringContaining(`(HTTP ${status}): how its answers are signed shows with the first sale`),
    fix: null,
  })
  expect(signature).toBeNull()
})

test.each([
  ['changed', answer({ said: greske(['s006', 'x']) }).replace('s006', 's004'), 'is not the one that was signed'],
  ['malformed', answer({ said: greske(['s006', 'x']) }).replace('</soap:Body>', ''), 'is not well-formed XML'],
])(
  'a signed answer that is %s is told with the newest fiskd and a support bundle as its fix',
  async (_, body, says) => {
    const { steps } = await go({ url: await answering(500, body) })
    expect(steps.at(-1)).toMatchObject({
      step: 'signature',
      detail: expect.stringContaining(says),
      fix: expect.stringMatching(/^install the newest fiskd; .*: sudo fisk support-bundle$/),
    })
  },
)

test.each([
  ['another issuer', { cn: 'fiskalcistest', fromOtherCa: true }, 'fisk trust fetch --mode test', 'fiskalcistest'],
  ['another name', { cn: 'somebody' }, 'FISKD_CIS_SIGNERS=test=ID:CN', 'somebody'],
])(
  'a service that signs with %s is told with the name that it bears, and with what helps',
  async (_, order, fix, name) => {
    const stranger = await pki.issueSigner(order)
    const files = pki.toJSON()
    const other = await startSimulator({ pki: loadPki({ ...files, signer: stranger }) })
    onTestFinished(() => other.close())
    const { steps } = await go({ url: other.url })
    expect(steps.at(-1)).toMatchObject({
      step: 'signature',
      fix: expect.stringContaining(fix),
    })
    const issued = `${name}, issued by Simulator CA 2020, organizationIdentifier HR02994650199`
    expect(steps.at(-1)?.detail).toContain(`(it brings the certificate of ${issued})`)
  },
)

test('where the operator has set the path of the base, its file is told in place of a command that is refused', async () => {
  const files = pki.toJSON()
  const signer = await pki.issueSigner({ cn: 'fiskalcistest', fromOtherCa: true })
  const other = await startSimulator({ pki: loadPki({ ...files, signer }) })
  onTestFinished(() => other.close())
  const cut = { bundle: pki.bundleDer.slice(0, 1), given: '/etc/cas.pem' }
  for (const { steps } of [await go(cut), await go({ url: other.url, given: '/etc/cas.pem' })]) {
    expect(steps.at(-1)?.fix).toContain(
      'put the CA certificates into /etc/cas.pem, or from a file: fisk trust add --mode test --for service',
    )
    expect(steps.at(-1)?.fix).not.toContain('fisk trust fetch')
  }
})

test('a Date that is not the time that the service signs is told', async () => {
  cisIs({ dateAheadMs: 3 * 86_400_000 })
  expect(Math.round(((await go()).dateAheadOfSignedMs ?? 0) / 86_400_000)).toBe(3)
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

test('a machine without a way there is told to look at its cable, and how to see its way out', async () => {
  // The kernel has no way for TCP to an address of many.
  const { steps } = await go({ url: 'https://224.0.0.1:8449/' })
  expect(steps.at(-1)).toMatchObject({
    step: 'port',
    detail: 'port 8449 of 224.0.0.1 cannot be reached: ENETUNREACH',
    fix: expect.stringMatching(/^check the network cable.*: ip route$/),
  })
})

/** A port at which every further connection is dropped without a word, as by a firewall: its queue is full and stays so. */
async function silentPort(): Promise<number> {
  const script = `
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const listener = spawn(process.execPath, ['-e', script])
  onTestFinished(() => void listener.kill('SIGKILL'))
  const port = Number(await once(listener.stdout, 'data'))
  for (let i = 0; i < 4; i++) {
    const socket = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    if (i === 0) await once(socket, 'connect')
  }
  return port
}

test('a port that a firewall keeps silent is told as one to be let through, with how to try it', async () => {
  const port = await silentPort()
  const { steps } = await go({ url: `https://127.0.0.1:${port}/`, timeoutMs: 1000 })
  expect(steps.at(-1)).toMatchObject({
    step: 'port',
    detail: `port ${port} of 127.0.0.1 cannot be reached: no answer within 1 seconds`,
    fix: expect.stringContaining(`try it: timeout 5 bash -c '</dev/tcp/127.0.0.1/${port}' && echo open`),
  })
})

test.each([
  ['says nothing', () => {}, 'no answer within 2 seconds'],
  ['hangs up', (socket: Socket) => socket.destroy(), /ECONNRESET|was cut/],
  [
    'speaks plain HTTP',
    (socket: Socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n'),
    'does not speak TLS',
  ],
])('what %s on the port is told as something on the way', async (_what, listener, says) => {
  const { steps } = await go({ url: await tcpServer(listener), timeoutMs: 2000 })
  expect(steps.at(-1)).toMatchObject({ step: 'TLS', fix: expect.stringContaining('directly') })
  expect(steps.at(-1)?.detail).toMatch(says)
})

test('a service that takes the echo and never answers is given up', async () => {
  const { url } = await tlsServer(() => {})
  expect((await go({ url, timeoutMs: 2000 })).steps.at(-1)).toMatchObject({
    step: 'echo',
    detail: 'no echo came back: no answer came within 2 seconds',
    fix: expect.any(String),
  })
})

test('a service that shows an issuer whose key is of an unknown kind is told as not trusted', async () => {
  const [leaf = ''] = pki.tls.certPem.split(/(?<=-----END CERTIFICATE-----\n)/)
  const cert = leaf + withUnknownKey(pki.toJSON().issuing.certPem)
  const { url } = await tlsServer(() => {}, { cert, ciphers: 'DEFAULT:@SECLEVEL=0' })
  const { steps } = await go({ url, bundle: pki.bundleDer.slice(0, 1) })
  expect(steps.at(-1)).toMatchObject({ step: 'TLS', detail: expect.stringMatching(/certificate/) })
})

test('through a proxy the steps say so, and the service is reached by its name as the proxy knows it', async () => {
  const proxy = await startProxy()
  const { steps, signature } = await go({ proxy: { host: '127.0.0.1', port: proxy.port, authorization: null } })
  expect(steps.map(({ step, fix }) => [step, fix])).toEqual(
    ['name', 'port', 'TLS', 'echo', 'signature'].map((step) => [step, null]),
  )
  expect(steps[0]?.detail).toBe(
    `through the proxy 127.0.0.1:${proxy.port} (FISKD_CIS_PROXY): 127.0.0.1 is an address already`,
  )
  expect(steps[1]?.detail).toMatch(/^open through the proxy, \d+ ms away$/)
  expect(signature).toBe('rsa-sha256')
})

const LOGIN = 'Basic YW5hOmxvemlua2E='

test.each([
  [403, null, /^let the proxy allow CONNECT to 127\.0\.0\.1 port \d+$/],
  [405, null, /^let the proxy allow CONNECT to 127\.0\.0\.1 port \d+$/],
  [407, null, /^set name and password: FISKD_CIS_PROXY=http:\/\/USER:PASSWORD@HOST:PORT/],
  [407, LOGIN, /^check the name and password in FISKD_CIS_PROXY/],
  [502, null, /^ask the administrator of the proxy: the proxy could not reach 127\.0\.0\.1 port \d+ itself$/],
  [503, LOGIN, /^ask the administrator of the proxy/],
  [504, null, /^ask the administrator of the proxy/],
])('a proxy that answers %i (login: %s) is told with what to do', async (status, authorization, fix) => {
  const { port } = await startProxy(() => status)
  const { steps } = await go({ proxy: { host: '127.0.0.1', port, authorization } })
  expect(steps.at(-1)).toMatchObject({
    step: 'port',
    detail: expect.stringMatching(new RegExp(`it answered HTTP ${status}$`)),
    fix: expect.stringMatching(fix),
  })
})

test('a proxy whose name is not found is told with the setting that names it', async () => {
  const { steps } = await go({ proxy: { host: 'proxy.invalid', port: 3128, authorization: null } })
  expect(steps).toMatchObject([
    {
      step: 'name',
      detail: expect.stringMatching(/^proxy\.invalid could not be looked up/),
      fix: expect.stringMatching(/^check FISKD_CIS_PROXY in \/etc\/fiskd\/fiskd\.env; /),
    },
  ])
})

test('a proxy that is not there is told as what is wrong', async () => {
  const { steps } = await go({ proxy: { host: '127.0.0.1', port: 1, authorization: null } })
  expect(steps.at(-1)).toMatchObject({
    step: 'port',
    detail: expect.stringMatching(/^the proxy 127\.0\.0\.1:1 does not let this machine through .*: ECONNREFUSED$/),
    fix: 'check FISKD_CIS_PROXY in /etc/fiskd/fiskd.env',
  })
})
