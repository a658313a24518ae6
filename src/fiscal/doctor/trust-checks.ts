import { daysUntil } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, MODE_HR } from '../../domain/texts/both.ts'
import { bringTrust } from '../../domain/texts/trust-texts.ts'
import type { Clock } from '../ports/clock.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { TrustCare } from '../ports/trust.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import { few, type HealthCheck } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'companies'>
  trust: TrustCare
  clock: Clock
  deploymentMode: Mode
}

const EXPIRING_UNDER_DAYS = 60

/** Whether the trust bundles have the necessary certificates, now and at the next start. */
export function trustChecks({ store, trust, clock, deploymentMode }: Deps): HealthCheck[] {
  return [{ name: { en: 'trust', hr: 'certifikati kojima se vjeruje' }, run: examine }]

  async function examine(): Promise<Check[]> {
    const modes = await modesInUse(store, deploymentMode)
    return modes.flatMap((mode) => [bundleCheck(mode, trust, clock.now()), listsCheck(mode, trust, clock.now())])
  }
}

export const trustName = (mode: Mode) => ({
  en: `trust ${mode}`,
  hr: `certifikati Porezne uprave (${MODE_HR[mode]} rad)`,
})

function bundleCheck(mode: Mode, trust: TrustCare, now: EpochMs): Check {
  const name = trustName(mode)
  const fetch = bringTrust(mode)
  const fileProblem = trust.fileProblem(mode)
  if (fileProblem !== null)
    return failure(name, alike(fileProblem), {
      en: `write it again: ${fetch.en}`,
      hr: `zapišite je ponovno: ${fetch.hr}`,
    })
  const certificates = trust.list(mode)
  if (certificates.length === 0) {
    const detail = {
      en: `the CA certificates of the ${mode} service are not installed`,
      hr: `nema certifikata Porezne uprave za ${MODE_HR[mode]} rad`,
    }
    return failure(name, detail, fetch)
  }
  const known = trust.known(mode)
  const isKnown = certificates.some(({ fingerprint }) => known.some((one) => one.fingerprint === fingerprint))
  if (known.length > 0 && !isKnown) {
    const names = known.map((one) => one.name).join(', ')
    const detail = {
      en: `none of its certificates is one that CIS is known to use: ${names}`,
      hr: `nijedan od certifikata nije među onima za koje se zna da ih CIS koristi: ${names}`,
    }
    return warning(name, detail, fetch)
  }
  const ending = certificates.filter(({ notAfter }) => daysUntil(notAfter, now) <= EXPIRING_UNDER_DAYS)
  if (ending.length > 0) {
    const when = ending.map(({ subject, notAfter }) =>
      notAfter < now
        ? { en: `${subject} ended ${day(notAfter)}`, hr: `${subject} istekao je ${day(notAfter)}` }
        : { en: `${subject} ends ${day(notAfter)}`, hr: `${subject} istječe ${day(notAfter)}` },
    )
    return warning(name, few(when), {
      en: `add the certificate that replaces it: fisk trust add --mode ${mode} FILE`,
      hr: `dodajte certifikat koji ga zamjenjuje: fisk trust add --mode ${mode} FILE`,
    })
  }
  const first = Math.min(...certificates.map(({ notAfter }) => notAfter))
  return fine(name, {
    en: `${certificates.length} CA certificates, the first one ends ${day(first)}`,
    hr: `certifikata izdavatelja: ${certificates.length}, prvi istječe ${day(first)}`,
  })
}

function listsCheck(mode: Mode, trust: TrustCare, now: EpochMs): Check {
  const name = { en: `revocations ${mode}`, hr: `popisi opozvanih certifikata (${MODE_HR[mode]} rad)` }
  const lists = trust.revocationLists(mode)
  const old = lists.filter(({ nextUpdate }) => nextUpdate !== null && nextUpdate < now)
  if (old.length === 0)
    return fine(
      name,
      lists.length === 0
        ? { en: 'no list is installed', hr: 'nema popisa opozvanih certifikata' }
        : { en: `${lists.length} current`, hr: `važećih popisa: ${lists.length}` },
    )
  const issuers = old.map(({ issuer, nextUpdate }) => ({
    en: `the list of ${issuer} was to be renewed ${day(nextUpdate ?? now)}`,
    hr: `popis izdavatelja ${issuer} trebalo je obnoviti ${day(nextUpdate ?? now)}`,
  }))
  return warning(name, few(issuers), {
    en: `bring the new list: fisk trust add --mode ${mode} FILE`,
    hr: `dodajte novi popis: fisk trust add --mode ${mode} FILE`,
  })
}

const day = (at: EpochMs) => formatInstant(at).slice(0, 10)
