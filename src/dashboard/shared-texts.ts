import { PAYMENTS } from '../domain/texts/sale-texts.ts'

/** Entries that the tables of several pages have in them (see `inBoth`). */

/** What the pages of users and that of the own sign-in say alike. */
export const USER_TEXTS = {
  roles: {
    viewer_hr: 'samo pregled',
    viewer_en: 'viewer',
    operator_hr: 'operater',
    operator_en: 'operator',
    admin_hr: 'administrator',
    admin_en: 'administrator',
  },
  languages: {
    hr_hr: 'hrvatski',
    hr_en: 'Croatian',
    en_hr: 'engleski',
    en_en: 'English',
  },
  wrong: {
    language_hr: 'Odaberite jezik.',
    language_en: 'Choose a language.',
    email_hr: 'Ovo nije ispravna adresa e-pošte.',
    email_en: 'This is not a valid e-mail address.',
    password_hr: 'Lozinka mora imati od 12 do 1000 znakova.',
    password_en: 'The password must have 12 to 1,000 characters.',
  },
}

/** What the pages that choose among sales say alike. */
export const SALES_TEXTS = {
  company_hr: 'Tvrtka',
  company_en: 'Company',
  allCompanies_hr: 'Sve tvrtke',
  allCompanies_en: 'All companies',
  device_hr: 'Uređaj',
  device_en: 'Device',
  allDevices_hr: 'Svi uređaji',
  allDevices_en: 'All devices',
  from_hr: 'Od dana',
  from_en: 'From date',
  to_hr: 'Do dana',
  to_en: 'To date',
  mode_hr: 'Način rada',
  mode_en: 'Mode',
  modes: {
    live_hr: 'stvarni rad',
    live_en: 'live',
    test_hr: 'testni rad',
    test_en: 'test',
  },
  payments: PAYMENTS,
}

/** Modes of companies and of API keys. */
export const MODE_NAMES = {
  test_hr: 'testni rad',
  test_en: 'test mode',
  live_hr: 'stvarni rad',
  live_en: 'live mode',
}

/** What the pages of companies and those of devices say alike. */
export const FLEET_TEXTS = {
  gateway_hr: (name: string) => `pristupnik ${name}`,
  gateway_en: (name: string) => `gateway ${name}`,
  editTitle_hr: (name: string) => `Izmjena: ${name}`,
  editTitle_en: (name: string) => `Change: ${name}`,
  settingsTitle_hr: (name: string) => `Postavke: ${name}`,
  settingsTitle_en: (name: string) => `Settings: ${name}`,
  meanwhileField_hr: (value: string) => `Sada je spremljeno: ${value}`,
  meanwhileField_en: (value: string) => `Now stored: ${value}`,
  filter_hr: 'Prikaži',
  filter_en: 'Show',
  everything_hr: 'sve',
  everything_en: 'all',
  status_hr: 'Stanje',
  status_en: 'Status',
  facts_hr: 'Podaci',
  facts_en: 'Details',
  refused_hr: 'Promjena nije moguća.',
  refused_en: 'This change is not possible.',
  meanwhile_hr:
    'U međuvremenu je netko drugi promijenio ove podatke. Vaše izmjene još nisu spremljene: usporedite ih i spremite ponovno ako želite zadržati svoje izmjene.',
  meanwhile_en:
    'Another user has changed this in the meantime. Your changes are not saved yet: compare the values, and save again if yours are right.',
  empty_hr: '(prazno)',
  empty_en: '(empty)',
  suspend_hr: 'Obustavi',
  suspend_en: 'Suspend',
  activate_hr: 'Uključi',
  activate_en: 'Activate',
  archive_hr: 'Arhiviraj',
  archive_en: 'Archive',
}

/** What pages that send something by mail say alike. */
export const MAIL_TEXTS = {
  mailTo_hr: 'Adresa e-pošte primatelja',
  mailTo_en: 'E-mail address of the recipient',
  mail_hr: 'Pošalji e-poštom',
  mail_en: 'Send by e-mail',
  mailsTitle_hr: 'Poslano e-poštom',
  mailsTitle_en: 'Sent by e-mail',
  mailStates: {
    waiting_hr: 'čeka slanje',
    waiting_en: 'waiting',
    sending_hr: 'šalje se',
    sending_en: 'being sent',
    sent_hr: 'poslano',
    sent_en: 'sent',
    given_up_hr: 'nije uspjelo',
    given_up_en: 'failed',
  },
}
