import {
  daysUntil,
  EXPIRING_UNDER_DAYS,
  TRUST_PURPOSES,
  type TrustList,
  type TrustPurpose,
} from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, MODE_HR, together } from '../../domain/texts/both.ts'
import { addTrust, bringTrust } from '../../domain/texts/trust-texts.ts'
import type { Context } from '../context.ts'
import type { TrustCare, TrustedCertificate } from '../ports/trust.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import { day, few, type HealthCheck } from './doctor.ts'

interface Deps extends Context {
  trust: TrustCare
  deploymentMode: Mode
}

export function trustChecks({ store, trust, clock, deploymentMode }: Deps): HealthCheck[] {
  return [{ name: { en: 'trust', hr: 'certifikati kojima se vjeruje' }, run: examine }]

  async function examine(): Promise<Check[]> {
    const modes = await modesInUse(store, deploymentMode)
    return modes.flatMap((mode) => [
      ...TRUST_PURPOSES.map((purpose) => purposeCheck(mode, purpose, trust, clock.now())),
      listsCheck(mode, trust, clock.now()),
    ])
  }
}

export const trustName = (mode: Mode) => ({
  en: `trust ${mode}`,
  hr: `certifikati Porezne uprave (${MODE_HR[mode]} rad)`,
})

export const uploadsName = (mode: Mode) => ({
  en: `uploads ${mode}`,
  hr: `izdavatelji učitanih certifikata (${MODE_HR[mode]} rad)`,
})

/** For the service the base and its additions; for uploads their additions alone, for the base is told already. */
function purposeCheck(mode: Mode, purpose: TrustPurpose, trust: TrustCare, now: EpochMs): Check {
  const isService = purpose === 'service'
  const name = isService ? trustName(mode) : uploadsName(mode)
  const lists: TrustList[] = isService ? ['base', 'service'] : ['uploads']
  const given = trust.given(mode)
  const bring = bringTrust(mode, purpose, given)
  for (const list of lists) {
    const fileProblem = trust.fileProblem(mode, list)
    if (fileProblem === null) continue
    const how = list === 'base' ? bringTrust(mode, list, given) : addTrust(mode, list)
    const again = { en: 'write it again', hr: 'zapišite je ponovno' }
    return failure(name, alike(fileProblem), together`${again}: ${how}`)
  }
  const certificates = lists.flatMap((list) => trust.list(mode, list))
  if (certificates.length === 0) {
    const alone = { en: 'the base alone: nothing was added', hr: 'samo osnovni popis: ništa nije dodano' }
    if (!isService && trust.list(mode, 'base').length > 0) return fine(name, alone)
    const detail = {
      en: `the CA certificates of ${isService ? `the ${mode} service` : 'issuers of uploads'} are not installed`,
      hr: `nema certifikata ${isService ? 'Porezne uprave' : 'izdavatelja'} za ${MODE_HR[mode]} rad`,
    }
    return failure(name, detail, bring)
  }
  const known = isService ? trust.known(mode) : []
  const isKnown = ({ fingerprint }: TrustedCertificate) => known.some((one) => one.fingerprint === fingerprint)
  if (known.length > 0 && !certificates.some(isKnown)) {
    const names = known.map((one) => one.name).join(', ')
    const detail = {
      en: `none of its certificates is one that CIS is known to use: ${names}`,
      hr: `nijedan od certifikata nije među onima za koje se zna da ih CIS koristi: ${names}`,
    }
    return warning(name, detail, bring)
  }
  const strangers = given === null && known.length > 0 ? trust.list(mode, 'base').filter((one) => !isKnown(one)) : []
  const [stranger] = strangers
  if (stranger) {
    const command = removeTrust(mode, 'service', stranger)
    return warning(name, few(strangers.map(({ subject }) => STRANGER(subject))), {
      en: `if only uploaded certificates need it: ${command} (it stays trusted for these)`,
      hr: `ako je potreban samo za učitane certifikate: ${command} (za njih ostaje)`,
    })
  }
  const ending = certificates.filter(({ notAfter }) => daysUntil(notAfter, now) <= EXPIRING_UNDER_DAYS)
  if (ending.length > 0) {
    const when = ending.map(({ subject, notAfter }) =>
      notAfter < now
        ? { en: `${subject} ended ${day(notAfter)}`, hr: `${subject} istekao je ${day(notAfter)}` }
        : { en: `${subject} ends ${day(notAfter)}`, hr: `${subject} istječe ${day(notAfter)}` },
    )
    const ended = certificates.find(({ notAfter }) => notAfter < now)
    const isGiven = given !== null && !trust.list(mode, purpose).some((one) => one.fingerprint === ended?.fingerprint)
    const end = ended && (isGiven ? takeOutOf(given) : removeTrust(mode, purpose, ended))
    const add = { en: 'add the certificate that replaces it', hr: 'dodajte certifikat koji ga zamjenjuje' }
    const then = end ? together`; ${{ en: 'then', hr: 'zatim' }} ${end}` : ''
    return warning(name, few(when), together`${add}: ${addTrust(mode, purpose)}${then}`)
  }
  const first = Math.min(...certificates.map(({ notAfter }) => notAfter))
  return fine(name, {
    en: `${certificates.length} CA certificates, the first one ends ${day(first)}`,
    hr: `certifikata izdavatelja: ${certificates.length}, prvi istječe ${day(first)}`,
  })
}

/** A list may be brought for either purpose; of the same issuer the newest counts. */
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
    en: `bring the new list: ${addTrust(mode, 'uploads')}`,
    hr: `dodajte novi popis: ${addTrust(mode, 'uploads')}`,
  })
}

const removeTrust = (mode: Mode, purpose: TrustPurpose, { fingerprint }: TrustedCertificate) =>
  `fisk trust remove --mode ${mode} --for ${purpose} ${fingerprint.slice(0, 16)}`

const takeOutOf = (path: string) => ({ en: `take it out of ${path}`, hr: `uklonite ga iz datoteke ${path}` })

const STRANGER = (subject: string) => ({
  en: `${subject} is not known as a CA of CIS, and counts for its service, too`,
  hr: `${subject} nije poznat kao izdavatelj CIS-a, a vjeruje mu se i za uslugu`,
})
