import { X509Certificate } from 'node:crypto'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ChainValidator, TrustBundles } from '../../fiscal/ports/trust.ts'
import { XmlRefusal } from './xml-refusal.ts'

/** Who may sign the answers of a mode. */
export interface Signers {
  /**
   * The one certificate that has the expected name, chains to the mode's bundle and is valid.
   * @param certificates DER, from the answer
   * @param moments possible current times, the likeliest first: the certificate must be valid at one or more
   * @throws XmlRefusal when there is no such certificate, or more than one with that name
   */
  trusted(mode: Mode, certificates: Buffer[], moments: readonly EpochMs[]): Promise<X509Certificate>
  /** Clears the cached verdicts about the mode's signers, because its bundle changed. */
  forget(mode: Mode): void
}

export interface SignerOptions {
  trust: TrustBundles
  chains: ChainValidator
  commonNames: Record<Mode, string>
}

/** How long a verdict is cached at most, because an issuer may expire before the signer does. */
const VERDICT_LASTS_MS = 60 * 60_000

/** Any company can buy a certificate from the same issuers, so the name counts as much as the chain. */
export function createSigners({ trust, chains, commonNames }: SignerOptions): Signers {
  const read = rememberRead()
  const verdicts: Record<Mode, Map<string, { from: EpochMs; until: EpochMs }>> = { test: new Map(), live: new Map() }

  return {
    async trusted(mode, ders, moments) {
      const signer = onlyNamed(ders.map(read), commonNames[mode])
      const known = verdicts[mode]
      const verdict = known.get(signer.fingerprint256)
      if (verdict && moments.some((at) => at >= verdict.from && at <= verdict.until)) return signer
      const others = ders.filter((der) => !der.equals(signer.raw))
      for (const at of moments) {
        if (!(await chains.validate(signer.raw, others, trust.certificates(mode), at)).trusted) continue
        const notAfter = Date.parse(signer.validTo)
        // A reload during the check replaced the map; this verdict then goes to the old map and has no effect.
        known.set(signer.fingerprint256, { from: at, until: Math.min(notAfter, at + VERDICT_LASTS_MS) })
        return signer
      }
      throw new XmlRefusal('the signer does not chain to the trust bundle, or is not valid now', 'signer')
    },
    forget(mode) {
      verdicts[mode] = new Map()
    },
  }
}

/** A certificate, and the common name of its subject where it has just one. */
interface Read {
  der: Buffer
  certificate: X509Certificate
  commonName: string | undefined
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
    const read = { der: Buffer.from(der), certificate, commonName: commonNameOf(certificate) }
    if (known.length >= REMEMBERED) known.length = 0
    known.push(read)
    return read
  }
}

function onlyNamed(brought: Read[], name: string): X509Certificate {
  const named = brought.filter(({ commonName }) => commonName === name).map(({ certificate }) => certificate)
  const signer = named[0]
  if (!signer) throw new XmlRefusal('no certificate in it bears the name of the tax authority', 'signer')
  if (named.some(({ fingerprint256 }) => fingerprint256 !== signer.fingerprint256))
    throw new XmlRefusal('more than one certificate in it bears the name of the tax authority', 'signer')
  if (signer.ca || keyTypeOf(signer) !== 'rsa') {
    throw new XmlRefusal('the certificate of the signer is not one that may sign answers', 'signer')
  }
  return signer
}

/** Does not use `toLegacyObject`: in Node 24 it crashes the process for a key of an unknown kind. */
function commonNameOf(certificate: X509Certificate): string | undefined {
  // Undefined for an empty subject, against its type. One part per line; control characters are escaped.
  const subject: string | undefined = certificate.subject
  const names = (subject ?? '').split('\n').filter((part) => part.startsWith('CN='))
  return names.length === 1 ? names[0]?.slice(3) : undefined
}

function keyTypeOf(certificate: X509Certificate): string | undefined {
  try {
    return certificate.publicKey.asymmetricKeyType
  } catch {
    return undefined
  }
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw new XmlRefusal('a certificate in it cannot be read', 'signer')
  }
}
