import { type Certificate, CertificateChainValidationEngine } from 'pkijs'
import type { EpochMs } from '../domain/instant.ts'
import type { ChainValidator } from '../fiscal/ports/trust.ts'
import { type ParsedCertificate, tryParseCertificate } from '../x509/parsed-certificate.ts'
import { anchorsOf, findPath } from './chain-path.ts'

/**
 * Validates chains against a trust bundle (RFC 5280, section 6, without revocation). Only the bundle's self-signed
 * certificates are anchors; all others, also those received with the leaf, are possible intermediates.
 */
export function createChainValidator(): ChainValidator {
  // Parsing is most of the cost on a small machine, and a bundle uses the same buffers for every validation.
  const known = new WeakMap<Buffer, ParsedCertificate | null>()
  const parse = (der: Buffer) => {
    const parsed = known.get(der) ?? tryParseCertificate(der)
    known.set(der, parsed)
    return parsed
  }
  return {
    async validate(leafDer, intermediates, bundle, at) {
      try {
        const parseAll = (ders: Buffer[]) => ders.flatMap((der) => parse(der) ?? [])
        if (bundle.length === 0) return refused('no trust bundle is installed for this mode')
        const leaf = tryParseCertificate(leafDer)
        if (!leaf) return refused('it is not a readable X.509 certificate')
        return await validate(leaf, parseAll(intermediates), parseAll(bundle), at)
      } catch (error) {
        return refused(`the chain cannot be checked (${error instanceof Error ? error.message : 'unknown error'})`)
      }
    },
  }
}

async function validate(
  leaf: ParsedCertificate,
  intermediates: ParsedCertificate[],
  bundle: ParsedCertificate[],
  at: EpochMs,
) {
  const anchors = anchorsOf(bundle)
  if (anchors.length === 0) return refused('the trust bundle holds no root certificate')

  // Each certificate once and never the leaf: a copy of the leaf among its issuers would only lead in circles.
  const others = distinct([...bundle, ...intermediates]).filter(
    (certificate) => !anchors.includes(certificate) && !certificate.der.equals(leaf.der),
  )
  const path = findPath(leaf, { anchors, others }, at)
  if ('reason' in path) return refused(path.reason)
  return judge(path, at)
}

/** Lets pkijs check names and policies of a finished chain: it gets each issuer, and must return the same chain. */
async function judge(path: ParsedCertificate[], at: EpochMs) {
  const chain = path.map((certificate) => certificate.pki)
  const anchor = chain.slice(-1)
  const engine = new CertificateChainValidationEngine({
    trustedCerts: anchor,
    certs: chain.slice(0, -1).reverse(), // pkijs treats the last one as the leaf
    checkDate: new Date(at),
    findIssuer: async (certificate) => {
      const issuer = chain[chain.indexOf(certificate) + 1]
      return issuer && (await certificate.verify(issuer)) ? [issuer] : []
    },
  })
  const verdict = await engine.verify()
  if (!verdict.result) return refused(verdict.resultMessage || 'the chain breaks a rule of its issuers')
  if (!sameChain(verdict.certificatePath, chain)) return refused('the chain is ambiguous')
  return { trusted: true } as const
}

function sameChain(judged: Certificate[] | undefined, chain: Certificate[]): boolean {
  return judged?.length === chain.length && judged.every((certificate, i) => certificate === chain[i])
}

function distinct(certificates: ParsedCertificate[]): ParsedCertificate[] {
  return [...new Map(certificates.map((certificate) => [certificate.der.toString('base64'), certificate])).values()]
}

function refused(reason: string) {
  return { trusted: false, reason } as const
}
