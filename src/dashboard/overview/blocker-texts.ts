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

const UPLOAD = { hr: 'Zatražite novi certifikat i učitajte ga.', en: 'Order a new certificate and upload it.' }

const WORDS: Record<BlockerCause, Record<Language, Words>> = {
  disk_full: {
    hr: () => [
      'Disk ovog računala je pun, pa prodaja nije moguća.',
      'Oslobodite prostor na disku. Prodaja se zatim nastavlja sama.',
    ],
    en: () => [
      'The disk of this computer is full, so nothing can be sold.',
      'Free some space on it. Sales then go on automatically.',
    ],
  },
  no_writes: {
    hr: () => [
      'Baza podataka ne prima zapise, pa prodaja nije moguća.',
      'Zamolite tehničara da pregleda disk i zapisnik.',
    ],
    en: () => [
      'Nothing can be stored in the database, so nothing can be sold.',
      'Have your technician check the disk and the log.',
    ],
  },
  no_company: {
    hr: () => ['Nema nijedne aktivne tvrtke.', 'Dodajte tvrtku koja prodaje.'],
    en: () => ['There is no active company.', 'Add the company that sells.'],
  },
  no_trust: {
    hr: ({ mode }) => [
      `Na ovom računalu nema certifikata Porezne uprave za ${mode === 'live' ? 'stvarni' : 'testni'} rad.`,
      `Zamolite tehničara da ih preuzme naredbom: fisk trust fetch --mode ${mode}`,
    ],
    en: ({ mode }) => [
      `This computer lacks the certificates of the tax authority for ${mode} mode.`,
      `Have your technician fetch them: fisk trust fetch --mode ${mode}`,
    ],
  },
  company_inactive: {
    hr: ({ subject }) => [`Tvrtka ${subject} nije aktivna.`, 'Ako treba prodavati, uključite je.'],
    en: ({ subject }) => [`The company ${subject} is not active.`, 'If it should sell, activate it.'],
  },
  certificate_missing: {
    hr: ({ subject }) => [`Tvrtka ${subject} nema certifikat.`, 'Učitajte fiskalni certifikat tvrtke.'],
    en: ({ subject }) => [
      `The company ${subject} has no certificate.`,
      'Upload the fiscal certificate of the company.',
    ],
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
      'Upload the certificate that was issued to the OIB of this company.',
    ],
  },
  certificate_early: {
    hr: ({ subject }) => [
      `Certifikat tvrtke ${subject} još ne vrijedi.`,
      'Provjerite od kojeg dana vrijedi i je li sat računala točan.',
    ],
    en: ({ subject }) => [
      `The certificate of ${subject} is not valid yet.`,
      'Check from which date it is valid, and check the clock of this computer.',
    ],
  },
  certificate_expired: {
    hr: ({ subject }) => [`Certifikat tvrtke ${subject} je istekao.`, UPLOAD.hr],
    en: ({ subject }) => [`The certificate of ${subject} has expired.`, UPLOAD.en],
  },
  certificate_untrusted: {
    hr: ({ subject }) => [
      `Certifikat tvrtke ${subject} ne odgovara načinu rada tvrtke.`,
      'Za stvarni rad učitajte produkcijski, a za testni rad demo certifikat.',
    ],
    en: ({ subject }) => [
      `The certificate of ${subject} does not match the mode of the company.`,
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
      `Brojevi računa su iskorišteni (${subject}), pa ondje prodaja nije moguća.`,
      'Zamolite tehničara da pokrene: fisk numbers heal',
    ],
    en: ({ subject }) => [
      `The invoice numbers are used up (${subject}), so nothing can be sold there.`,
      'Have your technician run: fisk numbers heal',
    ],
  },
  sales_lost: {
    hr: ({ subject }) => [
      `Baza podataka nema već izdane račune (${subject}), pa ondje prodaja nije moguća.`,
      'Zamolite tehničara da pokrene: fisk doctor',
    ],
    en: ({ subject }) => [
      `The database lacks invoices that were issued (${subject}), so nothing can be sold there.`,
      'Have your technician run: fisk doctor',
    ],
  },
  no_device: {
    hr: () => ['Nema nijednog aktivnog uređaja.', 'Dodajte uređaj.'],
    en: () => ['There is no active device.', 'Add a device.'],
  },
  device_archived: {
    hr: ({ subject }) => [`Uređaj ${subject} je arhiviran.`, 'Ako treba prodavati, uključite ga.'],
    en: ({ subject }) => [`The device ${subject} is archived.`, 'If it should sell, activate it.'],
  },
  device_suspended: {
    hr: ({ subject, count }) =>
      count === undefined
        ? [`Uređaj ${subject} je obustavljen.`, 'Ako treba prodavati, uključite ga.']
        : [
            `${count} ${plural(count, 'uređaj je obustavljen', 'uređaja su obustavljena', 'uređaja je obustavljeno')}.`,
            'Ako na nekom od njih treba prodavati, uključite ga.',
          ],
    en: ({ subject, count }) =>
      count === undefined
        ? [`The device ${subject} is suspended.`, 'If it should sell, activate it.']
        : [
            `${count} ${count === 1 ? 'device is' : 'devices are'} suspended.`,
            'Activate each device that should sell.',
          ],
  },
  isu_missing: {
    hr: ({ subject, count }) =>
      count === undefined
        ? [`Uređaj ${subject} nema ISU broj.`, 'Prijavite ga u ePoreznoj i upišite dodijeljeni ISU broj.']
        : [
            `${count} ${plural(count, 'uređaj nema', 'uređaja nemaju', 'uređaja nema')} ISU broj.`,
            'Potrebna je prijava u ePoreznoj, a zatim upis dodijeljenog ISU broja.',
          ],
    en: ({ subject, count }) =>
      count === undefined
        ? [`The device ${subject} has no ISU number.`, 'Register it in ePorezna and enter the number that it issues.']
        : [
            `${count} ${count === 1 ? 'device has' : 'devices have'} no ISU number.`,
            'Register each device in ePorezna and enter its ISU number.',
          ],
  },
  isu_mismatch: {
    hr: ({ subject, count }) => [
      count === undefined
        ? `ISU broj uređaja ${subject} ne odgovara prijavi u ePoreznoj, pa njegovi računi ne dobivaju JIR.`
        : `ISU brojevi koji ne odgovaraju prijavi u ePoreznoj: ${count}. Računi tih uređaja ne dobivaju JIR.`,
      'Usporedite ISU broj, oznaku poslovnog prostora i adresu s podacima u ePoreznoj i ispravite što je pogrešno.',
    ],
    en: ({ subject, count }) => [
      `The tax authority has other data for the ISU number of ${count === undefined ? subject : `${count} ${count === 1 ? 'device' : 'devices'}`}, so sales get no JIR.`,
      'Compare ISU number, premises code and address in ePorezna, and correct what is wrong.',
    ],
  },
}
