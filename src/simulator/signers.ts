import type { Misbehaviour } from './misbehaviours.ts'
import type { Pki } from './pki.ts'
import { DAY_MS, type KeyAndCertificate } from './x509.ts'

const BAD_SIGNERS = ['wrong-signer-ca', 'wrong-signer-cn', 'wrong-signer-id', 'expired-signer'] as const

export type BadSigner = (typeof BAD_SIGNERS)[number]

/** The signers of answers: the correct one, and wrong ones, which are created on first use. */
export type Signers = Awaited<ReturnType<typeof createSigners>>

/** The service signs as `fiskalcistest` in test and as `fiskalcis` in live mode. */
export async function createSigners(pki: Pki, mode: 'test' | 'live', now: () => number) {
  const cn = mode === 'test' ? 'fiskalcistest' : 'fiskalcis'
  const made = new Map<BadSigner, Promise<KeyAndCertificate>>()

  function make(kind: BadSigner): Promise<KeyAndCertificate> {
    if (kind === 'wrong-signer-ca') return pki.issueSigner({ cn, fromOtherCa: true })
    if (kind === 'wrong-signer-cn') return pki.issueSigner({ cn: 'somebody' })
    if (kind === 'wrong-signer-id') {
      return pki.issueSigner({ cn, organization: 'Druga tvrtka d.o.o.', organizationIdentifier: 'VATHR-12345678903' })
    }
    const yearsAgo = (years: number) => new Date(now() - years * 365 * DAY_MS)
    return pki.issueSigner({ cn, notBefore: yearsAgo(3), notAfter: yearsAgo(1) })
  }

  function bad(kind: BadSigner): Promise<KeyAndCertificate> {
    const signer = made.get(kind) ?? make(kind)
    made.set(kind, signer)
    return signer
  }

  return {
    good: mode === 'test' ? pki.signer : await pki.issueSigner({ cn }),
    bad,
    /** Starts creating the signers that the misbehaviours need, so that no answer waits for a new key. */
    prepare(list: readonly (Misbehaviour | null)[]) {
      // The later user of the signer gets the error; without this line it would be unhandled here.
      for (const kind of BAD_SIGNERS) if (list.includes(kind)) bad(kind).catch(() => {})
    },
    async prepared() {
      await Promise.all(made.values())
    },
  }
}
