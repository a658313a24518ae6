import { FiskError } from '../../../domain/errors.ts'
import type { BlockerCause } from '../../../domain/texts/blocker-texts.ts'
import type { ModeClocks } from '../../ports/clock.ts'
import type { Company } from '../../ports/model.ts'
import type { Store } from '../../ports/store.ts'
import type { ChainValidator, TrustBundles } from '../../ports/trust.ts'
import { OURS } from '../../registry/active-devices.ts'
import type { SigningIdentities } from '../../registry/signing-identities.ts'
import { type Blocker, forTenant } from './blocker.ts'

export interface CompanyDeps {
  store: Store
  identities: Pick<SigningIdentities, 'current'>
  chains: ChainValidator
  trust: TrustBundles
  clock: ModeClocks
}

/** The problem that prevents a company from signing sales that CIS accepts; null without one. */
export async function companyBlocker(deps: CompanyDeps, company: Company): Promise<Blocker | null> {
  const say = ([cause, problem]: Found, fix: string) => ({
    subject: company.name,
    problem,
    fix: forTenant(company.tenantId, fix),
    cause,
    companyId: company.id,
  })
  if (company.status !== 'active') {
    return say(
      ['company_inactive', `the company is ${company.status}`],
      `fisk company set ${company.oib} --status active`,
    )
  }
  const upload = `fisk cert add --company ${company.oib} --file FILE.p12`
  const { identities, clock } = deps
  try {
    await identities.current(company, clock.of(company.mode).present(), 'device_id')
  } catch (error) {
    if (error instanceof FiskError) return say(await certificateProblem(deps, company, error), upload)
    const closed: Found = ['key_unreadable', 'the private key of its certificate cannot be opened']
    return say(closed, `Upload the certificate again: ${upload}`)
  }
  const reason = await distrust(deps, company)
  if (reason === null) return null
  return say(['certificate_untrusted', `its certificate is not trusted in ${company.mode} mode: ${reason}`], upload)
}

type Found = [BlockerCause, string]

async function certificateProblem(
  { store, clock }: CompanyDeps,
  { id, mode }: Company,
  { code }: FiskError,
): Promise<Found> {
  const [newest] = await store.certificates.list({ ...OURS, companyId: id })
  if (code === 'company_missing_certificate') {
    return newest?.revokedAt
      ? ['certificate_revoked', 'its certificate was revoked by its issuer']
      : ['certificate_missing', 'it has no certificate']
  }
  if (code === 'hr.certificate_oib_mismatch') {
    return ['certificate_of_other_oib', 'its certificate was issued to another OIB']
  }
  const current = await store.certificates.current(id)
  const isEarly = current !== undefined && current.notBefore > clock.of(mode).now()
  return isEarly
    ? ['certificate_early', 'its certificate is not valid yet']
    : ['certificate_expired', 'its certificate has expired']
}

/** Why the certificate does not chain to the bundle; null when it does, and when there is no bundle. */
async function distrust({ store, chains, trust, clock }: CompanyDeps, { id, mode }: Company): Promise<string | null> {
  const certificate = await store.certificates.current(id)
  const bundle = trust.certificates(mode, 'uploads')
  if (!certificate || bundle.length === 0) return null
  // An unreliable clock makes no certificate invalid.
  const at = Math.min(Math.max(clock.of(mode).now(), certificate.notBefore), certificate.notAfter)
  const verdict = await chains.validate(certificate.certificate, [...certificate.intermediates], bundle, at)
  return verdict.trusted ? null : verdict.reason
}
