import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto'
import { Certificate } from 'pkijs'
import { expect, test } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { createSigners } from '../../../src/cis/answer/trusted-signers.ts'
import { derOf, issueCertificate, NAME } from '../../../src/simulator/x509.ts'
import { pki } from '../../support/pki.ts'

const HOUR_MS = 60 * 60_000
const signer = new X509Certificate(pki.signer.certPem)

/** The real judge of chains, counted. */
function counted() {
  const real = createChainValidator()
  const clock = { now: Date.now(), checks: 0 }
  const signers = createSigners({
    trust: { certificates: (mode) => (mode === 'test' ? pki.bundleDer : []) },
    chains: {
      validate(...chain) {
        clock.checks++
        return real.validate(...chain)
      },
    },
    commonNames: { test: 'fiskalcistest', live: 'fiskalcistest' },
  })
  return { signers, clock }
}

test('a signer is checked once an hour, and again after the bundle has changed', async () => {
  const { signers, clock } = counted()
  for (const [laterMs, checks] of [
    [0, 1],
    [HOUR_MS, 1],
    [1, 2],
    [-HOUR_MS, 3], // a clock that was set back proves nothing
  ] as const) {
    clock.now += laterMs
    expect((await signers.trusted('test', [signer.raw], [clock.now])).raw).toEqual(signer.raw)
    expect(clock.checks).toBe(checks)
  }
  signers.forget('test')
  await signers.trusted('test', [signer.raw], [clock.now])
  expect(clock.checks).toBe(4)
})

test('a signer is refused from the moment it runs out, whatever was found before', async () => {
  const { signers, clock } = counted()
  clock.now = Date.parse(signer.validTo)
  await signers.trusted('test', [signer.raw], [clock.now])
  clock.now += 1000
  await expect(signers.trusted('test', [signer.raw], [clock.now])).rejects.toThrow('not valid now')
})

test('where it may be one of several moments, a signer who is valid at any of them will do', async () => {
  const { signers, clock } = counted()
  const tooLate = Date.parse(signer.validTo) + 1000
  expect((await signers.trusted('test', [signer.raw], [tooLate, clock.now])).raw).toEqual(signer.raw)
  await expect(signers.trusted('test', [signer.raw], [tooLate])).rejects.toThrow('not valid now')
  await expect(signers.trusted('test', [signer.raw], [])).rejects.toThrow('not valid now')
})

test('what one mode trusts, the other one does not', async () => {
  const { signers } = counted()
  await signers.trusted('test', [signer.raw], [Date.now()])
  await expect(signers.trusted('live', [signer.raw], [Date.now()])).rejects.toThrow('does not chain')
})

test('a certificate that cannot be read is refused', async () => {
  await expect(counted().signers.trusted('test', [Buffer.from('x')], [Date.now()])).rejects.toThrow('cannot be read')
})

test('an authority is no signer, whatever its name', async () => {
  const { certPem } = await issueCertificate({
    subject: [{ type: NAME.commonName, value: 'fiskalcistest' }],
    use: 'issuing',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    issuer: pki.toJSON().root,
  })
  await expect(counted().signers.trusted('test', [derOf(certPem)], [Date.now()])).rejects.toThrow(
    'not one that may sign',
  )
})

test('a signer whose key is not an RSA key is refused, even under a trusted issuer', async () => {
  const ec = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const certificate = Certificate.fromBER(signer.raw)
  await certificate.subjectPublicKeyInfo.importKey(ec.publicKey)
  const pkcs8 = createPrivateKey(pki.toJSON().issuing.keyPem).export({ type: 'pkcs8', format: 'der' })
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const issuerKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, rsa, false, ['sign'])
  await certificate.sign(issuerKey, 'SHA-256')
  const der = Buffer.from(certificate.toSchema().toBER())
  expect(new X509Certificate(der).publicKey.asymmetricKeyType).toBe('ec')
  await expect(counted().signers.trusted('test', [der], [Date.now()])).rejects.toThrow('not one that may sign')
})
