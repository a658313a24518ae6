import { createPrivateKey, X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { expect, test } from 'vitest'
import { loadPki } from '../../src/simulator/index.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'

const [root, issuing] = pki.bundleDer.map((der) => new X509Certificate(der)) as [X509Certificate, X509Certificate]

/** How many keys and certificates a file holds; throws when it does not open. */
function contentsOf(p12: Buffer, passphrase: string): { keys: number; certificates: number } {
  const file = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(p12.toString('binary')), passphrase)
  const count = (bagType: string) => file.getBags({ bagType })[bagType]?.length ?? 0
  return {
    keys: count('1.2.840.113549.1.12.10.1.2'),
    certificates: count('1.2.840.113549.1.12.10.1.3'),
  }
}

test('the chain goes from the leaves over the issuing CA to the root', () => {
  expect(root.checkIssued(root) && root.verify(root.publicKey)).toBe(true)
  expect(issuing.checkIssued(root) && issuing.verify(root.publicKey)).toBe(true)
  for (const { certPem } of [pki.tls, pki.signer]) {
    const leaf = new X509Certificate(certPem)
    expect(leaf.checkIssued(issuing) && leaf.verify(issuing.publicKey)).toBe(true)
    expect(leaf.ca).toBe(false)
  }
  expect([root.ca, issuing.ca]).toEqual([true, true])
})

test('the TLS certificate is for loopback', () => {
  const leaf = new X509Certificate(pki.tls.certPem)
  expect(leaf.checkHost('localhost')).toBe('localhost')
  expect(leaf.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(leaf.checkIP('::1')).toBe('::1')
})

test('a company’s certificate looks like Fina’s', async () => {
  const company = await certificateOf(OIBS[0])
  const certificate = new X509Certificate(company.certPem)
  expect(certificate.subject.split('\n')).toEqual([
    'C=HR',
    'O=Samoposluga d.o.o.',
    `organizationIdentifier=HR${OIBS[0]}`,
    'L=Zagreb',
    'CN=FISKAL 1',
  ])
  expect(certificate.checkPrivateKey(createPrivateKey(company.keyPem))).toBe(true)
  expect(company.certDer.equals(certificate.raw)).toBe(true)
})

test.each([
  ['aes256', 'lozinka'],
  ['3des', 'lozinka'],
  ['3des', 'šećer i žito'],
] as const)('a %s file with passphrase %s holds the leaf, its issuer and one key', async (algorithm, passphrase) => {
  const { p12 } = await pki.issueCompany({ oib: OIBS[1], algorithm, passphrase })
  expect(contentsOf(p12, passphrase)).toEqual({ keys: 1, certificates: 2 })
  expect(() => contentsOf(p12, 'kriva')).toThrow()
})

test('a file may hold two keys, or none, or a self-signed certificate alone', async () => {
  const orders = [{ keys: 2 }, { keys: 0 }, { selfSigned: true }]
  const files = await Promise.all(orders.map((order) => pki.issueCompany({ oib: OIBS[1], ...order })))
  expect(files.map(({ p12, passphrase }) => contentsOf(p12, passphrase))).toEqual([
    { keys: 2, certificates: 2 },
    { keys: 0, certificates: 2 },
    { keys: 1, certificates: 1 },
  ])
})

test('a PKI that was put away as JSON issues under the same CA and remembers its companies’ keys', async () => {
  const company = await certificateOf(OIBS[0])
  const again = loadPki(JSON.parse(JSON.stringify(pki)))
  expect(again.bundlePem).toBe(pki.bundlePem)
  const remembered = again.companyKeys(OIBS[0]).map((key) => key.export({ type: 'pkcs8', format: 'pem' }))
  expect(remembered).toContain(company.keyPem)
  expect(again.companyKeys('00000000000')).toEqual([])
  const signer = new X509Certificate((await again.issueSigner({ cn: 'somebody' })).certPem)
  expect(signer.verify(issuing.publicKey)).toBe(true)
})
