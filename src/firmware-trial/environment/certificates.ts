import { issueAuthority, issueServer, type KeyAndCertificate, newKeyPem } from '../../x509/issue-certificate.ts'

const DAY_MS = 86_400_000

export type TrialCertificates = Awaited<ReturnType<typeof makeCertificates>>

/** @param host an address beside loopback */
export async function makeCertificates(host: string) {
  const names = [...new Set(['localhost', '127.0.0.1', '::1', host])]
  const validity = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + 30 * DAY_MS }
  const makeCa = async () =>
    issueAuthority({ commonName: 'fiskd firmware trial', keyPem: await newKeyPem(), ...validity })
  const [authority, stranger] = await Promise.all([makeCa(), makeCa()])
  const leaf = (from: KeyAndCertificate, of = names) =>
    issueServer({ commonName: 'fiskd firmware trial', names: of, authority: from, ...validity })
  const leaves = [
    leaf(authority),
    leaf(authority),
    leaf(stranger),
    leaf(authority, ['another-machine.example']),
  ] as const
  const [first, renewed, foreign, misnamed] = await Promise.all(leaves)
  return {
    /** What `FISKD_CA` holds. */
    caPem: authority.certPem,
    first,
    /** Of the same CA, with another key. */
    renewed,
    /** For the same names, of a CA with the same name that the firmware does not know. */
    foreign,
    /** Of the same CA, for another machine. */
    misnamed,
  }
}
