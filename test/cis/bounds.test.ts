import { createHash, X509Certificate } from 'node:crypto'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import forge from 'node-forge'
import { Certificate } from 'pkijs'
import { expect, onTestFinished, vi } from 'vitest'
import { CIS_BOUNDS } from '../../src/cis/bounds.ts'
import { getThrough } from '../../src/cis/transport/proxy.ts'
import { createTransport, type Reply } from '../../src/cis/transport/transport.ts'
import { createTrustBundles } from '../../src/cis/trust/trust-bundles.ts'
import { fetchKnownAuthorities } from '../../src/cis/trust/trust-fetch.ts'
import { FiskError } from '../../src/domain/errors.ts'
import { type Bring, TAKEN, testBounds } from '../support/bounds.ts'
import { authority, issue } from '../support/issued-certificates.ts'
import { pki } from '../support/pki.ts'
import { makeList } from '../support/revocation-lists.ts'
import { tempDir } from '../support/temp-dir.ts'
import { trustPathsIn } from '../support/trust-paths.ts'
import { answer, JIR } from './support/answers.ts'
import { judged } from './support/judged.ts'
import { tlsServer } from './support/tls-server.ts'

const of = (reply: Reply) => (reply.arrived ? TAKEN : `no answer: ${reply.reason.en}`)

/** What comes of a message when it is answered so. */
async function sent(listener: RequestListener, during = async () => {}, withinMs?: number): Promise<string> {
  const { url } = await tlsServer(listener)
  const transport = createTransport({
    urls: { test: url, live: url },
    bundle: () => pki.bundlePem,
    timeoutMs: CIS_BOUNDS.exchangeMs.most,
  })
  onTestFinished(() => transport.close())
  const reply = transport.post('test', {}, Buffer.from('<x/>'), undefined, withinMs)
  await during()
  return of(await reply)
}

async function answeredAfter(ms: number, withinMs?: number): Promise<string> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const waiting: ServerResponse[] = []
  return sent(
    (_, response) => void waiting.push(response),
    async () => {
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
      // The answer comes within the last of so many milliseconds.
      vi.advanceTimersByTime(ms - 1)
      waiting[0]?.end()
    },
    withinMs,
  )
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
const many = (count: number, write: (i: number) => string) => Array.from({ length: count }, (_, i) => write(i)).join('')
const JIR_SAID = `<tns:Jir>${JIR}</tns:Jir>`
/** Above what stands beside the JIR: the envelope, its body and the answer. */
const LEVELS_ABOVE = 3

async function believed(changes: Parameters<typeof answer>[0]): Promise<string> {
  const outcome = await judged(answer(changes))
  return outcome.kind === 'confirmed' ? TAKEN : `not believed: ${outcome.code}`
}

/** What comes of it: taken, or the refusal. */
async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return TAKEN
  } catch (error) {
    if (!(error instanceof FiskError)) throw error
    return `${error.status} ${error.code}`
  }
}

/** Serves plain HTTP; @returns its port */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const fingerprintOf = (file: Buffer) => createHash('sha256').update(file).digest('hex').toUpperCase()

const cases: Record<keyof typeof CIS_BOUNDS, Bring> = {
  exchangeMs: (ms) => answeredAfter(ms),
  requestMs: (ms) => answeredAfter(ms, CIS_BOUNDS.requestMs.most),
  async answer(bytes) {
    const announced = await sent((_, response) => void response.end(Buffer.alloc(bytes, ' ')))
    const inPieces = await sent((_, response) => {
      response.write(Buffer.alloc(bytes - 1, ' '))
      response.end(' ')
    })
    expect(inPieces).toBe(announced)
    return announced
  },
  elements: (count) => believed({ said: JIR_SAID + '<x/>'.repeat(count - countOf(answer(), /<(?=[A-Za-z])/g)) }),
  attributes: (count) =>
    believed({
      said: `${JIR_SAID}<x${many(count - countOf(answer(), / (?!xmlns|encoding|version)\w+="/g), (i) => ` a${i}=""`)}/>`,
    }),
  depth: (levels) =>
    believed({ said: `${JIR_SAID}${'<x>'.repeat(levels - LEVELS_ABOVE)}${'</x>'.repeat(levels - LEVELS_ABOVE)}` }),
  nameSpaces: (count) =>
    believed({ attributes: many(count - countOf(answer(), /xmlns/g), (i) => ` xmlns:a${i}="urn:u"`) }),
  async trustFile(bytes) {
    const file = Buffer.alloc(bytes)
    const url = `http://127.0.0.1:${await serve((_, response) => void response.end(file))}/`
    const authorities = [{ name: 'CA', url, fingerprint: fingerprintOf(file) }]
    return refusalOf(() => fetchKnownAuthorities('test', { authorities, pausesMs: [] }))
  },
  async redirects(count) {
    const file = Buffer.from('x')
    let left = count
    const port = await serve((_, response) => {
      if (left-- > 0) response.writeHead(302, { location: `/${left}` }).end()
      else response.end(file)
    })
    const get = getThrough({ host: '127.0.0.1', port, authorization: null })
    const authorities = [{ name: 'CA', url: 'http://ca.example.hr/', fingerprint: fingerprintOf(file) }]
    return refusalOf(() => fetchKnownAuthorities('test', { authorities, get, pausesMs: [] }))
  },
  async authorities(count) {
    const dir = await tempDir()
    const trust = createTrustBundles(trustPathsIn(dir))
    const pem = new X509Certificate(issue({ name: 'CA', extensions: authority() }).der).toString()
    return refusalOf(() => trust.add('test', 'base', Buffer.from(pem.repeat(count))))
  },
  async listed(count) {
    const dir = await tempDir()
    const trust = createTrustBundles(trustPathsIn(dir))
    const { key, der } = issue({ name: 'CA', extensions: authority() })
    const by = { certPem: new X509Certificate(der).toString(), keyPem: forge.pki.privateKeyToPem(key) }
    trust.add('test', 'base', Buffer.from(by.certPem))
    const entry = { serial: Buffer.from([1]), at: new Date() }
    return refusalOf(() => trust.add('test', 'base', makeList({ by, entries: Array(count).fill(entry) })))
  },
  async issuerName(bytes) {
    const ca = issue({ name: 'x'.repeat(bytes), extensions: authority() })
    const longer = nameBytes(ca.der) - bytes
    const { key, der } = issue({ name: 'x'.repeat(bytes - longer), keysOf: ca, extensions: authority() })
    expect(nameBytes(der)).toBe(bytes)
    const issuer = { certPem: new X509Certificate(der).toString(), keyPem: forge.pki.privateKeyToPem(key) }
    const dir = await tempDir()
    const trust = createTrustBundles(trustPathsIn(dir))
    trust.add('test', 'base', der)
    return refusalOf(() => trust.add('test', 'base', makeList({ by: issuer })))
  },
}

const nameBytes = (der: Buffer) => Certificate.fromBER(der).subject.valueBeforeDecode.byteLength

testBounds(CIS_BOUNDS, cases)
