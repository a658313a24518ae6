import type { Blocker, BlockerCause } from '../../fiscal/doctor/blocker.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { plural } from '../language.ts'

export interface Said {
  what: string
  todo: string
  href: string | null
}

type Words = (blocker: Pick<Blocker, 'subject' | 'count' | 'mode'>) => [what: string, todo: string]

/** What keeps something from selling, and what to do about it. */
export function blockerText(blocker: Blocker, language: Language): Said {
  const [what, todo] = WORDS[blocker.cause][language](blocker)
  return { what, todo, href: placeOf(blocker) }
}

/** The page on which the office can remove a blocker; null for what only a technician can do at the machine. */
function placeOf({ cause, companyId, deviceId }: Blocker): string | null {
  if (deviceId !== undefined) return `/dashboard/devices/${deviceId}`
  if (companyId !== undefined) return `/dashboard/companies/${companyId}`
  if (cause === 'no_company') return '/dashboard/companies'
  if (cause === 'isu_missing') return '/dashboard/devices?isu=pending'
  if (cause === 'isu_mismatch') return '/dashboard/devices?isu=mismatch'
  return cause === 'no_device' || cause === 'device_suspended' ? '/dashboard/devices' : null
}

const UPLOAD = { hr: 'Zatražite novi i učitajte ga.', en: 'Ask for a new one and upload it.' }

const WORDS: Record<BlockerCause, Record<Language, Words>> = {
  disk_full: {
    hr: () => [
      'Disk ovog računala je pun: nijedna se prodaja ne može spremiti.',
      'Oslobodite prostor na disku. Prodaja se zatim sama nastavlja.',
    ],
    en: () => [
      'The disk of this machine is full: no sale can be stored.',
      'Free some space on it. Sales then go on by themselves.',
    ],
  },
  no_writes: {
    hr: () => [
      'Baza podataka ne prima zapise, pa se prodaja ne može spremiti.',
      'Pozovite tehničara da pregleda disk i zapisnik rada.',
    ],
    en: () => [
      'The database takes no writes, so no sale can be stored.',
      'Have a technician look at the disk and the log.',
    ],
  },
  no_company: {
    hr: () => ['Nema nijedne aktivne tvrtke.', 'Dodajte tvrtku koja prodaje.'],
    en: () => ['There is no active company.', 'Add the company that sells.'],
  },
  no_trust: {
    hr: ({ mode }) => [
      `Na ovom računalu nema certifikata Porezne uprave za ${mode === 'live' ? 'stvarni' : 'testni'} rad.`,
      `Tehničar ih preuzima naredbom: fisk trust fetch --mode ${mode}`,
    ],
    en: ({ mode }) => [
      `This machine lacks the tax authority’s certificates of the ${mode} mode.`,
      `A technician fetches them with: fisk trust fetch --mode ${mode}`,
    ],
  },
  company_inactive: {
    hr: ({ subject }) => [`Tvrtka ${subject} nije aktivna.`, 'Ako treba prodavati, postavite je na „aktivno”.'],
    en: ({ subject }) => [`The company ${subject} is not active.`, 'If it should sell, make it active.'],
  },
  certificate_missing: {
    hr: ({ subject }) => [`Tvrtka ${subject} nema certifikat.`, 'Učitajte fiskalni certifikat tvrtke.'],
    en: ({ subject }) => [`${subject} has no certificate.`, 'Upload the fiscal certificate of the company.'],
  },
  certificate_revoked: {
    hr: ({ subject }) => [`Izdavatelj je opozvao certifikat tvrtke ${subject}.`, UPLOAD.hr],
    en: ({ subject }) => [`The certificate of ${subject} was revoked by its issuer.`, UPLOAD.en],
  },
  certificate_of_other_oib: {
    hr: ({ subject }) => [
      `Certifikat tvrtke ${subject} glasi na drugi OIB.`,
      'Učitajte certifikat koji glasi na OIB ove tvrtke.',
    ],
    en: ({ subject }) => [
      `The certificate of ${subject} was issued to another OIB.`,
      'Upload the one that was issued to the OIB of this company.',
    ],
  },
  certificate_early: {
    hr: ({ subject }) => [
      `Certifikat tvrtke ${subject} još ne vrijedi.`,
      'Provjerite od kojeg dana vrijedi i je li sat računala točan.',
    ],
    en: ({ subject }) => [
      `The certificate of ${subject} is not valid yet.`,
      'Check from which day on it is, and the clock of this machine.',
    ],
  },
  certificate_expired: {
    hr: ({ subject }) => [`Certifikat tvrtke ${subject} je istekao.`, UPLOAD.hr],
    en: ({ subject }) => [`The certificate of ${subject} has expired.`, UPLOAD.en],
  },
  certificate_untrusted: {
    hr: ({ subject }) => [
      `Certifikat tvrtke ${subject} nije izdao izdavatelj kojem se u ovom načinu rada vjeruje.`,
      'Za stvarni rad učitajte produkcijski, a za testni rad demo certifikat.',
    ],
    en: ({ subject }) => [
      `The certificate of ${subject} was not issued by anybody who is trusted in this mode.`,
      'Live mode needs the production certificate, test mode the demo certificate.',
    ],
  },
  key_unreadable: {
    hr: ({ subject }) => [
      `Privatni ključ certifikata tvrtke ${subject} ne može se otvoriti.`,
      'Ponovno učitajte certifikat.',
    ],
    en: ({ subject }) => [
      `The private key of the certificate of ${subject} cannot be opened.`,
      'Upload the certificate again.',
    ],
  },
  numbers_used_up: {
    hr: ({ subject }) => [
      `Brojevi računa su potrošeni (${subject}), pa se ondje ne može prodavati.`,
      'Zamolite tehničara da pokrene: fisk numbers heal',
    ],
    en: ({ subject }) => [
      `The receipt numbers are used up (${subject}), so nothing can be sold there.`,
      'Have a technician run: fisk numbers heal',
    ],
  },
  no_device: {
    hr: () => ['Nema nijednog aktivnog uređaja.', 'Dodajte uređaj.'],
    en: () => ['There is no active device.', 'Add a device.'],
  },
  device_archived: {
    hr: ({ subject }) => [`Uređaj ${subject} je arhiviran.`, 'Ako treba prodavati, postavite ga na „aktivno”.'],
    en: ({ subject }) => [`The device ${subject} is archived.`, 'If it should sell, make it active.'],
  },
  device_suspended: {
    hr: ({ subject, count }) =>
      count === undefined
        ? [`Uređaj ${subject} je obustavljen.`, 'Ako treba prodavati, postavite ga na „aktivno”.']
        : [
            `${count} ${plural(count, 'uređaj je obustavljen', 'uređaja su obustavljena', 'uređaja je obustavljeno')}.`,
            'Postavite na „aktivno” one koji trebaju prodavati.',
          ],
    en: ({ subject, count }) =>
      count === undefined
        ? [`The device ${subject} is suspended.`, 'If it should sell, make it active.']
        : [`${count} devices are suspended.`, 'Make those active that should sell.'],
  },
  isu_missing: {
    hr: ({ subject, count }) =>
      count === undefined
        ? [`Uređaj ${subject} nema ISU broj.`, 'Prijavite ga u ePoreznoj i upišite broj koji ste dobili.']
        : [
            `${count} ${plural(count, 'uređaj nema', 'uređaja nemaju', 'uređaja nema')} ISU broj.`,
            'Potrebna je prijava u ePoreznoj, a zatim upis dobivenog ISU broja.',
          ],
    en: ({ subject, count }) =>
      count === undefined
        ? [`The device ${subject} has no ISU number.`, 'Register it in ePorezna and enter the number that you get.']
        : [`${count} devices have no ISU number.`, 'Register them in ePorezna and enter the numbers that you get.'],
  },
  isu_mismatch: {
    hr: ({ subject, count }) => [
      count === undefined
        ? `Porezna uprava za ISU broj uređaja ${subject} ima druge podatke, pa njegovi računi ne dobivaju JIR.`
        : `Porezna uprava za ISU brojeve ${count} uređaja ima druge podatke, pa njihovi računi ne dobivaju JIR.`,
      'Usporedite ISU broj, oznaku prostora i adresu u ePoreznoj i ispravite što je pogrešno.',
    ],
    en: ({ subject, count }) => [
      `The tax authority knows other data of the ISU number of ${count === undefined ? subject : `${count} devices`}, so sales get no JIR.`,
      'Compare ISU number, premises code and address in ePorezna, and correct what is wrong.',
    ],
  },
}
