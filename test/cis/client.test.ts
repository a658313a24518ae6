import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainValidator } from '../../src/certificates/chain.ts'
import { createTaxAuthority, type TaxAuthorityClient } from '../../src/cis/client.ts'
import type { Exchange, FiscalMessage } from '../../src/fiscal/ports.ts'
import {
  DELIVERIES,
  FORGED_JIR,
  FORGERIES,
  OUTAGES,
  type Simulator,
  startSimulator,
  WRAPPINGS,
} from '../../src/simulator/index.ts'
import { OIBS, pki } from '../support/pki.ts'
import { document, fullDocument, identityOf, message } from './support/messages.ts'
import { skipWithoutXmlsec, xmlsecBelieves } from './support/xmlsec.ts'

const TIMEOUT_MS = 500

let cis: Simulator
let client: TaxAuthorityClient
/** Waits less, so that the tests need not. */
let impatient: TaxAuthorityClient
let bundle = pki.bundleDer

beforeAll(async () => {
  cis = await startSimulator({ pki })
  const options = {
    urls: { test: cis.url, live: cis.url },
    trust: { certificates: () => bundle },
    chains: createChainValidator(),
    now: Date.now,
  }
  client = createTaxAuthority(options)
  impatient = createTaxAuthority({ ...options, timeoutMs: TIMEOUT_MS })
})

afterAll(async () => {
  await Promise.all([client.close(), impatient.close()])
  await cis.close()
})

/** Sends a sale of just now. */
async function submit(changes: Partial<FiscalMessage> = {}, authority = client): Promise<Exchange> {
  const now = Date.now()
  const sale = changes.document ?? document()
  return authority.submit(
    await message({
      messageId: randomUUID(),
      sentAt: now,
      ...changes,
      document: { ...sale, occurredAt: Math.floor(now / 1000) * 1000 - 60_000 },
    }),
  )
}

const TRANSIENT = { kind: 'failed', errorClass: 'transient', code: 'upstream_unavailable' }
const UNBELIEVABLE = { kind: 'failed', errorClass: 'validation', code: 'upstream_signature_invalid' }

test('a sale gets its JIR, and both messages are archived verbatim', async () => {
  const exchange = await submit()
  const received = cis.received.at(-1)
  expect(exchange).toMatchObject({ httpStatus: 200, outcome: { kind: 'confirmed', jir: received?.jir } })
  expect(exchange.requestXml).toBe(received?.requestXml)
  expect(exchange.responseXml).toContain(received?.jir)
  expect(exchange.durationMs).toBeLessThan(4000)
})

test('a refund with every optional field is accepted as it is', async () => {
  const exchange = await submit({ document: fullDocument(), lateDelivery: true })
  expect(exchange.outcome).toMatchObject({ kind: 'confirmed' })
  expect(cis.received.at(-1)).toMatchObject({ total: '-105.50', lateDelivery: true, errors: [] })
})

test('a message sent again is a new message about the same sale', async () => {
  const sale = document()
  cis.misbehave('drop-after')
  expect((await submit({ document: sale })).outcome).toMatchObject(TRANSIENT)
  expect((await submit({ document: sale, lateDelivery: true })).outcome).toMatchObject({ kind: 'confirmed' })
  const [first, second] = cis.received.slice(-2)
  expect(second?.messageId).not.toBe(first?.messageId)
  expect(second).toMatchObject({ zki: first?.zki, occurredAt: first?.occurredAt, number: first?.number })
})

test.for(OUTAGES)('%s: no answer, so the sale is sent again', async (outage) => {
  cis.misbehave(outage)
  const { outcome, responseXml, httpStatus } = await submit({}, impatient)
  expect(outcome).toMatchObject({ ...TRANSIENT, upstream: [] })
  const status = { 'http-503': 503, 'html-500': 500, 'soap-fault': 500, redirect: 302 }[outage as string] ?? null
  expect(httpStatus).toBe(status)
  if (status === null) expect(responseXml).toBeNull()
})

test.for(DELIVERIES)('%s: the answer is lost on the way, so the sale is sent again', async (delivery) => {
  cis.misbehave(delivery)
  const { outcome, durationMs } = await submit({}, impatient)
  expect(outcome).toMatchObject({ ...TRANSIENT, upstream: [] })
  expect(durationMs).toBeLessThan(TIMEOUT_MS + 1000)
  expect((await submit()).outcome).toMatchObject({ kind: 'confirmed' })
})

test.for(FORGERIES)('%s: the answer is not believed', async (forgery) => {
  cis.misbehave(forgery)
  const exchange = await submit()
  expect(exchange.outcome).toMatchObject({ ...UNBELIEVABLE, upstream: [] })
  expect(exchange.responseXml).not.toBeNull()
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
  expect(exchange.outcome).toMatchObject({ message: expect.stringContaining('fisk trust fetch --mode test') })
  bundle = pki.bundleDer
  client.reload('test')
  expect((await submit()).outcome).toMatchObject({ kind: 'confirmed' })
})

test.skipIf(skipWithoutXmlsec)('what went over the wire is believed by xmlsec1, and so is what came back', async () => {
  const exchange = await submit({ document: fullDocument() })
  const { root, issuing } = pki.toJSON()
  const authorities = [root.certPem, issuing.certPem]
  expect(await xmlsecBelieves(exchange.requestXml, 'RacunZahtjev', authorities)).toBe(true)
  expect(await xmlsecBelieves(exchange.responseXml ?? '', 'RacunOdgovor', authorities)).toBe(true)
})
