import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type ContainerAlgorithm, makePkcs12 } from './pkcs12.ts'
import { DAY_MS, derOf, issueCertificate, type KeyAndCertificate, NAME, type NameAttribute, newKeyPem } from './x509.ts'

export interface CompanyOrder {
  oib: string
  /** Company name in the subject's O; default `Samoposluga d.o.o.` */
  name?: string
  /** Default `lozinka`. */
  passphrase?: string
  /** The newer `organizationIdentifier` as `HR<oib>` (default), the older `O` as `<name> HR<oib>`, both, or neither. */
  oibIn?: 'organizationIdentifier' | 'O' | 'both' | 'none'
  /** The exact `organizationIdentifier`, e.g. `VATHR-02994650199`; overrides `oibIn`. */
  organizationIdentifier?: string
  /** Default: the start of the CA, a day before it was created. */
  notBefore?: Date
  /** Default: two years after `notBefore`; if that is missing, too, two years from yesterday. */
  notAfter?: Date
  /** Default `aes256`. */
  algorithm?: ContainerAlgorithm
  /** How many private keys the file contains; default 1. Keys after the first have no certificate; 0 omits the key. */
  keys?: number
  /** Signed by its own key instead of this PKI; the file then contains only the leaf. */
  selfSigned?: boolean
}

export interface CompanyCertificate extends KeyAndCertificate {
  p12: Buffer
  passphrase: string
  certDer: Buffer
}

export interface SignerOrder {
  cn: string
  /** Whose certificate it is; default that of the service, in the mode that signs by this name. Null for none. */
  organizationIdentifier?: string | null
  organization?: string
  notBefore?: Date
  notAfter?: Date
  /** Issued by another CA with the same names. */
  fromOtherCa?: boolean
}

/** The input of `loadPki`: plain JSON with unencrypted private keys. For tests and demonstrations only. */
export interface PkiFiles {
  root: KeyAndCertificate
  issuing: KeyAndCertificate
  tls: KeyAndCertificate
  signer: KeyAndCertificate
  companies: { oib: string; keyPem: string }[]
}

/** A public key infrastructure like Fina's: a root, an issuing CA, and leaves. */
export type Pki = ReturnType<typeof loadPki>

/**
 * Creates four RSA keys, which takes about a second. Create one per test run and reuse it through `loadPki`.
 * @param notBefore the start of validity of the CAs, and by default of leaves, for tests with their own clock
 */
export async function createPki({ notBefore = yesterday() }: { notBefore?: Date } = {}): Promise<Pki> {
  const { root, issuing } = await createAuthorities(notBefore)
  const [tls, signer] = await Promise.all([
    issue(plainName('localhost'), 'tls-server', validity(10, { notBefore }), issuing),
    issue(serviceName({ cn: 'fiskalcistest' }), 'signing', validity(2, {}, notBefore), issuing),
  ])
  return loadPki({ root, issuing, tls, signer, companies: [] })
}

export function loadPki(files: PkiFiles) {
  const { root, issuing, tls, signer } = files
  const companies = [...files.companies]
  const begin = new Date(new X509Certificate(issuing.certPem).validFrom)
  let otherCa: Promise<{ issuing: KeyAndCertificate }> | null = null

  return {
    /** Root and issuing CA, for a client's trust bundle. */
    bundlePem: root.certPem + issuing.certPem,
    bundleDer: [derOf(root.certPem), derOf(issuing.certPem)],
    /** The certificate of the TLS server, for 127.0.0.1, ::1, localhost and cis.test. */
    tls,
    /** Signs the test service's answers; CN `fiskalcistest`. */
    signer,
    async issueCompany(order: CompanyOrder) {
      const company = await makeCompany(order, issuing, begin)
      companies.push({ oib: order.oib, keyPem: company.keyPem })
      return company
    },
    async issueSigner(order: SignerOrder) {
      if (order.fromOtherCa === true) otherCa ??= createAuthorities(begin)
      const issuer = order.fromOtherCa === true && otherCa !== null ? (await otherCa).issuing : issuing
      return issue(serviceName(order), 'signing', validity(2, order, begin), issuer)
    },
    /** All private keys issued to a company, the oldest first; empty for an unknown company. */
    companyKeys: (oib: string) => companies.filter((c) => c.oib === oib).map((c) => createPrivateKey(c.keyPem)),
    toJSON: (): PkiFiles => ({ root, issuing, tls, signer, companies: [...companies] }),
  }
}

async function createAuthorities(notBefore: Date): Promise<{ root: KeyAndCertificate; issuing: KeyAndCertificate }> {
  const span = validity(10, { notBefore })
  const root = await issue(plainName('Simulator Root CA'), 'root', span, null)
  return { root, issuing: await issue(plainName('Simulator CA 2020'), 'issuing', span, root) }
}

const issue = (subject: NameAttribute[], use: Order['use'], span: Validity, issuer: Order['issuer']) =>
  issueCertificate({ subject, use, ...span, issuer })

async function makeCompany(order: CompanyOrder, issuing: KeyAndCertificate, begin: Date): Promise<CompanyCertificate> {
  const { passphrase = 'lozinka', keys = 1, selfSigned = false } = order
  const issued = await issue(companyName(order), 'signing', validity(2, order, begin), selfSigned ? null : issuing)
  const spareKeys = await Promise.all(Array.from({ length: Math.max(0, keys - 1) }, newKeyPem))
  const p12 = makePkcs12({
    keyPems: [issued.keyPem, ...spareKeys].slice(0, keys),
    certPems: selfSigned ? [issued.certPem] : [issued.certPem, issuing.certPem],
    passphrase,
    algorithm: order.algorithm ?? 'aes256',
  })
  return { ...issued, p12, passphrase, certDer: derOf(issued.certPem) }
}

/** The subject of a Fina application certificate: `C=HR, O=..., organizationIdentifier=HR..., L=Zagreb, CN=FISKAL 1`. */
function companyName(order: CompanyOrder): NameAttribute[] {
  const { oib, name = 'Samoposluga d.o.o.', oibIn = 'organizationIdentifier' } = order
  const inO = oibIn === 'O' || oibIn === 'both'
  const inIdentifier = oibIn === 'organizationIdentifier' || oibIn === 'both'
  const identifier = order.organizationIdentifier ?? (inIdentifier ? `HR${oib}` : null)
  return [
    { type: NAME.country, value: 'HR' },
    { type: NAME.organization, value: inO ? `${name} HR${oib}` : name },
    ...(identifier === null ? [] : [{ type: NAME.organizationIdentifier, value: identifier }]),
    { type: NAME.locality, value: 'Zagreb' },
    { type: NAME.commonName, value: 'FISKAL 1' },
  ]
}

/** As in the genuine certificates of 2018 to 2028: APIS IT signs for the test service, the ministry for the live one. */
const SERVICE_IDS = { test: 'HR02994650199', live: 'HR18683136487' }

function serviceName({ cn, organization = 'Simulator CIS', ...order }: SignerOrder): NameAttribute[] {
  const { organizationIdentifier = SERVICE_IDS[cn === 'fiskalcis' ? 'live' : 'test'] } = order
  return [
    { type: NAME.country, value: 'HR' },
    { type: NAME.organization, value: organization },
    ...(organizationIdentifier === null ? [] : [{ type: NAME.organizationIdentifier, value: organizationIdentifier }]),
    { type: NAME.commonName, value: cn },
  ]
}

/** Of a certificate that is none of the service's signers. */
const plainName = (cn: string) => serviceName({ cn, organizationIdentifier: null })

type Order = Parameters<typeof issueCertificate>[0]
type Validity = Pick<Order, 'notBefore' | 'notAfter'>

function validity(years: number, wish: Partial<Validity>, begin = yesterday()): Validity {
  const from = wish.notBefore ?? yesterday()
  return {
    notBefore: wish.notBefore ?? begin,
    notAfter: wish.notAfter ?? new Date(from.getTime() + years * 365 * DAY_MS),
  }
}

const yesterday = (): Date => new Date(Date.now() - DAY_MS)
