import { X509Certificate } from 'node:crypto'
import { attempt } from '../../domain/attempt.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ChainValidator, TrustBundles } from '../../fiscal/ports/trust.ts'
import type { ServiceName } from './service-names.ts'
import { XmlRefusal } from './xml-reader.ts'

export interface SignerOptions {
  trust: TrustBundles
  chains: ChainValidator
  names: Record<Mode, ServiceName>
}

/** How long a verdict is cached at most, because an issuer may expire before the signer does. */
const VERDICT_LASTS_MS = 60 * 60_000

/** Any company can buy a certificate from the same issuers, so the names count as much as the chain. */
export function createSigners({ trust, chains, names }: SignerOptions) {
  const read = rememberRead()
  const verdicts: Record<Mode, Map<string, { from: EpochMs; until: EpochMs }>> = { test: new Map(), live: new Map() }

  return {
    /**
     * The one certificate that has the names of the service, chains to the CAs of the mode's service and is valid.
     * @param ders from the answer
     * @param moments possible current times, the likeliest first: the certificate must be valid at one or more
     * @throws XmlRefusal when there is no such certificate, or more than one with those names
     */
    async trusted(mode: Mode, ders: Buffer[], moments: readonly EpochMs[]): Promise<X509Certificate> {
      const signer = onlyNamed(ders.map(read), names[mode])
      const known = verdicts[mode]
      const verdict = known.get(signer.fingerprint256)
      if (verdict && moments.some((at) => at >= verdict.from && at <= verdict.until)) return signer
      const others = ders.filter((der) => !der.equals(signer.raw))
      for (const at of moments) {
        if (!(await chains.validate(signer.raw, others, trust.certificates(mode, 'service'), at)).trusted) continue
        const notAfter = Date.parse(signer.validTo)
        // A reload during the check replaced the map; this verdict then goes to the old map and has no effect.
        known.set(signer.fingerprint256, { from: at, until: Math.min(notAfter, at + VERDICT_LASTS_MS) })
        return signer
      }
      throw new XmlRefusal('the signer does not chain to the trust bundle, or is not valid now', 'signer')
    },
    /** Clears the cached verdicts about the mode's signers, because its bundle changed. */
    forget(mode: Mode): void {
      verdicts[mode] = new Map()
    },
  }
}

/** A certificate, and of its subject what it has just one of. */
interface Read {
  der: Buffer
  certificate: X509Certificate
  commonName: string | undefined
  organizationIdentifier: string | undefined
}

/** Enough for the certificates of one answer and their renewal; limited because hostile answers always bring others. */
const REMEMBERED = 16

/** Caches parsed certificates: each answer has the same ones, and parsing takes longer than the signature check. */
function rememberRead(): (der: Buffer) => Read {
  const known: Read[] = []
  return (der) => {
    for (const before of known) if (before.der.equals(der)) return before
    const certificate = parse(der)
    // Copied: bytes of an answer may share the memory of a whole pool.
    const read = {
      der: Buffer.from(der),
      certificate,
      commonName: partOfSubject(certificate, 'CN'),
      organizationIdentifier: partOfSubject(certificate, 'organizationIdentifier'),
    }
    if (known.length >= REMEMBERED) known.length = 0
    known.push(read)
    return read
  }
}

function onlyNamed(brought: Read[], name: ServiceName): X509Certificate {
  const candidates = brought.filter(({ commonName }) => commonName && name.commonNames.includes(commonName))
  if (candidates.length === 0)
    throw new XmlRefusal('no certificate in it bears the name of the tax authority', 'signer_name')
  const { organizationIdentifier } = name
  const named = candidates
    .filter((candidate) => candidate.organizationIdentifier === organizationIdentifier)
    .map(({ certificate }) => certificate)
  const signer = named[0]
  if (!signer) {
    // A foreign certificate may have any text there, and messages are shown.
    const [found] = /^[\w:-]{1,40}$/.exec(candidates[0]?.organizationIdentifier ?? '') ?? []
    const why = `the signer bears the name of the tax authority, and is not ${organizationIdentifier} by organizationIdentifier`
    throw new XmlRefusal(`${why}${found ? `: it is ${found}` : ''}`, 'signer_identifier')
  }
  if (named.some(({ fingerprint256 }) => fingerprint256 !== signer.fingerprint256))
    throw new XmlRefusal('more than one certificate in it bears the name of the tax authority')
  if (signer.ca) throw new XmlRefusal('the certificate of the signer is that of an authority, which signs no answers')
  const key = attempt(() => signer.publicKey.asymmetricKeyType, undefined)
  if (key !== 'rsa')
    throw new XmlRefusal(
      `the signer has a key of type ${key?.toUpperCase() ?? 'unknown'}, and RSA alone is taken`,
      'signer_key',
    )
  return signer
}

/** Does not use `toLegacyObject`: in Node 24 it crashes the process for a key of an unknown kind. */
export function partOfSubject(certificate: X509Certificate, type: string): string | undefined {
  // Undefined for an empty subject, against its type. One part per line; control characters are escaped.
  const subject: string | undefined = certificate.subject
  const parts = (subject ?? '').split('\n').filter((part) => part.startsWith(`${type}=`))
  return parts.length === 1 ? parts[0]?.slice(type.length + 1) : undefined
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw new XmlRefusal('a certificate in it cannot be read')
  }
}
