import { createPrivateKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { createCertificateInspector } from '../../../src/certificates/inspector.ts'
import { createTrustBundles } from '../../../src/cis/trust/trust-bundles.ts'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import { certificateChecks } from '../../../src/fiscal/doctor/certificate-checks.ts'
import { createPki } from '../../../src/simulator/pki.ts'
import { DAY_MS } from '../../../src/simulator/x509.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { inDatabase } from '../../support/database.ts'
import { examine, troubles } from '../../support/diagnosis.ts'
import { type Gateway, startGateway, uploadCertificate } from '../../support/gateway.ts'
import {
  broken,
  brokenInTable,
  type LookedAt,
  sharedHealthyGateway,
  storeOf,
  vaultOf,
  verdicts,
} from '../../support/healthy.ts'
import { certificateOf, OIBS, pki } from '../../support/pki.ts'
import { entryFor, listPem, makeList } from '../../support/revocation-lists.ts'
import { trustPathsIn } from '../../support/trust-paths.ts'

/** Authorities that nobody trusts. */
const other = await createPki()
const NAME = 'Samoposluga d.o.o.'
const fix = `bring a valid one: fisk cert add --company ${OIBS[0]} --file FILE.p12`
const hex = (bytes: Buffer) => `x'${bytes.toString('hex')}'`
const pkcs8 = (keyPem: string) => createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' })

let gateway: Gateway
let store: OpenStore
let alone: LookedAt
beforeAll(async () => {
  gateway = await sharedHealthyGateway()
  store = await storeOf(gateway)
  alone = { dataDir: gateway.dataDir, look: () => lookAt(gateway, store) }
})

/** What is found of the certificates alone. */
function lookAt({ dataDir }: Gateway, store: OpenStore) {
  const trust = createTrustBundles(trustPathsIn(join(dataDir, 'trust')))
  const [vault, inspector, chains] = [vaultOf({ dataDir }), createCertificateInspector(), createChainValidator()]
  return examine(certificateChecks({ store, vault, inspector, chains, trust, clock: { now: Date.now } }))
}

async function idOfCertificate(): Promise<string> {
  const { body } = await gateway.admin<{ data: { id: string }[] }>('/v1/certificates')
  return String(body.data[0]?.id)
}

/** Statements that put another certificate into the store, with this key sealed as it should be. */
async function swap({ certDer, keyPem }: { certDer?: Buffer; keyPem: string }): Promise<string[]> {
  const id = await idOfCertificate()
  const sealed = vaultOf(gateway).seal(pkcs8(keyPem), id)
  return [
    `UPDATE certificates SET sealed_key = ${hex(sealed)}`,
    ...(certDer ? [`UPDATE certificates SET certificate = ${hex(certDer)}`] : []),
  ]
}

test('certificate: one of another OIB, put into the store behind the daemon, is found', async () => {
  const found = await brokenInTable(gateway, 'certificates', ...(await swap(await certificateOf(OIBS[1]))))
  expect(verdicts(found)).toEqual([`certificate ${NAME} fail`])
  expect(found[0]).toMatchObject({ detail: 'it was issued to another OIB than the one of the company', fix })
})

test('certificate: none in use is found, and what needs one was not looked at', async () => {
  const found = await brokenInTable(alone, 'certificates', 'DELETE FROM certificates')
  expect(verdicts(found)).toEqual([`certificate ${NAME} fail`, `key ${NAME} skip`, `chain ${NAME} skip`])
  expect(found[0]).toMatchObject({ detail: 'there is none: nothing can be sold', fix })
})

test('certificate: a revoked one is told as revoked', async () => {
  const found = await brokenInTable(alone, 'certificates', `UPDATE certificates SET revoked_at = ${Date.now()}`)
  expect(verdicts(found)).toEqual([`certificate ${NAME} fail`, `key ${NAME} skip`, `chain ${NAME} skip`])
  expect(found[0]?.detail).toMatch(/^it was revoked 20\d\d-/)
})

test('certificate: one that its issuer lists is found, even when nobody has marked it', async () => {
  const { certDer } = await certificateOf(OIBS[0])
  const list = makeList({ by: pki.toJSON().issuing, entries: [entryFor(certDer, new Date('2026-11-01'))] })
  const startWith = async (pem: string) => {
    await gateway.stop()
    writeFileSync(join(gateway.dataDir, 'trust/test.pem'), pem)
    await inDatabase(gateway, 'UPDATE certificates SET revoked_at = NULL')
    await gateway.restart()
  }
  const found = await broken(
    gateway,
    () => startWith(pki.bundlePem + listPem(list)),
    () => startWith(pki.bundlePem),
  )
  expect(verdicts(found)).toEqual([`certificate ${NAME} fail`, `key ${NAME} skip`, `chain ${NAME} skip`])
  expect(found[0]?.detail).toContain('it was revoked 2026-11-01')
})

test.each([
  ['expired', -1, [`certificate ${NAME} fail`, `chain ${NAME} skip`], 'it expired'],
  ['that lasts 60 days', 60.5, [`certificate ${NAME} warn`], '60 days more'],
])('certificate: one %s is found', async (_what, days, expected, says) => {
  const order = {
    oib: OIBS[0],
    notBefore: new Date(Date.now() - 9 * DAY_MS),
    notAfter: new Date(Date.now() + days * DAY_MS),
  }
  const short = await pki.issueCompany(order)
  const statements = await swap(short)
  const found = await brokenInTable(
    alone,
    'certificates',
    ...statements,
    `UPDATE certificates SET not_before = ${order.notBefore.getTime()}, not_after = ${order.notAfter.getTime()}`,
  )
  expect(verdicts(found)).toEqual(expected)
  expect(found[0]).toMatchObject({ detail: expect.stringContaining(says), fix })
})

test('key: one that was swapped in the store signs what the certificate does not verify', async () => {
  const { keyPem } = await certificateOf(OIBS[1])
  const found = await brokenInTable(alone, 'certificates', ...(await swap({ keyPem })))
  expect(verdicts(found)).toEqual([`key ${NAME} fail`])
  expect(found[0]).toMatchObject({ detail: 'what it signs is not what the certificate verifies', fix })
})

test('key: one that the vault does not open is found', async () => {
  const found = await brokenInTable(
    alone,
    'certificates',
    `UPDATE certificates SET sealed_key = ${hex(Buffer.alloc(1300, 1))}`,
  )
  expect(verdicts(found)).toEqual([`key ${NAME} fail`])
  expect(found[0]).toMatchObject({ detail: expect.stringContaining('the vault does not open it'), fix })
})

test('chain: a certificate of an authority that is not trusted is found', async () => {
  const stranger = await other.issueCompany({ oib: OIBS[0] })
  const statements = [...(await swap(stranger)), "UPDATE certificates SET intermediates = '[]'"]
  const found = await brokenInTable(alone, 'certificates', ...statements)
  expect(verdicts(found)).toEqual([`chain ${NAME} fail`])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('no certificate of the trust bundle issued'),
    fix: 'if you trust its issuer: fisk trust add --mode test --for uploads FILE',
  })
})

test('chain: the certificate for live sales of a company that is still in test mode is a warning', async () => {
  const own = await startGateway()
  const body = { mode: 'live', for: 'uploads', certificates: Buffer.from(other.bundlePem).toString('base64') }
  expect((await own.admin('/admin/trust', { body })).status).toBe(200)
  const certificate = await other.issueCompany({ oib: OIBS[0] })
  expect((await uploadCertificate(own, companyIdOf(OIBS[0]), certificate)).status).toBe(201)
  const found = troubles(await lookAt(own, await storeOf(own)))
  expect(verdicts(found)).toEqual([`chain ${NAME} warn`])
  expect(found[0]?.detail).toBe('it is a certificate of live mode, and the company sells in test mode')
})

test('certificates: sales have a turn between two companies', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const turnsBefore: number[] = []
  const current = async () => {
    turnsBefore.push(turns)
    for (const end = performance.now() + 5; performance.now() < end; );
  }
  const company = { name: NAME, oib: OIBS[0], mode: 'test', status: 'active' }
  const all = async () => Array.from({ length: 10 }, (_, id) => ({ ...company, id }))
  const store = { companies: { ours: all }, certificates: { current, list: async () => [] } }
  const [examination] = certificateChecks({ store } as unknown as Parameters<typeof certificateChecks>[0])
  await examination?.run().finally(() => clearInterval(timer))
  expect(turnsBefore.at(-1)).toBeGreaterThan(2)
})
