import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createChainValidator } from '../../src/certificates/chain.ts'
import { createTaxAuthority } from '../../src/cis/client.ts'
import { createTrustBundles } from '../../src/cis/trust/trust-bundles.ts'
import type { TrustPurpose } from '../../src/domain/certificate.ts'
import { type Pki, startSimulator } from '../../src/simulator/index.ts'
import { createAkdLike } from '../support/akd-like.ts'
import { presentAt } from '../support/clocks.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { OIBS, pki } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'
import { trustPathsIn } from '../support/trust-paths.ts'
import { document, message } from './support/messages.ts'

let akd: Awaited<ReturnType<typeof createAkdLike>>
beforeAll(async () => {
  akd = await createAkdLike()
}, PATIENCE_MS)

/** The base, and the issuer that was added for a purpose. */
async function bundlesWith(purpose: TrustPurpose) {
  const paths = trustPathsIn(await tempDir())
  writeFileSync(paths.test.base, pki.bundlePem)
  const trust = createTrustBundles(paths)
  expect(trust.add('test', purpose, Buffer.from(akd.bundlePem)).certificates).toHaveLength(2)
  return trust
}

/** What comes of a sale at a service with these certificates, where the issuer was added for a purpose. */
async function outcomeAt(parts: Partial<Pick<Pki, 'tls' | 'signer'>>, purpose: TrustPurpose) {
  const cis = await startSimulator({ pki: { ...pki, ...parts } })
  const authority = createTaxAuthority({
    urls: { test: cis.url, live: cis.url },
    trust: await bundlesWith(purpose),
    chains: createChainValidator(),
    present: () => presentAt(Date.now()),
    timeoutMs: PATIENCE_MS,
  })
  onTestFinished(async () => {
    await authority.close()
    await cis.close()
  })
  const made = await message({
    messageId: randomUUID(),
    sentAt: Date.now(),
    document: { ...document(), occurredAt: Date.now() - 60_000 },
  })
  const { outcome } = await authority.submit(await authority.sign(made))
  return { outcome, received: cis.received.length }
}

test('a server of an issuer that was added for uploads is not sent anything; one that was added for the service is', async () => {
  const { tls } = akd
  const uploads = await outcomeAt({ tls }, 'uploads')
  expect(uploads).toMatchObject({ outcome: { kind: 'failed', code: 'upstream_unavailable' }, received: 0 })
  expect(await outcomeAt({ tls }, 'service')).toMatchObject({ outcome: { kind: 'confirmed' }, received: 1 })
})

test('an answer under an issuer that was added for uploads is not believed, though its signer has all names of the service', async () => {
  const { signer } = akd
  const uploads = await outcomeAt({ signer }, 'uploads')
  expect(uploads).toMatchObject({ outcome: { kind: 'failed', code: 'upstream_signature_invalid' }, received: 1 })
  expect(await outcomeAt({ signer }, 'service')).toMatchObject({ outcome: { kind: 'confirmed' } })
})

test('a company certificate leads to what was added for uploads, and to nothing that was added for the service', async () => {
  const { certDer } = await akd.issueCompany(OIBS[0])
  const chains = createChainValidator()
  const judge = async (purpose: TrustPurpose) =>
    chains.validate(certDer, [], (await bundlesWith(purpose)).certificates('test', 'uploads'), Date.now())
  expect(await judge('uploads')).toEqual({ trusted: true })
  expect(await judge('service')).toMatchObject({ trusted: false })
})
