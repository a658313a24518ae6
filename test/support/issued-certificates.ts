import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'

const DAY_MS = 86_400_000

export interface Issued {
  name: string
  key: forge.pki.rsa.PrivateKey
  publicKey: forge.pki.rsa.PublicKey
  der: Buffer
}

export interface IssueOrder {
  name: string
  /** Left out: self-signed. */
  by?: Issued
  /** Another name in the issuer field than the issuer's own. */
  issuerName?: string
  /** Default: a leaf's, digitalSignature only. */
  extensions?: object[]
  hash?: forge.md.MessageDigest
  notBefore?: Date
  notAfter?: Date
  /** Sign for this key pair instead of a new one. */
  keysOf?: Issued
  /** Of a new key; default 1024, quick to make. */
  bits?: number
}

/** The extensions of a certificate authority. */
export function authority(pathLenConstraint?: number): object[] {
  return [
    {
      name: 'basicConstraints',
      cA: true,
      critical: true,
      ...(pathLenConstraint !== undefined && { pathLenConstraint }),
    },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
  ]
}

/** A real certificate of a real key. */
export function issue(order: IssueOrder): Issued {
  const keys = order.keysOf ?? newKeys(order.bits ?? 1024)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = keys.publicKey
  certificate.serialNumber = `4${forge.util.bytesToHex(forge.random.getBytesSync(8))}`.padStart(18, '0')
  certificate.validity.notBefore = order.notBefore ?? new Date(Date.now() - DAY_MS)
  certificate.validity.notAfter = order.notAfter ?? new Date(Date.now() + 365 * DAY_MS)
  certificate.setSubject(nameAttributes(order.name))
  certificate.setIssuer(nameAttributes(order.issuerName ?? order.by?.name ?? order.name))
  certificate.setExtensions(order.extensions ?? [{ name: 'keyUsage', critical: true, digitalSignature: true }])
  certificate.sign(order.by?.key ?? keys.key, order.hash ?? forge.md.sha256.create())
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'latin1')
  return { name: order.name, key: keys.key, publicKey: keys.publicKey, der }
}

function nameAttributes(commonName: string): forge.pki.CertificateField[] {
  return [
    { name: 'countryName', value: 'HR' },
    { name: 'organizationName', value: 'Test' },
    { name: 'commonName', value: commonName },
  ]
}

function newKeys(modulusLength: number): Pick<Issued, 'key' | 'publicKey'> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return { key: forge.pki.privateKeyFromPem(privateKey), publicKey: forge.pki.publicKeyFromPem(publicKey) }
}
