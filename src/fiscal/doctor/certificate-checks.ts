import { setImmediate } from 'node:timers/promises'
import { attempt } from '../../domain/attempt.ts'
import { daysUntil, EXPIRING_UNDER_DAYS } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both, MODE_HR } from '../../domain/texts/both.ts'
import { addTrust } from '../../domain/texts/trust-texts.ts'
import type { Context } from '../context.ts'
import type { CertificateInspector, Vault } from '../ports/certificates.ts'
import type { Certificate, Company } from '../ports/model.ts'
import type { ChainValidator, RevocationLists, TrustBundles } from '../ports/trust.ts'
import { OURS } from '../registry/active-devices.ts'
import { day, type HealthCheck, skippedAfter, validFrom, validUntil } from './doctor.ts'
import { uploadsName } from './trust-checks.ts'

interface Deps extends Context {
  vault: Vault
  inspector: CertificateInspector
  chains: ChainValidator
  trust: TrustBundles & RevocationLists
}

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
    const [last] = await store.certificates.list({ ...OURS, companyId: company.id })
    const revoked = typeof last?.revokedAt === 'number' ? day(last.revokedAt) : null
    const detail =
      revoked === null
        ? { en: 'there is none: nothing can be sold', hr: 'nema certifikata: prodaja nije moguća' }
        : {
            en: `it was revoked ${revoked}: nothing can be sold`,
            hr: `opozvan je ${revoked}: prodaja nije moguća`,
          }
    return failure(name, detail, bring(company))
  }

  function certificateCheck(name: Both, company: Company, certificate: Certificate): Check {
    const now = clock.now()
    const { notBefore, notAfter } = certificate
    const useless = whyUseless(company, certificate)
    if (useless) return failure(name, useless, bring(company))
    if (now < notBefore) return failure(name, validFrom(notBefore), { en: 'look at the clock', hr: 'provjerite sat' })
    const days = daysUntil(notAfter, now)
    const left = validUntil(notAfter, days)
    return days <= EXPIRING_UNDER_DAYS ? warning(name, left, bring(company)) : fine(name, left)
  }

  /** Why only another certificate helps. */
  function whyUseless(company: Company, certificate: Certificate): Both | undefined {
    if (oibOf(certificate) !== company.oib || certificate.subjectOib !== company.oib)
      return {
        en: 'it was issued to another OIB than the one of the company',
        hr: 'izdan je na drugi OIB, a ne na OIB tvrtke',
      }
    const revokedAt = trust.revokedAt(company.mode, certificate.certificate)
    if (revokedAt !== null)
      return { en: `its issuer revoked it ${day(revokedAt)}`, hr: `izdavatelj ga je opozvao ${day(revokedAt)}` }
    const ended = day(certificate.notAfter)
    if (clock.now() <= certificate.notAfter) return undefined
    return { en: `it expired ${ended}: nothing can be sold`, hr: `istekao je ${ended}: prodaja nije moguća` }
  }

  function oibOf({ certificate }: Certificate): string | null {
    return attempt(() => inspector.subjectOib(certificate), null)
  }

  function keyCheck(name: Both, company: Company, { id, sealedKey, certificate }: Certificate): Check {
    const key = attempt(() => vault.open(sealedKey, id), null)
    if (key === null) {
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
      chains.validate(
        certificate.certificate,
        [...certificate.intermediates],
        trust.certificates(in_, 'uploads'),
        clock.now(),
      )
    if (trust.certificates(mode, 'uploads').length === 0) return skippedAfter(name, uploadsName(mode))
    const verdict = await judge(mode)
    if (verdict.trusted)
      return fine(name, {
        en: `it leads to what is trusted for uploads in ${mode} mode`,
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
      en: `if you trust its issuer: ${addTrust(mode, 'uploads')}`,
      hr: `ako vjerujete njegovu izdavatelju: ${addTrust(mode, 'uploads')}`,
    })
  }
}

const bring = ({ oib }: Company) => ({
  en: `bring a valid one: fisk cert add --company ${oib} --file FILE.p12`,
  hr: `učitajte valjan certifikat: fisk cert add --company ${oib} --file FILE.p12`,
})
