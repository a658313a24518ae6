import { createPrivateKey } from 'node:crypto'
import { FiskError } from '../../domain/errors.ts'
import type { Present } from '../../domain/instant.ts'
import type { SigningIdentity, Vault } from '../ports/certificates.ts'
import type { Certificate, Company } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

export type SigningIdentities = ReturnType<typeof createSigningIdentities>

/** The signing keys, decrypted once and held in memory. */
export function createSigningIdentities(store: StoreTransaction, vault: Vault) {
  const held = new Map<string, SigningIdentity>()

  function open(certificate: Certificate): SigningIdentity {
    const known = held.get(certificate.companyId)
    if (known?.certificateId === certificate.id) return known
    const key = vault.open(certificate.sealedKey, certificate.id)
    const identity = {
      certificateId: certificate.id,
      privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
      certificateDer: certificate.certificate,
    }
    key.fill(0)
    held.set(certificate.companyId, identity)
    return identity
  }

  /** As `current`, with the certificate that the company has in use. */
  function of(
    company: Company,
    certificate: Certificate | undefined,
    { earliest, latest }: Present,
    param: string,
  ): SigningIdentity {
    if (!certificate) {
      throw new FiskError('company_missing_certificate', `${company.name} has no certificate in use`, { param })
    }
    if (certificate.notAfter < earliest || certificate.notBefore > latest) {
      throw new FiskError('certificate_expired', `the certificate of ${company.name} is not valid now`, { param })
    }
    if (certificate.subjectOib !== company.oib) {
      throw new FiskError('hr.certificate_oib_mismatch', 'the certificate was issued to another OIB', { param })
    }
    return open(certificate)
  }

  return {
    of,
    /**
     * The identity that a company signs with now. An unreliable clock makes no certificate invalid.
     * @throws FiskError `company_missing_certificate`, `certificate_expired` or `hr.certificate_oib_mismatch`, in the
     *   order of docs/spec/interface.md, Local validation.
     */
    current: async (company: Company, present: Present, param: string): Promise<SigningIdentity> =>
      of(company, await store.certificates.current(company.id), present, param),
  }
}
