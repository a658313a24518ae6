import { setImmediate } from 'node:timers/promises'
import { daysUntil } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both, MODE_HR } from '../../domain/texts/both.ts'
import type { CertificateInspector, Vault } from '../ports/certificates.ts'
import type { Clock } from '../ports/clock.ts'
import type { Certificate, Company } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { ChainValidator, RevocationLists, TrustBundles } from '../ports/trust.ts'
import { type HealthCheck, skippedAfter } from './doctor.ts'
import { trustName } from './trust-checks.ts'

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
  return [{ name: { en: 'certificates', hr: 'certifikati' }, run: examine }]

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
    const [name, key, chain] = [
      { en: `certificate ${company.name}`, hr: `certifikat ${company.name}` },
      { en: `key ${company.name}`, hr: `privatni ključ ${company.name}` },
      { en: `chain ${company.name}`, hr: `izdavatelj certifikata ${company.name}` },
    ]
    const certificate = await store.certificates.current(company.id)
    if (!certificate) return [await missing(name, company), skippedAfter(key, name), skippedAfter(chain, name)]
    const ended = certificate.notAfter < clock.now()
    return [
      certificateCheck(name, company, certificate),
      keyCheck(key, company, certificate),
      ended ? skippedAfter(chain, name) : await chainCheck(chain, company, certificate),
    ]
  }

  async function missing(name: Both, company: Company): Promise<Check> {
    const [last] = await store.certificates.list({
      tenantId: null,
      mode: null,
      companyIds: null,
      ours: true,
      companyId: company.id,
    })
    if (typeof last?.revokedAt !== 'number') {
      const detail = { en: 'there is none: nothing can be sold', hr: 'nema certifikata: prodaja nije moguća' }
      return failure(name, detail, bring(company))
    }
    const detail = {
      en: `it was revoked ${day(last.revokedAt)}: nothing can be sold`,
      hr: `opozvan je ${day(last.revokedAt)}: prodaja nije moguća`,
    }
    return failure(name, detail, bring(company))
  }

  function certificateCheck(name: Both, company: Company, certificate: Certificate): Check {
    const now = clock.now()
    const { notBefore, notAfter } = certificate
    if (oibOf(certificate) !== company.oib || certificate.subjectOib !== company.oib) {
      const detail = {
        en: 'it was issued to another OIB than the one of the company',
        hr: 'izdan je na drugi OIB, a ne na OIB tvrtke',
      }
      return failure(name, detail, bring(company))
    }
    const revokedAt = trust.revokedAt(company.mode, certificate.certificate)
    if (revokedAt !== null) {
      const detail = { en: `its issuer revoked it ${day(revokedAt)}`, hr: `izdavatelj ga je opozvao ${day(revokedAt)}` }
      return failure(name, detail, bring(company))
    }
    if (now > notAfter) {
      const detail = {
        en: `it expired ${day(notAfter)}: nothing can be sold`,
        hr: `istekao je ${day(notAfter)}: prodaja nije moguća`,
      }
      return failure(name, detail, bring(company))
    }
    if (now < notBefore) {
      const detail = { en: `it is valid from ${day(notBefore)} only`, hr: `vrijedi tek od ${day(notBefore)}` }
      return failure(name, detail, { en: 'look at the clock', hr: 'provjerite sat' })
    }
    const days = daysUntil(notAfter, now)
    const left = {
      en: `it is valid until ${day(notAfter)}, ${days} days more`,
      hr: `vrijedi do ${day(notAfter)} (preostalo dana: ${days})`,
    }
    return days <= WARN_AT_DAYS ? warning(name, left, bring(company)) : fine(name, left)
  }

  function oibOf({ certificate }: Certificate): string | null {
    try {
      return inspector.subjectOib(certificate)
    } catch {
      return null
    }
  }

  function keyCheck(name: Both, company: Company, { id, sealedKey, certificate }: Certificate): Check {
    let key: Buffer
    try {
      key = vault.open(sealedKey, id)
    } catch {
      const detail = {
        en: 'the vault does not open it: it was changed, or sealed with another vault key',
        hr: 'ne može se otvoriti: izmijenjen je ili je šifriran drugim ključem',
      }
      return failure(name, detail, bring(company))
    }
    const belongs = inspector.belongTogether(key, certificate)
    key.fill(0)
    if (!belongs) {
      const detail = {
        en: 'what it signs is not what the certificate verifies',
        hr: 'privatni ključ ne pripada certifikatu',
      }
      return failure(name, detail, bring(company))
    }
    return fine(name, {
      en: 'a test signature was verified with the certificate',
      hr: 'probni je potpis provjeren certifikatom',
    })
  }

  async function chainCheck(name: Both, { mode, oib }: Company, certificate: Certificate): Promise<Check> {
    const judge = (in_: Mode) =>
      chains.validate(certificate.certificate, [...certificate.intermediates], trust.certificates(in_), clock.now())
    if (trust.certificates(mode).length === 0) return skippedAfter(name, trustName(mode))
    const verdict = await judge(mode)
    if (verdict.trusted)
      return fine(name, {
        en: `it leads to the trust bundle of ${mode} mode`,
        hr: `izdao ga je izdavatelj kojem se vjeruje (${MODE_HR[mode]} rad)`,
      })
    const other: Mode = mode === 'test' ? 'live' : 'test'
    if ((await judge(other)).trusted) {
      const fix = {
        en: `bring one of ${mode} mode: fisk cert add --company ${oib} --file FILE.p12`,
        hr: `učitajte certifikat za ${MODE_HR[mode]} rad: fisk cert add --company ${oib} --file FILE.p12`,
      }
      const problem = {
        en: `it is a certificate of ${other} mode, and the company sells in ${mode} mode`,
        hr: `certifikat je za ${MODE_HR[other]} rad, a tvrtka prodaje u načinu rada „${MODE_HR[mode]}”`,
      }
      // The company may already have the certificate for its first live sale.
      return mode === 'test'
        ? warning(name, problem, {
            en: `${fix.en}, or take the company live`,
            hr: `${fix.hr}, ili prebacite tvrtku u stvarni rad`,
          })
        : failure(name, problem, fix)
    }
    return failure(name, alike(verdict.reason), {
      en: `if you trust its issuer: fisk trust add --mode ${mode} FILE`,
      hr: `ako vjerujete njegovu izdavatelju: fisk trust add --mode ${mode} FILE`,
    })
  }
}

const bring = ({ oib }: Company) => ({
  en: `bring a valid one: fisk cert add --company ${oib} --file FILE.p12`,
  hr: `učitajte valjan certifikat: fisk cert add --company ${oib} --file FILE.p12`,
})
const day = (at: EpochMs) => formatInstant(at).slice(0, 10)
