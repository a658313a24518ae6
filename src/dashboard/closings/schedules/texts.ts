import { inBoth } from '../../language.ts'
import { MAIL_TEXTS, SALES_TEXTS, USER_TEXTS } from '../../shared-texts.ts'

export const texts = inBoth({
  ...SALES_TEXTS,
  ...MAIL_TEXTS,
  languages: USER_TEXTS.languages,
  title: { en: 'Regular mailing of closings', hr: 'Redovito slanje zaključaka' },
  about: {
    en: 'When a day or a month is over, fiskd closes it after 03:00 and sends the closings by e-mail, with a CSV file for bookkeeping. Each period is sent once. For invoices that come later, make a supplementary closing and send it yourself. After an outage, closings of the last 31 days or 3 months are sent. Send those of earlier periods yourself.',
    hr: 'Po isteku dana ili mjeseca, poslije 3 sata ujutro, fiskd automatski zaključuje razdoblje i šalje zaključke e-poštom s CSV datotekom za knjigovodstvo. Svako se razdoblje šalje jednom. Račune koji stignu nakon toga sami zaključite dopunskim zaključkom i pošaljite. Nakon prekida u radu šalju se zaključci za posljednjih 31 dan, odnosno za posljednja 3 mjeseca. Za starija razdoblja pošaljite ih sami.',
  },
  none: { en: 'No regular mailing is set up yet.', hr: 'Redovito slanje još nije postavljeno.' },
  add: { en: 'Add a regular mailing', hr: 'Dodaj redovito slanje' },
  newTitle: { en: 'New regular mailing', hr: 'Novo redovito slanje' },
  editTitle: { en: (to: string) => `Regular mailing to ${to}`, hr: (to: string) => `Redovito slanje na ${to}` },
  back: { en: 'Closings', hr: 'Zaključci prometa' },
  what: { en: 'What is sent', hr: 'Što se šalje' },
  unit: { en: 'How often', hr: 'Koliko često' },
  units: { day: { en: 'each day', hr: 'svaki dan' }, month: { en: 'each month', hr: 'svaki mjesec' } },
  languageLabel: { en: 'Language of the e-mail', hr: 'Jezik poruke' },
  next: { en: 'Next period', hr: 'Sljedeće razdoblje' },
  last: { en: 'Latest e-mail', hr: 'Posljednja poruka' },
  nothingYet: { en: 'nothing yet', hr: 'još ništa' },
  savedBy: { en: 'Set up by', hr: 'Postavio korisnik' },
  gone: { en: 'a user who was removed', hr: 'uklonjeni korisnik' },
  stopped: { en: 'stopped', hr: 'zaustavljeno' },
  stops: {
    not_allowed: {
      en: 'The user who set up this mailing was removed, or may no longer send these closings. Save it again to continue.',
      hr: 'Korisnik koji je postavio slanje uklonjen je ili za to više nema ovlasti. Spremite postavke da se slanje nastavi.',
    },
    mail_too_large: {
      en: 'The file is too large for one e-mail. Set up a separate mailing for each company.',
      hr: 'Datoteka je prevelika za jednu poruku. Postavite slanje za svaku tvrtku zasebno.',
    },
  },
  rights: {
    en: 'The e-mails contain only what the user who last saved this mailing may see. When you save it, that is you.',
    hr: 'Šalju se podaci koje smije vidjeti korisnik koji je ove postavke posljednji spremio; kad spremite, to ste Vi.',
  },
  chooseCompany: { en: 'Choose a company.', hr: 'Odaberite tvrtku.' },
  remove: { en: 'Remove', hr: 'Ukloni' },
  removeConfirm: {
    en: (to: string) => `Remove the regular mailing to ${to}? No more closings are mailed to this address.`,
    hr: (to: string) => `Zaključci se više neće slati na ${to}. Poslano ostaje poslano.`,
  },
})

export type Texts = (typeof texts)['hr']
