import type { Mode } from '../sale/sale.ts'
import { plural } from './plural.ts'

export type BlockerCause = keyof typeof WORDS

/** What the sentence of a cause has in it. */
export interface BlockerValues {
  /** The name of a company, the label of a device, or a part of this gateway. */
  subject: string
  /** The number of devices, when they are not listed. */
  count?: number
  mode?: Mode
}

type Words = (values: BlockerValues) => [what: string, todo: string]

export function blockerWords(cause: BlockerCause, values: BlockerValues, language: 'hr' | 'en'): ReturnType<Words> {
  return WORDS[cause][language](values)
}

/** What a gateway has said of itself, in the reader's language; of a cause that only newer versions know, just that. */
export function sayReported(
  problem: BlockerValues & { cause: string },
  language: 'hr' | 'en',
): { what: string; todo: string | null } {
  const { cause, subject } = problem
  if (!isKnown(cause)) return { what: `${subject}: ${cause}`, todo: null }
  const [what, todo] = blockerWords(cause, problem, language)
  return { what, todo }
}

const isKnown = (cause: string): cause is BlockerCause => Object.hasOwn(WORDS, cause)

const UPLOAD = { hr: 'Zatražite novi certifikat i učitajte ga.', en: 'Order a new certificate and upload it.' }

const WORDS = {
  disk_full: {
    hr: () => [
      'Disk ovog računala je pun, pa prodaja nije moguća.',
      'Oslobodite prostor na disku. Prodaja se zatim nastavlja automatski.',
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
  no_database: {
    hr: () => ['Baza podataka ne može se otvoriti, pa prodaja nije moguća.', 'Zamolite tehničara: fisk doctor'],
    en: () => ['The database cannot be opened, so nothing can be sold.', 'Have your technician run: fisk doctor'],
  },
  no_company: {
    hr: () => ['Nema nijedne aktivne tvrtke.', 'Dodajte tvrtku koja prodaje.'],
    en: () => ['There is no active company.', 'Add the company that sells.'],
  },
  no_trust: {
    hr: ({ mode }) => [
      `Na ovom računalu nema certifikata Porezne uprave za ${mode === 'live' ? 'stvarni' : 'testni'} rad.`,
      'Zamolite tehničara da pokrene fisk doctor: ondje piše kako se dodaju.',
    ],
    en: ({ mode }) => [
      `This computer lacks the certificates of the tax authority for ${mode} mode.`,
      'Have your technician run fisk doctor, which says how to add them.',
    ],
  },
  company_inactive: {
    hr: ({ subject }) => [`Tvrtka ${subject} nije aktivna.`, 'Ako treba prodavati, aktivirajte je.'],
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
    hr: ({ subject }) => [`Uređaj ${subject} je arhiviran.`, 'Ako treba prodavati, aktivirajte ga.'],
    en: ({ subject }) => [`The device ${subject} is archived.`, 'If it should sell, activate it.'],
  },
  device_suspended: {
    hr: ({ subject, count }) =>
      count === undefined
        ? [`Uređaj ${subject} je obustavljen.`, 'Ako treba prodavati, aktivirajte ga.']
        : [
            `${count} ${plural(count, 'uređaj je obustavljen', 'uređaja su obustavljena', 'uređaja je obustavljeno')}.`,
            'Ako neki od njih treba prodavati, aktivirajte ga.',
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
  setting_misspelt: {
    hr: ({ subject }) => [
      `Postavka se ne koristi pri prodaji: ${subject}.`,
      'Provjerite njezin naziv na stranici postavki.',
    ],
    en: ({ subject }) => [`No sale reads a setting: ${subject}.`, 'Check its name on the page of settings.'],
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
} satisfies Record<string, Record<'hr' | 'en', Words>>
