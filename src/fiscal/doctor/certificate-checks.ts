import { setImmediate } from 'node:timers/promises'
import { daysUntil } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { CertificateInspector, Vault } from '../ports/certificates.ts'
import type { Clock } from '../ports/clock.ts'
import type { Certificate, Company } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { ChainValidator, RevocationLists, TrustBundles } from '../ports/trust.ts'
import { type HealthCheck, skippedAfter } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'certificates' | 'companies'>
  vault: Vault
  inspector: CertificateInspector
  chains: ChainValidator
  trust: TrustBundles & RevocationLists
  clock: Clock
}

const WARN_AT_DAYS = 60

/** Whether each active company can sign, and whether the tax authority will accept its certificate. */
export function certificateChecks(deps: Deps): HealthCheck[] {
  const { store, vault, inspector, chains, trust, clock } = deps
  return [{ name: 'certificates', run: examine }]

  async function examine(): Promise<Check[]> {
    const active = (await store.companies.ours()).filter(({ status }) => status === 'active')
    const checks: Check[] = []
    for (const company of active) {
      checks.push(...(await companyChecks(company)))
      // Signatures take time, and the database calls never release the event loop.
      await setImmediate()
    }
    return checks
  }

  async function companyChecks(company: Company): Promise<Check[]> {
    const [name, key, chain] = [`certificate ${company.name}`, `key ${company.name}`, `chain ${company.name}`]
    const certificate = await store.certificates.current(company.id)
    if (!certificate) return [await missing(name, company), skippedAfter(key, name), skippedAfter(chain, name)]
    const ended = certificate.notAfter < clock.now()
    return [
      certificateCheck(name, company, certificate),
      keyCheck(key, company, certificate),
      ended ? skippedAfter(chain, name) : await chainCheck(chain, company, certificate),
    ]
  }

  async function missing(name: string, company: Company): Promise<Check> {
    const [last] = await store.certificates.list({
      tenantId: null,
      mode: null,
      companyIds: null,
      ours: true,
      companyId: company.id,
    })
    if (typeof last?.revokedAt !== 'number') return failure(name, 'there is none: nothing can be sold', bring(company))
    return failure(name, `it was revoked ${day(last.revokedAt)}: nothing can be sold`, bring(company))
  }

  function certificateCheck(name: string, company: Company, certificate: Certificate): Check {
    const now = clock.now()
    const { notBefore, notAfter } = certificate
    if (oibOf(certificate) !== company.oib || certificate.subjectOib !== company.oib) {
      return failure(name, 'it was issued to another OIB than the one of the company', bring(company))
    }
    const revokedAt = trust.revokedAt(company.mode, certificate.certificate)
    if (revokedAt !== null) return failure(name, `its issuer revoked it ${day(revokedAt)}`, bring(company))
    if (now > notAfter) return failure(name, `it expired ${day(notAfter)}: nothing can be sold`, bring(company))
    if (now < notBefore) return failure(name, `it is valid from ${day(notBefore)} only`, 'look at the clock')
    const days = daysUntil(notAfter, now)
    const left = `it is valid until ${day(notAfter)}, ${days} days more`
    return days <= WARN_AT_DAYS ? warning(name, left, bring(company)) : fine(name, left)
  }

  function oibOf({ certificate }: Certificate): string | null {
    try {
      return inspector.subjectOib(certificate)
    } catch {
      return null
    }
  }

  function keyCheck(name: string, company: Company, { id, sealedKey, certificate }: Certificate): Check {
    let key: Buffer
    try {
      key = vault.open(sealedKey, id)
    } catch {
      return failure(
        name,
        'the vault does not open it: it was changed, or sealed with another vault key',
        bring(company),
      )
    }
    const belongs = inspector.belongTogether(key, certificate)
    key.fill(0)
    if (!belongs) return failure(name, 'what it signs is not what the certificate verifies', bring(company))
    return fine(name, 'a test signature was verified with the certificate')
  }

  async function chainCheck(name: string, { mode, oib }: Company, certificate: Certificate): Promise<Check> {
    const judge = (in_: Mode) =>
      chains.validate(certificate.certificate, [...certificate.intermediates], trust.certificates(in_), clock.now())
    if (trust.certificates(mode).length === 0) return skippedAfter(name, `trust ${mode}`)
    const verdict = await judge(mode)
    if (verdict.trusted) return fine(name, `it leads to the trust bundle of ${mode} mode`)
    const other: Mode = mode === 'test' ? 'live' : 'test'
    if ((await judge(other)).trusted) {
      const fix = `bring one of ${mode} mode: fisk cert add --company ${oib} --file FILE.p12`
      const problem = `it is a certificate of ${other} mode, and the company sells in ${mode} mode`
      // The company may already have the certificate for its first live sale.
      return mode === 'test' ? warning(name, problem, `${fix}, or take the company live`) : failure(name, problem, fix)
    }
    return failure(name, verdict.reason, `if you trust its issuer: fisk trust add --mode ${mode} FILE`)
  }
}

const bring = ({ oib }: Company) => `bring a valid one: fisk cert add --company ${oib} --file FILE.p12`
const day = (at: EpochMs) => formatInstant(at).slice(0, 10)
