import { webcrypto } from 'node:crypto'
import { Certificate } from 'pkijs'
import { makePkcs12 } from '../../src/simulator/pkcs12.ts'
import {
  type CertificateUse,
  DAY_MS,
  derOf,
  issueCertificate,
  type KeyAndCertificate,
  NAME,
  type NameAttribute,
} from '../../src/simulator/x509.ts'
import { pemOf } from '../../src/x509/pem.ts'

const P384 = { name: 'ECDSA', namedCurve: 'P-384' }

const subject = (commonName: string, organization: string, identifier: string): NameAttribute[] => [
  { type: NAME.country, value: 'HR' },
  { type: NAME.organization, value: organization },
  { type: NAME.organizationIdentifier, value: identifier },
  { type: NAME.commonName, value: commonName },
]

/** An issuer like AKD (Certilia): root and intermediate have EC keys, and sign leaves with RSA keys. */
export async function createAkdLike() {
  const span = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 700 * DAY_MS) }
  const ofAkd = (commonName: string) => subject(commonName, 'AKD-like d.o.o.', 'VATHR-58843087891')
  const root = await issueCertificate({ subject: ofAkd('Like AKDCA Root'), use: 'root', ...span, issuer: null })
  const issuing = await issueCertificate({ subject: ofAkd('LIKECERTILIA'), use: 'issuing', ...span, issuer: root })
  const [rootKeys, issuingKeys] = await Promise.all([newKeys(), newKeys()])
  const rootPem = await resigned(root, rootKeys.privateKey, rootKeys.publicKey)
  const issuingPem = await resigned(issuing, rootKeys.privateKey, issuingKeys.publicKey)

  async function issue(use: CertificateUse, name: NameAttribute[]): Promise<KeyAndCertificate> {
    const leaf = await issueCertificate({ subject: name, use, ...span, issuer: issuing })
    return { ...leaf, certPem: await resigned(leaf, issuingKeys.privateKey) }
  }

  return {
    bundlePem: rootPem + issuingPem,
    bundleDer: [derOf(rootPem), derOf(issuingPem)],
    /** A TLS server on this machine. */
    tls: await issue('tls-server', ofAkd('localhost')),
    /** What a signer of the test service is called, to the letter. */
    signer: await issue('signing', subject('fiskalcistest', 'APIS IT D.O.O.', 'HR02994650199')),
    async issueCompany(oib: string) {
      const leaf = await issue('signing', subject('Certilia fiskal', 'Samoposluga d.o.o.', `VATHR-${oib}`))
      const certPems = [leaf.certPem, issuingPem]
      const passphrase = 'lozinka'
      const p12 = makePkcs12({ keyPems: [leaf.keyPem], certPems, passphrase, algorithm: '3des' })
      return { ...leaf, certDer: derOf(leaf.certPem), p12, passphrase }
    },
  }
}

const newKeys = () => webcrypto.subtle.generateKey(P384, true, ['sign', 'verify'])

/** The same certificate, for another key where there is one, signed by an EC key. */
async function resigned({ certPem }: KeyAndCertificate, by: webcrypto.CryptoKey, key?: webcrypto.CryptoKey) {
  const certificate = Certificate.fromBER(derOf(certPem))
  if (key) await certificate.subjectPublicKeyInfo.importKey(key)
  await certificate.sign(by, 'SHA-384')
  return pemOf([new Uint8Array(certificate.toSchema().toBER())])
}
