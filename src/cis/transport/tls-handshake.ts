import { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import { attempt } from '../../domain/attempt.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both } from '../../domain/texts/both.ts'
import { addTrust, bringTrust } from '../../domain/texts/trust-texts.ts'
import { pemOf } from '../../x509/pem.ts'
import { commonNameIn, nameIn, subjectOf } from '../trust/ca-files.ts'
import { NotReached, noAnswer } from './not-reached.ts'

/** The service, and how long a step to it may take. */
export interface Target {
  host: string
  port: number
  timeoutMs: number
}

export interface HandshakeOptions extends Target {
  mode: Mode
  /** DER. */
  bundle: Buffer[]
  /** As `TrustCare.given`. */
  given: string | null
}

/** By the rules of the transport; says why a certificate is not trusted. @throws NotReached */
export async function handshake(socket: Socket, options: HandshakeOptions): Promise<{ detail: Both }> {
  const { protocol, refusal, leaf, presented } = await shake(socket, options)
  const bundle = options.bundle.map((der) => new X509Certificate(der))
  if (refusal === null) {
    const until = new Date(leaf.validTo).toISOString().slice(0, 10)
    const [name, ...issuers] = chainOf(leaf, bundle).map(({ subject }) => commonNameIn(subject))
    const detail = {
      en: `${protocol}, ${name} issued by ${issuers.join(', by ')}; the certificate of the service is valid until ${until}`,
      hr: `${protocol}, ${name}, izdavatelj ${issuers.join(', ')}; certifikat usluge vrijedi do ${until}`,
    }
    return { detail }
  }
  throw refusalOf(refusal, chainOf(leaf, [...bundle, ...presented]), bundle, options)
}

interface Handshake {
  protocol: string
  /** OpenSSL's or Node's error code; null when the certificate is trusted. */
  refusal: string | null
  leaf: X509Certificate
  presented: X509Certificate[]
}

function shake(socket: Socket, { host, port, bundle, timeoutMs }: HandshakeOptions): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      host,
      servername: isIP(host) === 0 ? host : '',
      ca: pemOf(bundle),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: false, // to be able to tell why
    })
    const fail = (why: Both) => {
      secure.destroy()
      reject(
        new NotReached(
          {
            en: `what answers on port ${port} of ${host} does not speak TLS as CIS does: ${why.en}`,
            hr: `na ${host}, priključak ${port}, ne odgovara TLS kakav ima CIS: ${why.hr}`,
          },
          DIRECT(host),
        ),
      )
    }
    secure.setTimeout(timeoutMs, () => fail(noAnswer(timeoutMs)))
    secure.on('error', (error: NodeJS.ErrnoException) => fail(alike(error.code ?? error.message)))
    secure.once('close', () => fail({ en: 'the connection was cut', hr: 'veza je prekinuta' }))
    secure.once('secureConnect', () => {
      const [leaf, ...presented] = certificatesOf(secure.getPeerCertificate(true))
      if (!leaf) return fail({ en: 'it shows no certificate', hr: 'certifikat nije poslan' })
      // Node's type says Error, but the value is its code.
      const refusal = secure.authorized ? null : String(secure.authorizationError)
      resolve({ protocol: secure.getProtocol() ?? 'TLS', refusal, leaf, presented })
      secure.destroy()
    })
  })
}

const DIRECT = (host: string) => ({
  en:
    `let this machine reach ${host} directly: something on the way, such as a proxy, a firewall that opens connections ` +
    'or a sign-in page, answers in its place',
  hr:
    `omogućite ovom računalu izravan pristup na ${host}: umjesto njega odgovara nešto na putu, na primjer ` +
    'proxy, vatrozid koji otvara veze ili stranica za prijavu',
})

function refusalOf(
  refusal: string,
  chain: X509Certificate[],
  bundle: X509Certificate[],
  { mode, host, given }: HandshakeOptions,
): NotReached {
  const [leaf] = chain as [X509Certificate]
  const top = chain.at(-1) ?? leaf
  const day = (text: string) => new Date(text).toISOString().slice(0, 10)
  const notTheService = (en: string, hr: string) => new NotReached({ en, hr }, DIRECT(host))
  switch (refusal) {
    case 'CERT_HAS_EXPIRED': {
      const first = chain.reduce((a, b) => (Date.parse(b.validTo) < Date.parse(a.validTo) ? b : a))
      const renew = RENEW(first, leaf, mode)
      const problem = {
        en: `the certificate ${subjectOf(first)} expired on ${day(first.validTo)}`,
        hr: `certifikat ${subjectOf(first)} istekao je ${day(first.validTo)}`,
      }
      return new NotReached(problem, {
        en: `check the date of this machine; if it is right, the certificate has to be replaced: ${renew.en}`,
        hr: `provjerite datum ovog računala; ako je ispravan, certifikat treba zamijeniti: ${renew.hr}`,
      })
    }
    case 'CERT_NOT_YET_VALID': {
      const last = chain.reduce((a, b) => (Date.parse(b.validFrom) > Date.parse(a.validFrom) ? b : a))
      const problem = {
        en: `the certificate ${subjectOf(last)} is valid from ${day(last.validFrom)} only`,
        hr: `certifikat ${subjectOf(last)} vrijedi tek od ${day(last.validFrom)}`,
      }
      return new NotReached(problem, {
        en: 'set the date of this machine, or let it follow a time server',
        hr: 'namjestite datum ovog računala ili uključite usklađivanje s poslužiteljem točnog vremena',
      })
    }
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const names = leaf.subjectAltName ?? subjectOf(leaf)
      return notTheService(
        `the certificate of the service is for ${names}, not for ${host}`,
        `certifikat usluge izdan je za ${names}, a ne za ${host}`,
      )
    }
  }
  if (isSelfIssued(top) && bundle.some(({ raw }) => raw.equals(top.raw))) {
    return notTheService(
      `the certificate ${subjectOf(leaf)} is not trusted (${refusal})`,
      `certifikatu ${subjectOf(leaf)} se ne vjeruje (${refusal})`,
    )
  }
  const issuer = nameIn(top.issuer)
  const isOurs = bundle.some((authority) => organizationOf(authority.subject) === organizationOf(top.issuer))
  const isForeign = !isOurs || isSelfIssued(top) || bundle.some(({ subject }) => subject === top.issuer)
  if (isForeign) {
    return notTheService(
      `the certificate ${subjectOf(leaf)} is not one of CIS: it was issued by ${issuer}`,
      `certifikat ${subjectOf(leaf)} nije certifikat CIS-a: izdao ga je ${issuer}`,
    )
  }
  const [kind, inCroatian] = top === leaf ? ['intermediate', 'posredni'] : ['root', 'korijenski']
  return new NotReached(
    {
      en: `the ${kind} certificate ${issuer} is missing in the trust bundle (${refusal})`,
      hr: `među certifikatima Porezne uprave nedostaje ${inCroatian} certifikat ${issuer} (${refusal})`,
    },
    bringTrust(mode, 'service', given),
  )
}

const RENEW = (expired: X509Certificate, leaf: X509Certificate, mode: Mode) =>
  expired === leaf
    ? { en: 'only the tax authority can do that', hr: 'to može samo Porezna uprava' }
    : alike(addTrust(mode, 'service'))

/** The chain from the leaf up, as far as issuers are known. */
function chainOf(leaf: X509Certificate, issuers: X509Certificate[]): X509Certificate[] {
  const chain = [leaf]
  for (let last: X509Certificate | undefined = leaf; last; ) {
    const child: X509Certificate = last
    last = issuers.find((issuer) => !chain.includes(issuer) && child.checkIssued(issuer) && isSignedBy(child, issuer))
    if (last) chain.push(last)
  }
  return chain
}

const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  attempt(() => certificate.verify(issuer.publicKey), false)

function certificatesOf(peer: DetailedPeerCertificate): X509Certificate[] {
  const found = new Map<string, X509Certificate>()
  for (let one: DetailedPeerCertificate | undefined = peer; one?.raw; one = one.issuerCertificate) {
    const certificate = new X509Certificate(one.raw)
    if (found.has(certificate.fingerprint256)) break
    found.set(certificate.fingerprint256, certificate)
  }
  return [...found.values()]
}

const isSelfIssued = ({ subject, issuer }: X509Certificate) => subject === issuer

const organizationOf = (name: string) => /^O=(.*)$/m.exec(name)?.[1] ?? name
