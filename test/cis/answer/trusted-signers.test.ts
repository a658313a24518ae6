import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto'
import { Certificate } from 'pkijs'
import { expect, test } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { parseServiceNames, SERVICE_NAMES } from '../../../src/cis/answer/service-names.ts'
import { createSigners } from '../../../src/cis/answer/trusted-signers.ts'
import type { RefusalCause } from '../../../src/cis/answer/xml-reader.ts'
import { derOf, issueCertificate, NAME } from '../../../src/simulator/x509.ts'
import { pki } from '../../support/pki.ts'

const HOUR_MS = 60 * 60_000
const refusal = (about: RefusalCause, message: string) =>
  expect.objectContaining({ about, message: expect.stringContaining(message) })
const signer = new X509Certificate(pki.signer.certPem)

/** The real judge of chains, counted. */
function counted(names = { test: SERVICE_NAMES.test, live: SERVICE_NAMES.test }) {
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
    names,
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

test('APIS IT signs for the test service under two names, and for the live one under none', async () => {
  const { signers } = counted(SERVICE_NAMES)
  const { certPem } = await pki.issueSigner({ cn: 'apis it test' })
  expect((await signers.trusted('test', [derOf(certPem)], [Date.now()])).subject).toContain('CN=apis it test')
  await expect(signers.trusted('live', [derOf(certPem)], [Date.now()])).rejects.toThrow('no certificate in it bears')
})

test('the names can be set, each mode by itself', () => {
  expect(parseServiceNames('live=HR1:novo ime|fiskalcis')).toEqual({
    test: SERVICE_NAMES.test,
    live: { organizationIdentifier: 'HR1', commonNames: ['novo ime', 'fiskalcis'] },
  })
  expect(parseServiceNames('test=HR1:a;live=HR2:b')?.live.commonNames).toEqual(['b'])
})

test.each([
  'x',
  'test=',
  'test=HR1',
  'test=HR1:',
  'test=:a',
  'prod=HR1:a',
  'test=HR1:a|',
  'test=HR1:a;test=HR2:b',
  'test=HR1:a;',
])('names that are written as %s are refused', (text) => expect(parseServiceNames(text)).toBeUndefined())

test('a certificate that cannot be read is refused', async () => {
  await expect(counted().signers.trusted('test', [Buffer.from('x')], [Date.now()])).rejects.toThrow(
    refusal('form', 'cannot be read'),
  )
})

test('an authority is no signer, whatever its name', async () => {
  const { certPem } = await issueCertificate({
    subject: [
      { type: NAME.organizationIdentifier, value: 'HR02994650199' },
      { type: NAME.commonName, value: 'fiskalcistest' },
    ],
    use: 'issuing',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    issuer: pki.toJSON().root,
  })
  await expect(counted().signers.trusted('test', [derOf(certPem)], [Date.now()])).rejects.toThrow(
    refusal('form', 'signs no answers'),
  )
})

test('a signer of another organizationIdentifier is refused with the one that it has', async () => {
  const renamed = { ...SERVICE_NAMES.test, organizationIdentifier: 'HR18683136487' }
  const { signers } = counted({ ...SERVICE_NAMES, test: renamed })
  await expect(signers.trusted('test', [signer.raw], [Date.now()])).rejects.toThrow(
    refusal('signer_identifier', 'is not HR18683136487 by organizationIdentifier: it is HR02994650199'),
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
  await expect(counted().signers.trusted('test', [der], [Date.now()])).rejects.toThrow(
    refusal('signer_key', 'the signer has a key of type EC, and RSA alone is taken'),
  )
})
