import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { createTaxAuthority } from '../../../src/cis/client.ts'
import { type Simulator, startSimulator } from '../../../src/simulator/index.ts'
import { presentAt } from '../../support/clocks.ts'
import { english } from '../../support/english.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pki } from '../../support/pki.ts'
import { F73, inEnvelope } from '../support/answers.ts'
import { tlsServer } from '../support/tls-server.ts'

const THURSDAY_NOON = Date.UTC(2026, 6, 2, 10)
const THURSDAY_16_30 = Date.UTC(2026, 6, 2, 14, 30)

let cis: Simulator

beforeAll(async () => {
  cis = await startSimulator({ pki })
})

afterAll(() => cis.close())

function authority({ url = cis.url, bundle = pki.bundleDer, at = THURSDAY_NOON, timeoutMs = PATIENCE_MS } = {}) {
  const client = createTaxAuthority({
    urls: { test: url, live: url },
    trust: { certificates: () => bundle },
    chains: createChainValidator(),
    present: () => presentAt(at),
    timeoutMs,
  })
  onTestFinished(() => client.close())
  return client
}

test('a service that echoes the text is reachable', async () => {
  const probe = english(await authority().echo('test'))
  expect(probe).toEqual({ reachable: true, endpoint: cis.url, latencyMs: expect.any(Number), detail: null })
  expect(Number.isInteger(probe.latencyMs)).toBe(true)
})

test('a service that is down is not reachable, and the detail says why', async () => {
  await cis.goDown()
  const probe = english(await authority().echo('test'))
  await cis.comeBack()
  expect(probe).toMatchObject({ reachable: false, detail: expect.stringContaining('ECONNREFUSED') })
})

test.for(['http-503', 'html-500', 'soap-fault', 'redirect'] as const)('%s is no echo', async (outage) => {
  cis.always(outage)
  const probe = english(await authority().echo('test'))
  cis.always(null)
  expect(probe).toMatchObject({ reachable: false, detail: expect.stringMatching(/something else .*HTTP [345]/) })
})

test('a service that never answers is given up', async () => {
  cis.always('timeout')
  const probe = english(await authority({ timeoutMs: 500 }).echo('test'))
  cis.always(null)
  expect(probe).toMatchObject({ reachable: false, detail: expect.stringContaining('0.5 seconds') })
})

test('another text than the one sent is no echo', async () => {
  const echoed = inEnvelope(`<tns:EchoResponse xmlns:tns="${F73}">fiskd</tns:EchoResponse>`)
  const { url } = await tlsServer((_, response) => response.end(echoed))
  expect(english(await authority({ url }).echo('test'))).toMatchObject({
    reachable: false,
    detail: expect.stringContaining('another text came back (HTTP 200)'),
  })
})

test('without a trust bundle the detail names the command that fetches one', async () => {
  expect(english(await authority({ bundle: [] }).echo('live'))).toMatchObject({
    reachable: false,
    detail: expect.stringContaining('for live mode: run `fisk doctor`'),
  })
})

test('while the test service is closed by its timetable, the detail says so; the live service never is', async () => {
  const closed = authority({ url: 'https://127.0.0.1:1/', at: THURSDAY_16_30 })
  expect((await closed.echo('test')).detail?.en).toMatch(/^The test service is closed now: .*ECONNREFUSED/)
  expect((await closed.echo('live')).detail?.en).toMatch(/^The echo failed: /)
})
