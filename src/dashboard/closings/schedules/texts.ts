import { inBoth } from '../../language.ts'
import { MAIL_TEXTS, SALES_TEXTS, USER_TEXTS } from '../../shared-texts.ts'

export const texts = inBoth({
  ...SALES_TEXTS,
  ...MAIL_TEXTS,
  languages: USER_TEXTS.languages,
  title_hr: 'Redovito slanje zaključaka',
  title_en: 'Regular mailing of closings',
  about_hr:
    'Po isteku dana ili mjeseca, poslije 3 sata ujutro, fiskd sam zaključuje razdoblje i šalje zaključke e-poštom s CSV datotekom za knjigovodstvo. Svako se razdoblje šalje jednom. Račune koji stignu nakon toga sami zaključite dopunskim zaključkom i pošaljite. Nakon prekida u radu šalju se zaključci za posljednjih 31 dan, odnosno za posljednja 3 mjeseca. Za starija razdoblja pošaljite ih sami.',
  about_en:
    'When a day or a month is over, fiskd closes it after 03:00 and sends the closings by e-mail, with a CSV file for bookkeeping. Each period is sent once. For invoices that come later, make a supplementary closing and send it yourself. After an outage, closings of the last 31 days or 3 months are sent. Send those of earlier periods yourself.',
  none_hr: 'Redovito slanje još nije postavljeno.',
  none_en: 'No regular mailing is set up yet.',
  notSet_hr: 'Slanje e-pošte nije postavljeno. Postavlja ga osoba koja održava poslužitelj.',
  notSet_en: 'No mail server is set up. Have your technician set one up.',
  add_hr: 'Dodaj redovito slanje',
  add_en: 'Add a regular mailing',
  newTitle_hr: 'Novo redovito slanje',
  newTitle_en: 'New regular mailing',
  editTitle_hr: (to: string) => `Redovito slanje na ${to}`,
  editTitle_en: (to: string) => `Regular mailing to ${to}`,
  back_hr: 'Zaključci',
  back_en: 'Closings',
  what_hr: 'Što se šalje',
  what_en: 'What is sent',
  unit_hr: 'Koliko često',
  unit_en: 'How often',
  units: { day_hr: 'svaki dan', day_en: 'each day', month_hr: 'svaki mjesec', month_en: 'each month' },
  languageLabel_hr: 'Jezik poruke',
  languageLabel_en: 'Language of the e-mail',
  next_hr: 'Sljedeće razdoblje',
  next_en: 'Next period',
  last_hr: 'Posljednja poruka',
  last_en: 'Latest e-mail',
  nothingYet_hr: 'još ništa',
  nothingYet_en: 'nothing yet',
  savedBy_hr: 'Postavio korisnik',
  savedBy_en: 'Set up by',
  gone_hr: 'uklonjeni korisnik',
  gone_en: 'a user who was removed',
  stopped_hr: 'zaustavljeno',
  stopped_en: 'stopped',
  stops: {
    not_allowed_hr:
      'Korisnik koji je postavio slanje uklonjen je ili za to više nema ovlasti. Spremite postavke da se slanje nastavi.',
    not_allowed_en:
      'The user who set up this mailing was removed, or may no longer send these closings. Save it again to continue.',
    mail_too_large_hr: 'Datoteka je prevelika za jednu poruku. Postavite slanje za svaku tvrtku zasebno.',
    mail_too_large_en: 'The file is too large for one e-mail. Set up a separate mailing for each company.',
  },
  rights_hr:
    'Šalju se podaci koje smije vidjeti korisnik koji je ove postavke posljednji spremio; kad spremite, to ste Vi.',
  rights_en:
    'The e-mails contain only what the user who last saved this mailing may see. When you save it, that is you.',
  chooseCompany_hr: 'Odaberite tvrtku.',
  chooseCompany_en: 'Choose a company.',
  remove_hr: 'Ukloni',
  remove_en: 'Remove',
  removeConfirm_hr: (to: string) => `Zaključci se više neće slati na ${to}. Poslano ostaje poslano.`,
  removeConfirm_en: (to: string) => `Remove the regular mailing to ${to}? No more closings are mailed to this address.`,
})

export type Texts = (typeof texts)['hr']
