import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createChainValidator } from '../../src/certificates/chain.ts'
import { createTaxAuthority, type TaxAuthorityClient } from '../../src/cis/client.ts'
import type { Exchange, FiscalMessage } from '../../src/fiscal/ports/tax-authority.ts'
import {
  DELIVERIES,
  FORGED_JIR,
  FORGERIES,
  HEARSAYS,
  ODDITIES,
  OUTAGES,
  type Simulator,
  startSimulator,
  WRAPPINGS,
} from '../../src/simulator/index.ts'
import { derOf, issueCertificate, NAME } from '../../src/simulator/x509.ts'
import { presentAt } from '../support/clocks.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { OIBS, pki } from '../support/pki.ts'
import { document, fullDocument, identityOf, message } from './support/messages.ts'
import { skipWithoutXmlsec, xmlsecBelieves } from './support/xmlsec.ts'

const TIMEOUT_MS = 500

let cis: Simulator
let client: TaxAuthorityClient
/** As it is in use. */
let usual: TaxAuthorityClient
/** Waits less, so that the tests need not. */
let impatient: TaxAuthorityClient
let bundle = pki.bundleDer

beforeAll(async () => {
  cis = await startSimulator({ pki })
  const options = {
    urls: { test: cis.url, live: cis.url },
    trust: { certificates: () => bundle },
    chains: createChainValidator(),
    present: () => presentAt(Date.now()),
  }
  client = createTaxAuthority({ ...options, timeoutMs: PATIENCE_MS })
  usual = createTaxAuthority(options)
  impatient = createTaxAuthority({ ...options, timeoutMs: TIMEOUT_MS })
  // Their keys may take longer to make than the client waits.
  cis.misbehave('wrong-signer-ca', 'wrong-signer-cn', 'expired-signer')
  await cis.prepared()
  for (const _ of ['ca', 'cn', 'expired']) await submit()
}, 60_000)

afterAll(async () => {
  await Promise.all([client.close(), usual.close(), impatient.close()])
  await cis.close()
})

/** When the sales here took place: just now, and the same however often one is sent. */
const occurredAt = Math.floor(Date.now() / 1000) * 1000 - 60_000

/** Sends a sale of just now. */
async function submit(changes: Partial<FiscalMessage> = {}, authority = client): Promise<Exchange> {
  const sale = { ...(changes.document ?? document()), occurredAt }
  const made = await message({ messageId: randomUUID(), sentAt: Date.now(), ...changes, document: sale })
  return authority.submit(await authority.sign(made))
}

const TRANSIENT = { kind: 'failed', errorClass: 'transient', code: 'upstream_unavailable' }
const UNBELIEVABLE = { kind: 'failed', errorClass: 'validation', code: 'upstream_signature_invalid' }

test('a sale gets its JIR, and both messages are archived verbatim', async () => {
  const exchange = await submit()
  const received = cis.received.at(-1)
  expect(exchange).toMatchObject({ httpStatus: 200, outcome: { kind: 'confirmed', jir: received?.jir } })
  expect(exchange.requestXml.toString()).toBe(received?.requestXml)
  expect(exchange.responseXml).toContain(received?.jir)
  expect(exchange.durationMs).toBeLessThan(PATIENCE_MS)
})

test('a refund with every optional field is accepted as it is', async () => {
  const exchange = await submit({ document: fullDocument(), lateDelivery: true })
  expect(exchange.outcome).toMatchObject({ kind: 'confirmed' })
  expect(cis.received.at(-1)).toMatchObject({ total: '-105.50', lateDelivery: true, errors: [] })
})

test('a message whose answer was lost is confirmed when it is sent again', async () => {
  cis.misbehave('drop-after')
  expect((await submit()).outcome).toMatchObject(TRANSIENT)
  expect((await submit({ lateDelivery: true })).outcome).toMatchObject({ kind: 'confirmed' })
})

test('unless told otherwise, an exchange with a silent service ends after four seconds', async () => {
  cis.misbehave('timeout')
  const { outcome, durationMs } = await submit({}, usual)
  expect(outcome).toMatchObject({ ...TRANSIENT, message: expect.stringContaining('within 4 seconds') })
  expect(durationMs).toBeGreaterThan(3900)
  expect(durationMs).toBeLessThan(PATIENCE_MS)
})

test.for(OUTAGES)('%s: no answer, so the sale is sent again', async (outage) => {
  cis.misbehave(outage)
  const status = { 'http-503': 503, 'html-500': 500, 'soap-fault': 500, redirect: 302 }[outage as string] ?? null
  const { outcome, responseXml, httpStatus } = await submit({}, status === null ? impatient : client)
  expect(outcome).toMatchObject({ ...TRANSIENT, upstream: [] })
  expect(httpStatus).toBe(status)
  if (status === null) expect(responseXml).toBeNull()
})

test.for(DELIVERIES)('%s: the answer is lost on the way, so the sale is sent again', async (delivery) => {
  cis.misbehave(delivery)
  const { outcome, durationMs } = await submit({}, impatient)
  expect(outcome).toMatchObject({ ...TRANSIENT, upstream: [] })
  expect(durationMs).toBeLessThan(PATIENCE_MS)
  expect((await submit()).outcome).toMatchObject({ kind: 'confirmed' })
})

test.for(FORGERIES)('%s: the answer is not believed', async (forgery) => {
  cis.misbehave(forgery)
  const exchange = await submit()
  expect(exchange.outcome).toMatchObject({ ...UNBELIEVABLE, upstream: [] })
  expect(exchange.responseXml).not.toBeNull()
})

test.for(HEARSAYS)('%s: nothing is said that can be believed, so the sale is sent again', async (hearsay) => {
  cis.misbehave(hearsay)
  const exchange = await submit()
  expect(exchange.outcome).toMatchObject({
    ...TRANSIENT,
    upstream: [],
    hearsay: [{ code: expect.stringMatching(/^s00[16]$/) }],
  })
  expect(exchange).toMatchObject({ httpStatus: 500, signature: null, responseXml: expect.stringContaining('Greska') })
})

test.for(ODDITIES)('%s: the answer is unusual and believed', async (oddity) => {
  cis.misbehave(oddity)
  const exchange = await submit()
  expect(exchange.outcome).toEqual({ kind: 'confirmed', jir: cis.received.at(-1)?.jir })
  expect(exchange.signature).toBe(oddity === 'sha1' ? 'rsa-sha1' : 'rsa-sha256')
  expect(exchange.responseXml).toContain(cis.received.at(-1)?.jir)
})

test.for(WRAPPINGS)('%s: a moved signature does not carry a forged JIR', async (wrapped) => {
  cis.misbehave({ wrapped })
  const exchange = await submit()
  expect(exchange.responseXml).toContain(FORGED_JIR)
  expect(exchange.outcome).toMatchObject(UNBELIEVABLE)
})

test('errors that come with HTTP 500 are read', async () => {
  cis.misbehave({ error: 's013', codes: [182, 185] })
  const exchange = await submit()
  expect(exchange).toMatchObject({
    httpStatus: 500,
    outcome: { kind: 'failed', errorClass: 'validation', code: 'upstream_rejected', restrictiveCodes: [182, 185] },
  })
})

test('a system error of the authority is worth another try', async () => {
  cis.misbehave('s006')
  expect(await submit()).toMatchObject({ httpStatus: 500, outcome: { ...TRANSIENT, upstream: [{ code: 's006' }] } })
})

test("another company's certificate is named as what it is", async () => {
  const { outcome } = await submit({ identity: await identityOf(OIBS[1]) })
  expect(outcome).toMatchObject({
    errorClass: 'certificate',
    code: 'hr.certificate_oib_mismatch',
    upstream: [{ code: 's005' }],
  })
})

test('in live mode the signer of the test service is nobody', async () => {
  expect((await submit({ mode: 'live' })).outcome).toMatchObject(UNBELIEVABLE)
})

test('while the service is down nothing is lost, and it is found again when it is back', async () => {
  await cis.goDown()
  expect(await submit()).toMatchObject({ httpStatus: null, responseXml: null, outcome: TRANSIENT })
  await cis.comeBack()
  expect((await submit()).outcome).toMatchObject({ kind: 'confirmed' })
})

test('twenty sales at once get twenty JIRs', async () => {
  const sales = Array.from({ length: 20 }, (_, i) => submit({ document: document({ number: String(1000 + i) }) }))
  const outcomes = await Promise.all(sales)
  expect(new Set(outcomes.map(({ outcome }) => (outcome.kind === 'confirmed' ? outcome.jir : null))).size).toBe(20)
})

test('a bundle that is taken away is forgotten on reload, signers included', async () => {
  bundle = []
  expect((await submit()).outcome).toMatchObject({ kind: 'confirmed' })
  client.reload('test')
  const exchange = await submit()
  expect(exchange).toMatchObject({ httpStatus: null, responseXml: null, outcome: TRANSIENT })
  expect(exchange.outcome).toMatchObject({ message: expect.stringContaining('for test mode: run `fisk doctor`') })
  bundle = pki.bundleDer
  client.reload('test')
  expect((await submit()).outcome).toMatchObject({ kind: 'confirmed' })
})

test('a signer is forgotten on reload too, even where the connection is still trusted', async () => {
  const span = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const name = (value: string) => [{ type: NAME.commonName, value }]
  const root = await issueCertificate({ subject: name('TLS root'), use: 'root', ...span, issuer: null })
  const tls = await issueCertificate({ subject: name('localhost'), use: 'tls-server', ...span, issuer: root })
  const service = await startSimulator({ pki: { ...pki, tls } })
  let trusted = [...pki.bundleDer, derOf(root.certPem)]
  const authority = createTaxAuthority({
    urls: { test: service.url, live: service.url },
    trust: { certificates: () => trusted },
    chains: createChainValidator(),
    present: () => presentAt(Date.now()),
  })
  onTestFinished(async () => {
    await authority.close()
    await service.close()
  })
  expect((await submit({}, authority)).outcome).toMatchObject({ kind: 'confirmed' })
  trusted = [derOf(root.certPem)]
  expect((await submit({}, authority)).outcome).toMatchObject({ kind: 'confirmed' })
  authority.reload('test')
  expect((await submit({}, authority)).outcome).toMatchObject(UNBELIEVABLE)
})

test.each([0x85, 0x2028])(
  'a text with the line end %i in it is signed so that the service can verify it',
  async (code) => {
    const end = String.fromCodePoint(code)
    for (const specialPurpose of [`a${end}b`, `a\r${end}b`, end]) {
      const exchange = await submit({ document: document({ specialPurpose }) })
      expect(exchange.outcome).toMatchObject({ kind: 'confirmed' })
      expect(cis.received.at(-1)?.errors).toEqual([])
    }
  },
)

test.skipIf(skipWithoutXmlsec)('what went over the wire is believed by xmlsec1, and so is what came back', async () => {
  const exchange = await submit({ document: fullDocument() })
  const { root, issuing } = pki.toJSON()
  const authorities = [root.certPem, issuing.certPem]
  expect(await xmlsecBelieves(exchange.requestXml.toString(), 'RacunZahtjev', authorities)).toBe(true)
  expect(await xmlsecBelieves(exchange.responseXml ?? '', 'RacunOdgovor', authorities)).toBe(true)
})
