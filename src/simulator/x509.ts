import { generateKeyPair, randomBytes, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import forge from 'node-forge'

const generate = promisify(generateKeyPair)

export const DAY_MS = 24 * 60 * 60 * 1000

/** A certificate with its private key, both PEM (the key PKCS#8, unencrypted). */
export interface KeyAndCertificate {
  certPem: string
  keyPem: string
}

export interface NameAttribute {
  /** Attribute type as a dotted OID. */
  type: string
  value: string
}

export const NAME = {
  commonName: '2.5.4.3',
  country: '2.5.4.6',
  locality: '2.5.4.7',
  organization: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
} as const

export type CertificateUse = 'root' | 'issuing' | 'tls-server' | 'signing'

export interface CertificateOrder {
  subject: NameAttribute[]
  use: CertificateUse
  notBefore: Date
  notAfter: Date
  /** The issuer; null for a self-signed certificate. */
  issuer: KeyAndCertificate | null
}

const EXTENSIONS: Record<CertificateUse, object[]> = {
  root: [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ],
  issuing: [
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ],
  'tls-server': [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 2, value: 'cis.test' },
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' },
      ],
    },
  ],
  signing: [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
  ],
}

/** A new RSA 2048 private key, PKCS#8 PEM. It is generated in the thread pool, so several can be made in parallel. */
export async function newKeyPem(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Creates a key and a certificate for it, signed with RSA and SHA-256. */
export async function issueCertificate(order: CertificateOrder): Promise<KeyAndCertificate> {
  const keyPem = await newKeyPem()
  const key = forge.pki.privateKeyFromPem(keyPem)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  // A leading 4 keeps the number positive and its length constant.
  certificate.serialNumber = `4${randomBytes(16).toString('hex').slice(1)}`
  certificate.validity.notBefore = order.notBefore
  certificate.validity.notAfter = order.notAfter
  certificate.setSubject(order.subject.map(fieldOf))

  const issuer = order.issuer === null ? certificate : forge.pki.certificateFromPem(order.issuer.certPem)
  certificate.setIssuer(issuer.subject.attributes)
  certificate.setExtensions([
    ...EXTENSIONS[order.use],
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ])
  const signingKey = order.issuer === null ? key : forge.pki.privateKeyFromPem(order.issuer.keyPem)
  certificate.sign(signingKey, forge.md.sha256.create())
  return { certPem: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n'), keyPem }
}

export const derOf = (certPem: string): Buffer => new X509Certificate(certPem).raw

function fieldOf(attribute: NameAttribute): forge.pki.CertificateField {
  // RFC 5280 requires the country as PrintableString; other values are UTF-8: company names have diacritics.
  const isCountry = attribute.type === NAME.country
  const valueTagClass = isCountry ? forge.asn1.Type.PRINTABLESTRING : forge.asn1.Type.UTF8
  return { type: attribute.type, value: attribute.value, valueTagClass: valueTagClass as unknown as forge.asn1.Class }
}
